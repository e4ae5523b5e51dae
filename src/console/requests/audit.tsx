// Who administered what. Each act's digest covers the one before it.
import { useState } from 'preact/hooks';
import { get, withQuery } from '../api/ask.ts';
import { useAct, usePages } from '../api/use.ts';
import { TextField } from '../parts/form.tsx';
import { List } from '../parts/list.tsx';
import { Card, Empty, Note, PageHead, Time, Trouble } from '../parts/parts.tsx';
import { plural } from '../parts/text.ts';

interface Act {
  seq: number;
  time: string;
  actor: string;
  act: string;
  target: string;
  detail: Record<string, unknown>;
}

interface Verified {
  acts: number;
  head: string;
  broken: { seq: number; why: string } | null;
}

export function AuditPage() {
  const [actor, setActor] = useState('');
  const [target, setTarget] = useState('');
  const [found, setFound] = useState<Verified | null>(null);
  const act = useAct();
  const pages = usePages<Act>(withQuery('/admin/v1/audit', { actor: actor.trim(), target: target.trim() }));
  const verify = () => void act.run(async () => setFound(await get<Verified>('/admin/v1/audit/verify')));
  return (
    <>
      <PageHead
        title="Audit log"
        about="Who administered what, here, at the command line and over HTTP. Nothing in it can be changed unseen."
      >
        <button type="button" class="button" disabled={act.busy} onClick={verify}>
          {act.busy ? 'Verifying…' : 'Verify the log'}
        </button>
      </PageHead>
      <Trouble problem={act.problem} />
      {found ? <Found of={found} /> : null}
      <Card flush>
        <div class="filters">
          <TextField
            label="Who"
            value={actor}
            change={setActor}
            placeholder="key_… or console"
            mono
            maxLength={200}
          />
          <TextField
            label="On what"
            value={target}
            change={setTarget}
            placeholder="key_…, acc_…"
            mono
            maxLength={200}
          />
        </div>
        <List
          label="Acts"
          pages={pages}
          keyOf={({ seq }) => String(seq)}
          empty={
            <Empty title="Nothing yet">
              <p>No act passes these filters.</p>
            </Empty>
          }
          columns={[
            { head: 'When', cell: ({ time }) => <Time at={time} /> },
            { head: 'What', cell: ({ act: what }) => <code>{what}</code> },
            { head: 'On', cell: ({ target: on }) => <code style={{ overflowWrap: 'anywhere' }}>{on}</code> },
            { head: 'Who', wide: true, cell: ({ actor: who }) => <code>{who}</code> },
            {
              head: 'Chosen',
              wide: true,
              name: true,
              cell: ({ detail }) => (
                <span class="small soft">
                  {detailOf(detail).map((text, i) => (
                    <>
                      {i === 0 ? '' : ', '}
                      <bdi key={text}>{text}</bdi>
                    </>
                  ))}
                </span>
              ),
            },
            { head: 'No.', wide: true, end: true, cell: ({ seq }) => seq },
          ]}
        />
      </Card>
    </>
  );
}

const Found = ({ of: { acts, head, broken } }: { of: Verified }) =>
  broken ? (
    <Note tone="bad">
      Act {broken.seq} is {broken.why}: the log is not whole from there on.
    </Note>
  ) : (
    <Note tone="good">
      The log is whole: {plural(acts, 'act')} follow one another. Note its head elsewhere:{' '}
      <code style={{ overflowWrap: 'anywhere' }}>{head}</code>
    </Note>
  );

const detailOf = (detail: Record<string, unknown>): string[] =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== false && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
