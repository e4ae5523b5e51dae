// Takes a person out of every file for good: what would go is told first, and said again by hand.
import { useEffect, useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { TextField, Tick } from '../parts/form.tsx';
import { Bones, Note, Trouble } from '../parts/parts.tsx';
import { count, plural, timeText } from '../parts/text.ts';
import { Names } from './find.tsx';
import { saveJson } from '../parts/save.ts';
import type { Forgotten, Receipt } from './types.ts';

interface ForgetProps {
  identity: number;
  close(): void;
  onForgotten(receipt: Receipt): void;
}

export function Forget({ identity, close, onForgotten }: ForgetProps) {
  const [would, setWould] = useState<Forgotten | null>(null);
  const [typed, setTyped] = useState('');
  const [returns, setReturns] = useState(false);
  const look = useAct();
  const act = useAct();
  const ask = (more: object) =>
    post<Forgotten>('/admin/v1/graph/forget', { identities: [identity], ...more });
  useEffect(() => void look.run(async () => setWould(await ask({}))), [identity]);
  const words = `forget ${plural(would?.records ?? 0, 'record')}`;
  const forget = () =>
    void act.run(async () => {
      const { receipt } = await ask({ confirm: would?.records, allow_return: returns });
      if (receipt) onForgotten(receipt);
    });
  return (
    <Dialog title={`Forget identity ${identity}?`} close={close}>
      <Trouble problem={look.problem} />
      {would ? <WouldGo would={would} /> : look.problem ? null : <Bones lines={3} />}
      {would ? (
        <>
          <Tick
            label="Later imports may bring them back"
            value={returns}
            change={setReturns}
            hint="Otherwise the same source brings back neither these nor others with one of their names and an e-mail, phone or address of theirs."
          />
          <TextField label={`Type: ${words}`} value={typed} change={setTyped} />
        </>
      ) : null}
      <DialogEnd
        yes={act.busy ? 'Forgetting…' : 'Forget for good'}
        act={act}
        danger
        ready={Boolean(would?.records) && typed.trim() === words}
        does={forget}
        close={close}
      />
    </Dialog>
  );
}

const WouldGo = ({ would: { records, people } }: { would: Forgotten }) => (
  <>
    <p>
      {plural(records, 'record')} {records === 1 ? 'goes' : 'go'} out of every file, and every byte is looked
      at afterwards. It cannot be undone; backups that were made before still hold them.
    </p>
    {people.map(({ identity, names }) => (
      <div class="name" key={identity}>
        <Names names={names} />
      </div>
    ))}
  </>
);

/** What is left of a person: it names nobody. */
export function ReceiptDialog({ receipt, close }: { receipt: Receipt; close(): void }) {
  const { time, records, sources, searched, traces, unsearched = [], beyond, marks } = receipt;
  const left = [...traces, ...unsearched];
  return (
    <Dialog title="Forgotten" close={close}>
      {left.length === 0 && receipt.logs_empty ? (
        <Note tone="good">Every file was read afterwards: nothing of it is left.</Note>
      ) : (
        <Note tone="care">
          {left.length === 0
            ? 'A log could not be emptied yet, since somebody reads in it: '
            : `${plural(left.length, 'file')} may still hold something (${left.join(', ')}): `}
          <code>bonafide doctor</code> tells what to do.
        </Note>
      )}
      {beyond !== undefined && <Note tone="care">No row of the database is theirs any more; {beyond}.</Note>}
      <dl class="facts">
        <dt>When</dt>
        <dd>{timeText(time)}</dd>
        <dt>Records</dt>
        <dd>{count(records)}</dd>
        <dt>Of</dt>
        <dd>
          {Object.entries(sources).map(([source, of]) => (
            <div key={source}>
              <bdi>{source}</bdi>: {count(of)}
            </div>
          ))}
        </dd>
        <dt>Looked for</dt>
        <dd>{plural(searched, 'byte string')} in every file</dd>
        <dt>Kept out by</dt>
        <dd>{plural(marks.length, 'keyed digest')}</dd>
      </dl>
      <p class="small soft">The receipt names nobody. The server keeps one, too, in its data folder.</p>
      <div class="dialog-end">
        <button type="button" class="button" onClick={close}>
          Done
        </button>
        <button
          type="button"
          class="button primary"
          onClick={() => saveJson(`erasure-${time.replaceAll(/[:.]/g, '-')}.json`, receipt)}
        >
          Save the receipt
        </button>
      </div>
    </Dialog>
  );
}
