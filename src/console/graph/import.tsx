// A file into the graph: sent to the server, which says how it reads it before anything is in the graph; then imported, and back.
import { useRef, useState } from 'preact/hooks';
import { Problem } from '../api/ask.ts';
import type { Act } from '../api/use.ts';
import { useAct } from '../api/use.ts';
import { Select, TextField, Tick } from '../parts/form.tsx';
import { Card, Trouble } from '../parts/parts.tsx';
import { bytesText, count, plural } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import { Columns } from './columns.tsx';
import { Became, Told } from './found.tsx';
import { dropImport, follow, mapOf, readAgain, sendFile, startImport, undoImport } from './imports.ts';
import type { Column, Import as State, Reading } from './imports.ts';

export function Import({ onDone }: { onDone(): void }) {
  const [at, setAt] = useState<State | null>(null);
  const act = useAct();
  const take = (file: File | undefined) =>
    file && void act.run(async () => follow(await sendFile(file), setAt));
  const close = () => {
    if (at && at.state !== 'done') void dropImport(at.id).catch(() => undefined);
    act.clear();
    setAt(null);
  };
  return (
    <Card
      title="Import a file"
      about="CSV, Excel, JSON, vCard or Parquet, as other programs export them, packed or not. The server reads it and shows how; nothing is in the graph before you say so."
    >
      <Trouble problem={act.problem} />
      {at ? (
        <Reading at={at} setAt={setAt} act={act} close={close} onDone={onDone} />
      ) : act.busy ? (
        <Sending />
      ) : (
        <Drop take={take} />
      )}
    </Card>
  );
}

const Sending = () => (
  <div class="row" role="status" aria-label="Sending the file">
    <progress class="grow" aria-label="Sending the file" />
  </div>
);

function Drop({ take }: { take(file: File | undefined): void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p>Drag a file here, or</p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="A file of records"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  );
}

interface ReadingProps {
  at: State;
  setAt(at: State): void;
  act: Act;
  close(): void;
  onDone(): void;
}

function Reading({ at, setAt, act, close, onDone }: ReadingProps) {
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [reading, setReading] = useState<Reading>({});
  const { id, found, state, failed } = at;
  const shown = columns ?? found?.columns ?? [];
  const said = (): Reading => ({ ...reading, ...(columns ? { map: mapOf(columns) } : {}) });
  const again = () =>
    act.run(async () => {
      const read = await follow(await readAgain(id, said()), setAt);
      if (read.found) setColumns(null);
    });
  const start = () =>
    act.run(async () => {
      const done = await follow(await startImport(id, said()), setAt);
      if (done.state === 'done') onDone();
    });
  const undo = () =>
    act.run(async () => {
      await undoImport();
      toast('What was imported is out of the graph.');
      close();
      onDone();
    });
  const change = (next: Partial<Reading>) => setReading((before) => ({ ...before, ...next }));
  const busy = state === 'reading' || state === 'importing';
  const changed = columns !== null || Object.keys(reading).length > 0;
  return (
    <div class="stack">
      <FileHead at={at} close={close} />
      {busy ? <Progress at={at} /> : null}
      {failed ? <Trouble problem={new Problem({ status: 0, ...failed })} /> : null}
      {state === 'done' && found ? <Became found={found} undo={() => void undo()} busy={act.busy} /> : null}
      {state === 'ready' || state === 'failed' ? (
        <>
          {found ? <Told found={found} /> : null}
          {shown.length > 0 ? <Columns columns={shown} change={setColumns} /> : null}
          <Ways reading={reading} change={change} isUnread={found === null} />
          <div class="row wrap">
            <button
              type="button"
              class="button primary"
              disabled={act.busy || state === 'failed' || found?.read === 0}
              onClick={() => void start()}
            >
              Import {plural(found?.read ?? 0, 'record')}
            </button>
            <button type="button" class="button" disabled={act.busy || !changed} onClick={() => void again()}>
              Read it again
            </button>
            {columns ? (
              <span class="hint">The figures above are of the columns as they were read.</span>
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  );
}

const FileHead = ({ at: { name, bytes, state, found }, close }: { at: State; close(): void }) => (
  <div class="row apart wrap">
    <span>
      <bdi>
        <b>{name}</b>
      </bdi>{' '}
      <span class="soft">
        {[found?.form?.kind, found?.form?.packing, found?.form?.encoding, bytesText(bytes)]
          .filter(Boolean)
          .join(', ')}
      </span>
    </span>
    <button type="button" class="button small quiet" onClick={close}>
      {state === 'importing' ? 'Stop' : 'Another file'}
    </button>
  </div>
);

const PHASES = { reading: 'Reading', linking: 'Linking', publishing: 'Publishing' };

function Progress({ at: { state, progress } }: { at: State }) {
  const { phase = 'reading', records = 0, done = null } = progress ?? {};
  return (
    <div class="row">
      <progress
        class="grow"
        max={1}
        {...(done === null ? {} : { value: done })}
        aria-label={state === 'reading' ? 'Reading the file' : 'Importing'}
      />
      <span class="small number">
        {PHASES[phase]}: {count(records)} records
      </span>
    </div>
  );
}

const DATES = [
  ['', 'as the file shows'],
  ['dmy', 'day, month, year'],
  ['mdy', 'month, day, year'],
  ['ymd', 'year, month, day'],
] as const;

/** What the file cannot say itself. */
function Ways({
  reading,
  change,
  isUnread,
}: {
  reading: Reading;
  change(next: Partial<Reading>): void;
  /** Nothing could be read, so that there are no columns to choose for. */
  isUnread: boolean;
}) {
  const { source = '', region = '', dates = '', map = '' } = reading;
  return (
    <details open={isUnread}>
      <summary>How it is read</summary>
      <div class="stack" style={{ paddingTop: '12px', maxWidth: '420px' }}>
        {isUnread ? (
          <TextField
            label="What its columns hold"
            value={map}
            change={(value) => change({ map: value })}
            maxLength={2000}
            hint="A field and its header each, such as name=Customer,email=Mail. Then read it again."
          />
        ) : null}
        <TextField
          label="Source"
          value={source}
          change={(value) => change({ source: value })}
          maxLength={100}
          hint="Next month’s file of the same source takes the place of this one. Without a name, that of the file."
        />
        <TextField
          label="Country"
          value={region}
          change={(value) => change({ region: value.toUpperCase() })}
          maxLength={2}
          hint="Two letters, such as DE: in which numbers and addresses are read that name none."
        />
        <Select
          label="Dates in numbers"
          value={dates}
          options={DATES}
          change={(value) => change({ dates: value === '' ? undefined : value } as Partial<Reading>)}
        />
        <Tick
          label="This is all of its source"
          hint="What the graph has of that source beside it goes."
          value={reading.replace ?? false}
          change={(replace) => change({ replace })}
        />
        <Tick
          label="Keep companies, guests and tests"
          value={reading.keep_companies ?? false}
          change={(keep) => change({ keep_companies: keep })}
        />
      </div>
    </details>
  );
}
