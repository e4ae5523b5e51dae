// A file into the graph: how its columns are read, on masked rows; what became of each line; and back.
import { useRef, useState } from 'preact/hooks';
import { Problem } from '../api/ask.ts';
import type { Act } from '../api/use.ts';
import { useAct } from '../api/use.ts';
import { TextField } from '../parts/form.tsx';
import { Card, Note, Trouble } from '../parts/parts.tsx';
import { count, plural } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import { sendRecords } from './send.ts';
import type { Sent } from './send.ts';
import { FIELDS, guessFields, masked, readTable, recordOf } from './table.ts';
import type { Field, Table } from './table.ts';

const MOST_BYTES = 50_000_000;

/** What was read of a file: a table whose columns are chosen, or records that say themselves what they hold. */
type Read = { name: string; table: Table } | { name: string; records: object[]; wrong: number };

export function Import({ onDone }: { onDone(): void }) {
  const [read, setRead] = useState<Read | null>(null);
  const act = useAct();
  const take = (file: File | undefined) => file && void act.run(async () => setRead(await readFile(file)));
  return (
    <Card
      title="Import a file"
      about="CSV with a head line, or JSON Lines, up to 50 MB. It is read in this page; nothing is sent before you say so. Larger files: bonafide graph import."
    >
      <Trouble problem={act.problem} />
      {read ? <Reading read={read} close={() => setRead(null)} onDone={onDone} /> : <Drop take={take} />}
    </Card>
  );
}

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
        accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  );
}

async function readFile(file: File): Promise<Read> {
  if (file.size > MOST_BYTES)
    throw refused('The file is larger than 50 MB. Import it on the machine: bonafide graph import FILE');
  const text = await file.text();
  if (text.includes('\uFFFD'))
    throw refused(
      'The file is no text in UTF-8. On the machine, bonafide graph import recognises other encodings.',
    );
  if (!/^\s*[{[]/.test(text)) {
    const table = readTable(text);
    if (table.rows.length === 0) throw refused('The file has no line below its head.');
    return { name: file.name, table };
  }
  const whole = text.trimStart().startsWith('[') ? parsed(text) : null;
  const lines = Array.isArray(whole)
    ? whole
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(parsed);
  const records = lines.filter((one): one is object => typeof one === 'object' && one !== null);
  return { name: file.name, records, wrong: lines.length - records.length };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const refused = (detail: string) => new Problem({ status: 0, code: 'unreadable_file', detail });

function Reading({ read, close, onDone }: { read: Read; close(): void; onDone(): void }) {
  const [source, setSource] = useState(
    read.name
      .replace(/\.\w+$/, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .slice(0, 40),
  );
  const [fields, setFields] = useState<Field[]>('table' in read ? guessFields(read.table.columns) : []);
  const [sent, setSent] = useState<Sent | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef(false);
  const act = useAct();
  const total = 'table' in read ? read.table.rows.length : read.records.length;
  const records = (): object[] =>
    'table' in read
      ? read.table.rows.map((row, i) => recordOf(row, fields, { source, id: `${read.name} ${i + 1}` }))
      : read.records.map((record) => ({ source, ...record }));
  const send = (all: object[]) => {
    stop.current = false;
    setDone(0);
    const places = all.map((_, i) => i + ('table' in read ? 2 : 1));
    return act.run(async () => {
      const onPart = (so: Sent, at: number) => (setSent(so), setDone(at));
      await sendRecords(all, { places, onPart, stopped: () => stop.current });
      onDone();
    });
  };
  const undo = async () => {
    const gone = records().map((record) => {
      const { record_id: id, source: from } = record as { record_id?: unknown; source: string };
      return { record_id: id, source: from, deleted: true };
    });
    if (!(await send(gone))) return;
    toast('What was imported is out of the graph.');
    close();
  };
  const nothing =
    'table' in read &&
    !fields.some((field) => ['name', 'given', 'family', 'email', 'phone', 'street'].includes(field));
  return (
    <div class="stack">
      <div class="row apart wrap">
        <span>
          <bdi>
            <b>{read.name}</b>
          </bdi>{' '}
          <span class="soft">{plural(total, 'record')}</span>
        </span>
        <button type="button" class="button small quiet" disabled={act.busy} onClick={close}>
          Another file
        </button>
      </div>
      {'wrong' in read && read.wrong > 0 ? (
        <Note tone="care">
          {plural(read.wrong, 'line')} of it {read.wrong === 1 ? 'is' : 'are'} no JSON, and left out.
        </Note>
      ) : null}
      {'table' in read && !sent ? <Columns table={read.table} fields={fields} change={setFields} /> : null}
      {sent ? null : (
        <div class="row wrap" style={{ alignItems: 'flex-end' }}>
          <div style={{ minWidth: '220px' }}>
            <TextField label="Source" value={source} change={setSource} maxLength={100} />
          </div>
          <button
            type="button"
            class="button primary"
            disabled={act.busy || source.trim() === '' || nothing}
            onClick={() => void send(records())}
          >
            Import {plural(total, 'record')}
          </button>
        </div>
      )}
      <Trouble problem={act.problem} />
      {done === null ? null : (
        <Progress done={done} total={total} act={act} stop={() => (stop.current = true)} />
      )}
      {sent ? <Became sent={sent} undo={() => void undo()} busy={act.busy} /> : null}
    </div>
  );
}

function Progress({ done, total, act, stop }: { done: number; total: number; act: Act; stop(): void }) {
  if (!act.busy) return null;
  return (
    <div class="row">
      <progress class="grow" max={total} value={done} aria-label="Records sent" />
      <span class="small number">
        {count(done)} of {count(total)}
      </span>
      <button type="button" class="button small" onClick={stop}>
        Stop
      </button>
    </div>
  );
}

/** The columns, each with what it is taken for and three values of it, masked. */
function Columns({
  table,
  fields,
  change,
}: {
  table: Table;
  fields: Field[];
  change(fields: Field[]): void;
}) {
  return (
    <div class="scroll" role="region" aria-label="Columns" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Is</th>
            <th scope="col">Values, masked</th>
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column, i) => (
            <tr key={i}>
              <td class="name">
                <bdi>{column.slice(0, 60)}</bdi>
              </td>
              <td>
                <select
                  class="input"
                  aria-label={`Column ${column.slice(0, 60)} is`}
                  value={fields[i]}
                  onChange={(event) =>
                    change(fields.map((one, at) => (at === i ? (event.currentTarget.value as Field) : one)))
                  }
                >
                  {FIELDS.map(([field, text]) => (
                    <option key={field} value={field} selected={field === fields[i]}>
                      {text}
                    </option>
                  ))}
                </select>
              </td>
              <td class="name small soft">
                {table.rows.slice(0, 3).map((row, at) => (
                  <div key={at}>
                    <bdi>{masked(row[i] ?? '') || '–'}</bdi>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SHOWN = 100;

function Became({ sent, undo, busy }: { sent: Sent; undo(): void; busy: boolean }) {
  const told = [
    ...sent.refused.map((one) => ({ ...one, what: 'line' })),
    ...sent.left.map((one) => ({ ...one, what: 'value' })),
  ];
  return (
    <>
      <Note tone="good">
        {plural(sent.put, 'record')} {sent.put === 1 ? 'is' : 'are'} in the graph.{' '}
        {sent.linked
          ? 'Checks see them.'
          : 'All records are linked anew now; checks see them when that is done.'}
        {sent.barred > 0 ? ` ${count(sent.barred)} were forgotten once, and are kept out.` : ''}
      </Note>
      {told.length === 0 ? null : (
        <details>
          <summary>
            {plural(sent.refused.length, 'line')} and {plural(sent.left.length, 'value')} that cannot be used
          </summary>
          <ul class="bullets small" style={{ paddingTop: '8px' }}>
            {told.slice(0, SHOWN).map(({ line, reason, what }, i) => (
              <li key={i}>
                Line {line}, {what}: {reason}
              </li>
            ))}
            {told.length > SHOWN ? <li>and {count(told.length - SHOWN)} more</li> : null}
          </ul>
        </details>
      )}
      <div class="row wrap">
        <button type="button" class="button danger" disabled={busy} onClick={undo}>
          Undo the import
        </button>
        <span class="hint">
          Takes its records out again, those that took the place of earlier ones included.
        </span>
      </div>
    </>
  );
}
