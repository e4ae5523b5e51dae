// Checks of a whole file: a job, its progress, and a table of its results.
import { useEffect, useState } from 'preact/hooks';
import { getBlob, postFileWithSizeLimit, sendRequest, appendQueryParameters } from '../app/api.ts';
import { useAction, useInterval, useResource } from '../app/hooks.ts';
import type { CheckAnswer, Job, JobList, JobResult } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { saveFile } from '../components/download.ts';
import { ErrorNote, Note, ProgressBar } from '../components/feedback.tsx';
import { DropZone, Select } from '../components/form.tsx';
import { codeToWords, formatCount, formatNumber, SCORE_BANDS } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import { RowButton, Table } from '../components/table.tsx';
import { toVerdictDisplay } from './answer.ts';
import type { PersonValues } from './request.ts';

const LIMIT = { maxBytes: 16 * 2 ** 20, command: 'bonafide check --file FILE' };
const POLL_MS = 1000;

interface FileChecksProps {
  canCheck: boolean;
  /** Called to check the person of one result line again in the form. */
  onOpen(person: PersonValues): void;
}

/** Card for checking a file of people. It shows the last job of the signed-in API key. */
export function PeopleFileCheckCard({ canCheck, onOpen }: FileChecksProps) {
  const jobs = useResource<JobList>(canCheck ? '/v1/jobs?limit=1' : null);
  const { isRunning, problem, run } = useAction();
  const job = jobs.data?.jobs[0] ?? null;
  const isOpen = job?.state === 'queued' || job?.state === 'running';
  useInterval(jobs.poll, isOpen ? POLL_MS : null);
  const send = (file: File) =>
    void run(async () => {
      await postFileWithSizeLimit<Job>(appendQueryParameters('/v1/jobs', { name: file.name }), file, LIMIT);
      jobs.reload();
    });
  const remove = (id: string) =>
    void run(async () => {
      await sendRequest(`/v1/jobs/${id}`, { method: 'DELETE' });
      jobs.reload();
    });
  return (
    <Card
      title="Check a file"
      about="CSV, JSON Lines or XLSX with up to 10,000 people. Each line counts as one call; results are deleted a day after the end."
    >
      <ErrorNote problem={problem ?? jobs.problem} />
      {isRunning ? (
        <ProgressBar label="Sending" />
      ) : job ? (
        <JobView job={job} onRemove={() => remove(job.job_id)} onOpen={onOpen} />
      ) : (
        <DropZone label="File of people" disabled={!canCheck} onFile={send} />
      )}
    </Card>
  );
}

interface JobViewProps extends Pick<FileChecksProps, 'onOpen'> {
  job: Job;
  onRemove(): void;
}

function JobView({ job, onRemove, onOpen }: JobViewProps) {
  const { job_id: id, name, state, total, done, failed, columns, problem } = job;
  const saving = useAction();
  const isOpen = state === 'queued' || state === 'running';
  const used = columns.filter(({ field }) => field !== null);
  const unused = columns.filter(({ field }) => field === null);
  const download = (format: 'csv' | 'jsonl') =>
    void saving.run(async () => {
      const results = await getBlob(`/v1/jobs/${id}/results?format=${format}`);
      saveFile(`${name ?? 'results'}.checked.${format}`, results);
    });
  return (
    <div class="stack">
      <p class="row wrap">
        <strong class="name">{name ?? 'Job'}</strong>
        <Badge tone={state === 'failed' ? 'bad' : isOpen ? 'accent' : 'good'}>{state}</Badge>
        <span class="small soft">
          {formatCount(total, 'line')}, {formatNumber(failed)} with a problem
        </span>
      </p>
      {problem === null ? null : <Note tone="bad">The job failed: {codeToWords(problem)}.</Note>}
      <ErrorNote problem={saving.problem} />
      {isOpen ? (
        <ProgressBar label="Checking" share={done / total}>
          {formatNumber(done)} of {formatNumber(total)}
        </ProgressBar>
      ) : null}
      {used.length > 0 ? (
        <p class="small soft">
          Columns: {used.map(({ header, field }) => `${header} (${codeToWords(field ?? '')})`).join(', ')}.
          {unused.length > 0
            ? ` Not used: ${unused.map(({ header }) => header || '(no header)').join(', ')}.`
            : ''}
        </p>
      ) : null}
      {isOpen ? null : <Results key={id} id={id} onOpen={onOpen} />}
      <div class="row wrap">
        {isOpen ? null : (
          <>
            <Button small disabled={saving.isRunning} onClick={() => download('csv')}>
              Download CSV
            </Button>
            <Button small disabled={saving.isRunning} onClick={() => download('jsonl')}>
              Download JSON Lines
            </Button>
          </>
        )}
        <Button small quiet onClick={onRemove}>
          {isOpen ? 'Cancel job' : 'Delete results'}
        </Button>
      </div>
    </div>
  );
}

interface ResultRow {
  line: number;
  reference: string;
  name: string;
  score: number | null;
  /** Score band; `problem` for a line without an answer. */
  band: string;
  verdict: ReturnType<typeof toVerdictDisplay> | null;
  problem: string;
  person: PersonValues | null;
}

const ROWS_SHOWN = 20;

function Results({ id, onOpen }: Pick<FileChecksProps, 'onOpen'> & { id: string }) {
  const [rows, setRows] = useState<ResultRow[] | null>(null);
  const [band, setBand] = useState('all');
  const [shown, setShown] = useState(ROWS_SHOWN);
  const { problem, run } = useAction();
  useEffect(() => {
    void run(async () => {
      const text = await (await getBlob(`/v1/jobs/${id}/results`)).text();
      setRows(text.split('\n').filter(Boolean).map(toRow));
    });
  }, [id]);
  if (!rows) return problem ? <ErrorNote problem={problem} /> : <ProgressBar label="Loading results" />;
  const count = (wanted: string) => rows.filter((row) => row.band === wanted).length;
  const options: Record<string, string> = {
    all: `All lines (${formatNumber(rows.length)})`,
    ...Object.fromEntries(
      BANDS.map((entry) => [entry, `${codeToWords(entry)} (${formatNumber(count(entry))})`]),
    ),
    problem: `Problems (${formatNumber(count('problem'))})`,
  };
  const filtered = rows.filter((row) => band === 'all' || row.band === band);
  return (
    <>
      <Select
        label="Show"
        value={band}
        options={options}
        onChange={(next) => (setBand(next), setShown(ROWS_SHOWN))}
      />
      <Table
        label="Results"
        rows={filtered.slice(0, shown)}
        keyOf={({ line }) => line}
        empty={['No lines', 'No line of the file has this result.']}
        columns={[
          { head: 'Line', end: true, isRowHead: true, cell: ({ line }) => formatNumber(line) },
          { head: 'Name', name: true, cell: ({ name, reference }) => name || reference },
          { head: 'Score', end: true, cell: ({ score }) => score ?? '' },
          {
            head: 'Result',
            cell: ({ verdict, problem: text }) =>
              verdict ? (
                <Badge tone={verdict.tone}>{verdict.label}</Badge>
              ) : (
                <span class="small">{text}</span>
              ),
          },
          { head: 'Reference', wide: true, name: true, cell: ({ reference }) => reference },
        ]}
        actions={({ line, person }) =>
          person ? <RowButton text="Open" label={`Open line ${line}`} onClick={() => onOpen(person)} /> : null
        }
      />
      {filtered.length > shown ? (
        <div class="more">
          <span class="faint small">{formatNumber(shown)} shown</span>
          <Button small onClick={() => setShown(shown + ROWS_SHOWN)}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  );
}

const BANDS = [...new Set(SCORE_BANDS.flatMap(({ band }) => band ?? []))];

function toRow(text: string): ResultRow {
  const { line, reference, answer, problem }: JobResult = JSON.parse(text);
  const row = { line, reference: reference ?? '' };
  if (!answer) {
    const why = [...(problem?.errors ?? []).map(({ detail }) => detail), problem?.detail ?? ''][0] ?? '';
    return { ...row, name: '', score: null, band: 'problem', verdict: null, problem: why, person: null };
  }
  const person = toPerson(answer);
  return {
    ...row,
    name: person.name,
    score: answer.trustworthiness_score,
    band: answer.status,
    verdict: toVerdictDisplay(answer),
    problem: '',
    person,
  };
}

function toPerson({ input_validation: fields }: CheckAnswer): PersonValues {
  const texts = (kind: 'email' | 'phone') => (fields[kind]?.inputs ?? []).map(({ input }) => String(input));
  return {
    name: String(fields.name.input ?? ''),
    emails: texts('email'),
    phones: texts('phone'),
    addresses: (fields.address?.inputs ?? []).map(({ input }) => ({
      street: input.line1,
      street2: input.line2,
      city: input.city,
      state: input.region,
      zip: input.postalCode,
      country: input.countryCode,
    })),
  };
}
