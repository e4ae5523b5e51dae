// An operator's word on who is who: it stands above what linking finds, until it is undone.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { TextField } from '../parts/form.tsx';
import { Trouble } from '../parts/parts.tsx';
import { plural } from '../parts/text.ts';
import { Names } from './find.tsx';
import { referenceOf } from './types.ts';
import type { Card, Judged, RecordName } from './types.ts';

interface JudgeProps {
  close(): void;
  onJudged(judged: Judged): void;
}

/** The records are another person than the rest of their identity. */
export function Split({ records, ...rest }: JudgeProps & { records: RecordName[] }) {
  return (
    <JudgeDialog
      title={`Split ${plural(records.length, 'record')} off?`}
      yes="Split off"
      send={(why) => post<Judged>('/admin/v1/graph/split', { records: records.map(referenceOf), why })}
      {...rest}
    >
      <p>They are somebody else than the other records of this identity:</p>
      <ul class="bullets">
        {records.map((record) => (
          <li key={referenceOf(record)} class="name">
            <bdi>{record.source}</bdi>: <bdi>{record.record_id}</bdi>
          </li>
        ))}
      </ul>
    </JudgeDialog>
  );
}

export function Join({ identity, ...rest }: JudgeProps & { identity: number }) {
  const [text, setText] = useState('');
  const number = /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;
  const other = useLoad<Card>(
    number === null || number === identity ? null : `/admin/v1/graph/identities/${number}`,
  );
  const known = other.loading || other.problem || other.data?.identity === identity ? null : other.data;
  return (
    <JudgeDialog
      title={`Join identity ${identity} with another?`}
      yes="Join"
      ready={known !== null && number !== null && number !== identity}
      send={(why) => post<Judged>('/admin/v1/graph/join', { identities: [identity, number], why })}
      {...rest}
    >
      <TextField
        label="The other identity’s number"
        value={text}
        change={setText}
        wrong={number === identity ? 'That is this one.' : undefined}
      />
      <Trouble problem={number === null || number === identity ? null : other.problem} />
      {known && number !== null && number !== identity ? (
        <div class="name">
          <Names names={known.names} />
          <span class="small soft">{plural(known.records.length, 'record')}</span>
        </div>
      ) : null}
    </JudgeDialog>
  );
}

interface DialogProps extends JudgeProps {
  title: string;
  yes: string;
  ready?: boolean;
  send(why: string): Promise<Judged>;
  children: ComponentChildren;
}

function JudgeDialog({ title, yes, ready = true, send, close, onJudged, children }: DialogProps) {
  const [why, setWhy] = useState('');
  const act = useAct();
  const judge = () =>
    void act.run(async () => {
      onJudged(await send(why.trim()));
      close();
    });
  return (
    <Dialog title={title} close={close}>
      {children}
      <TextField
        label="The reason"
        value={why}
        change={setWhy}
        maxLength={500}
        hint="No name, e-mail or phone. Kept encrypted, for whoever asks later, until one of them is forgotten."
      />
      <DialogEnd
        yes={act.busy ? 'Linking…' : yes}
        act={act}

        ready={ready && why.trim() !== ''}
        does={judge}
        close={close}
      />
    </Dialog>
  );
}
