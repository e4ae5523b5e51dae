// A file that was sent: how the server reads it, what is corrected of that, and what becomes of it.
import { useState } from 'preact/hooks';
import { Problem } from '../api/ask.ts';
import type { Act } from '../api/use.ts';
import { Select, TextField, Tick } from '../parts/form.tsx';
import { Trouble } from '../parts/parts.tsx';
import { bytesText, count, plural } from '../parts/text.ts';
import { Columns } from './columns.tsx';
import { Became, Told } from './found.tsx';
import { isAtWork, isOtherwise, mapOf, readAgain, saidOf, startImport } from './imports.ts';
import type { Column, Import as State, Reading as How } from './imports.ts';

interface ReadingProps {
  at: State;
  setAt(at: State): void;
  act: Act;
  close(): void;
  /** No file can be imported here. */
  refused: boolean;
}

export function Reading({ at, setAt, act, close, refused }: ReadingProps) {
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [change, setChange] = useState<How>({});
  const { id, found, state, failed } = at;
  const isUnread = state === 'failed' && found?.read === 0;
  const shown = columns ?? found?.columns ?? [];
  const corrected = columns ?? (isUnread && shown.length > 0 ? shown : null);
  const said = saidOf({ ...at.reading, ...change, ...(corrected ? { map: mapOf(corrected) } : {}) });
  const again = () =>
    act.run(async () => {
      setAt(await readAgain(id, said));
      setColumns(null);
      setChange({});
    });
  const start = () => act.run(async () => setAt(await startImport(id, said)));
  const changed = isOtherwise(said, at.reading);
  const isOpen = state === 'ready' || state === 'failed';
  return (
    <div class="stack">
      <FileHead at={at} act={act} close={close} />
      {isAtWork(at) ? <Progress at={at} /> : null}
      {failed ? <Trouble problem={new Problem({ status: 0, ...failed })} /> : null}
      {state === 'done' && found ? <Became found={found} /> : null}
      {isOpen && found && !isUnread ? <Told found={found} bytes={at.bytes} /> : null}
      {isOpen && shown.length > 0 ? <Columns columns={shown} change={setColumns} /> : null}
      {isOpen ? (
        <>
          <Ways
            reading={{ ...at.reading, ...change }}
            change={(next) => setChange((before) => ({ ...before, ...next }))}
          />
          <div class="row wrap">
            <button
              type="button"
              class="button primary"
              disabled={act.busy || refused || changed || state === 'failed' || !found?.read}
              onClick={() => void start()}
            >
              Import {plural(found?.read ?? 0, 'record')}
            </button>
            <button type="button" class="button" disabled={act.busy || !changed} onClick={() => void again()}>
              Read it again
            </button>
            {changed && state === 'ready' ? (
              <span class="hint">
                What is above is of the file as it was read. Read it again before it is imported.
              </span>
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  );
}

const FileHead = ({
  at: { name, bytes, state, found },
  act,
  close,
}: Pick<ReadingProps, 'at' | 'act' | 'close'>) => (
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
    <button type="button" class="button small quiet" disabled={act.busy} onClick={close}>
      {state !== 'importing' ? 'Another file' : act.busy ? 'Stopping…' : 'Stop'}
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
function Ways({ reading, change }: { reading: How; change(next: How): void }) {
  const { source = '', region = '', dates = '' } = reading;
  return (
    <details>
      <summary>How it is read</summary>
      <div class="stack" style={{ paddingTop: '12px', maxWidth: '420px' }}>
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
          change={(value) => change({ dates: value || undefined } as How)}
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
