// Reads the body of a new job: check requests in JSON, or a file of people. Runs in a separate thread with limited memory, because the file may be
// hostile.
import { workerData } from 'node:worker_threads';
import { isObject, MAX_CHECK_REQUEST_JSON_NODES, parseJsonObject } from '../claim/json.ts';
import { invalidRequestError } from '../claim/parse.ts';
import { isReference, REFERENCE_MESSAGE } from '../claim/rules.ts';
import { BonafideError, type ValidationIssue, resultOr } from '../errors.ts';
import { requireNameColumn } from '../import/columns/columns.ts';
import type { TableColumn } from '../import/columns/headers.ts';
import { hideHeadersThatMayBeData } from '../import/columns/map.ts';
import { isTotalsOrLayoutRow } from '../import/columns/persons.ts';
import { INPUT_LIMITS, isJsonNestedTooDeep } from '../import/formats/limits.ts';
import { CsvReader, type CsvRow } from '../import/input/csv.ts';
import { openTextInput } from '../import/input/input.ts';
import type { TextLine } from '../import/input/lines.ts';
import { splitObjectOfRecords } from '../import/input/objects/objects.ts';
import { type ObjectRequest, ObjectRequestReader } from '../import/input/objects/requests.ts';
import { createCheckRequestFromRow } from '../import/input/request.ts';
import { SAMPLED_ROW_COUNT, type WorkbookSheets } from '../import/settings.ts';
import { serveThreadCalls } from '../platform/threads/calls.ts';
import { lowerThreadPriority } from '../platform/threads/priority.ts';
import type { JobPart } from '../store/serving/jobs.ts';
import {
  createJobCipher,
  type JobFileColumn,
  type JobLine,
  type JobLineProblem,
  JOB_LINES_PER_STORED_PART,
  MAX_JOB_LINES,
} from './job.ts';

/** Body of a request that creates a job. */
export interface JobUpload {
  bytes: Uint8Array;
  /** Format of the body: `requests` for `{"requests": […]}`; `csv`; `jsonl`; or `any`, for which the format is detected. */
  form: 'requests' | 'csv' | 'jsonl' | 'any';
  /** Name of the file, by which its format is detected; null if unknown. */
  name: string | null;
  /** Name of the sheet of a workbook. Default: the first visible sheet. */
  sheet?: string | undefined;
  /** Encoding of the text. Default: it is detected. */
  encoding?: string | undefined;
  /** ISO country for phones without a country code in a file. Default: none. */
  region?: string | undefined;
}

interface EncryptedJob {
  total: number;
  details: Uint8Array;
  requests: JobPart[];
}

export type JobReaderOperations = {
  /** Loads what every file needs. */
  start: (input: undefined) => Promise<void>;
  read: (upload: JobUpload) => Promise<EncryptedJob>;
};

/** File whose reading loads the tables of names, headers and countries. */
const FIRST_FILE = 'name,email,phone,address\nAnn Lee,ann@example.com,+1 415 555 0100,"1 Elm St, Reno"\n';

/** Reads the lines of a job and encrypts them under the secret. Errors: those of `readJobLines`. */
async function readJob(upload: JobUpload, secret: string): Promise<EncryptedJob> {
  const cipher = createJobCipher(secret);
  const { lines, columns } = await readJobLines(upload);
  const requests: JobPart[] = [];
  for (let first = 0; first < lines.length; first += JOB_LINES_PER_STORED_PART) {
    const part = lines.slice(first, first + JOB_LINES_PER_STORED_PART);
    requests.push({ first, lines: part.length, sealed: cipher.seal(part) });
  }
  return { total: lines.length, details: cipher.seal({ name: upload.name, columns }), requests };
}

/**
 * Reads the lines of a job, and for a table also its columns. Returns an unusable line with its error in `problem`. Errors: invalid_json;
 * invalid_request for an unreadable file, whose `issues` name the line.
 */
export async function readJobLines(
  upload: JobUpload,
): Promise<{ lines: JobLine[]; columns: JobFileColumn[] }> {
  if (upload.form === 'requests') return { lines: readRequests(upload.bytes), columns: [] };
  try {
    return await readFile(upload);
  } catch (error) {
    if (!(error instanceof BonafideError) || !FILE_ERRORS.has(error.code)) throw error;
    throw refuseFile('unreadable_file', toCallerText(error.message));
  }
}

const FILE_ERRORS = new Set<string>(['unreadable_file', 'invalid_arguments']);

/** Replaces command-line options in an error message about a file by the query parameters of the API, because API callers receive the message. */
const toCallerText = (message: string) =>
  (message.split(' Map the right column to it')[0] ?? '')
    .replaceAll(', then import the new file', ', then send the new file')
    .replaceAll(', then repeat the import', ', then send it again')
    .replace(/--(sheet|encoding)(?: (\w+))?/g, (_, option, value = 'NAME') => `?${option}=${value}`);

/**
 * Creates the error for a file or a list of requests that cannot become a job. `pointer` is the JSON Pointer to the request that is wrong; empty for
 * a file.
 */
const refuseFile = (code: string, detail: string, pointer = '') =>
  new BonafideError('invalid_request', 'The job has one error; see `errors`.', {
    issues: [{ pointer, code, detail }],
  });

const tooManyLinesError = (pointer: string, line?: number) =>
  refuseFile(
    'too_many',
    `${line === undefined ? '' : `Line ${line}: `}A job has at most ${MAX_JOB_LINES} lines. Send several jobs.`,
    pointer,
  );
const noLinesError = (pointer: string) =>
  refuseFile('empty', 'The job has no line with a person to check.', pointer);

/** Maximum number of JSON values (fields, lists and objects) in all requests of a job: 50 per line, more than any real request has. */
const MAX_PARTS = 50 * MAX_JOB_LINES;

function readRequests(bytes: Uint8Array): JobLine[] {
  const { value, issues } = parseJsonObject(bytes, MAX_PARTS);
  const { requests, ...more } = value;
  if (Object.keys(more).length > 0)
    issues.push({ pointer: '', code: 'unknown_field', detail: 'The only field here is `requests`.' });
  if (!Array.isArray(requests))
    issues.push({
      pointer: '/requests',
      code: requests === undefined ? 'missing_field' : 'wrong_type',
      detail: 'The field `requests` must be a list of bodies of checks.',
    });
  if (issues.length > 0) throw invalidRequestError(issues);
  const list = requests as unknown[];
  if (list.length === 0) throw noLinesError('/requests');
  if (list.length > MAX_JOB_LINES) throw tooManyLinesError('/requests');
  return list.map((body, i) => toLine(i + 1, body));
}

async function readFile(upload: JobUpload): Promise<{ lines: JobLine[]; columns: JobFileColumn[] }> {
  const { bytes, form, sheet, encoding, region } = upload;
  // The media type of the body decides the format, not the ending of the file name.
  const name = form === 'any' ? (upload.name ?? 'file') : `${upload.name ?? 'file'}.${form}`;
  const {
    lines: input,
    format,
    form: sheets,
  } = await openTextInput(inParts(bytes), name, { sheet, encoding });
  const batches = boundLines(input);
  const columns: JobFileColumn[] = [];
  const rows =
    format === 'csv'
      ? readTable(batches, { ...upload, sheets }, columns)
      : readJsonLines(batches, { name, region }, columns);
  const lines: JobLine[] = [];
  for await (const line of rows) {
    if (lines.length === MAX_JOB_LINES) throw tooManyLinesError('', line.line);
    lines.push(line);
  }
  if (lines.length === 0) throw noLinesError('');
  return { lines, columns };
}

/** Maximum number of text lines in a file, including empty lines. */
const MAX_TEXT_LINES = 20 * MAX_JOB_LINES;

/**
 * Yields the batches of lines unchanged. Throws if the file has too many text lines: a small compressed file may contain a thousand million empty
 * lines.
 */
async function* boundLines(batches: AsyncIterable<TextLine[]>): AsyncGenerator<TextLine[]> {
  for await (const lines of batches) {
    const { line = 0 } = lines.at(-1) ?? {};
    if (line > MAX_TEXT_LINES)
      throw refuseFile('too_many', `The file has more than ${MAX_TEXT_LINES} lines. Send several jobs.`);
    yield lines;
  }
}

/** Yields a request body in small parts, so that limits are enforced before the whole body is split into lines. */
async function* inParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
const PART_BYTES = 64 * 1024;

async function* readJsonLines(
  batches: AsyncIterable<TextLine[]>,
  settings: { name: string; region: string | undefined },
  columns: JobFileColumn[],
): AsyncGenerator<JobLine> {
  const reader = new ObjectRequestReader<Pick<JobLine, 'line' | 'reference'>>(settings, (chosen) =>
    columns.push(...chosen),
  );
  for await (const lines of batches)
    for (const { line, element = line, text, problem } of lines) {
      if (problem !== undefined) throw badLineError(line, problem);
      if (text.trim() === '') continue;
      if (isJsonNestedTooDeep(text))
        throw badLineError(line, `the line is nested more than ${INPUT_LIMITS.nesting} levels deep`);
      const value = splitReference(
        element,
        resultOr(() => JSON.parse(text), undefined),
      );
      if ('problem' in value) {
        yield* reader.end().map(toJobLine);
        yield value;
      } else
        for (const object of splitObjectOfRecords(value.fields))
          yield* reader.add(line, object, { line: value.line, reference: value.reference }).map(toJobLine);
    }
  yield* reader.end().map(toJobLine);
}

/** Converts the request of an object to a job line. */
function toJobLine({
  item,
  request,
  problem = '',
  leftOut,
}: ObjectRequest<Pick<JobLine, 'line' | 'reference'>>): JobLine {
  if (!request) return { ...item, problem: toProblem(`${problem}.`, 'unreadable_line') };
  const broken = findBrokenBound(request);
  if (broken) return { ...item, problem: broken };
  return { ...item, request, ...(leftOut.length > 0 && { leftOut }) };
}

/** Creates the error for a line that shows that the whole file is damaged or hostile. */
const badLineError = (line: number, problem: string) =>
  refuseFile('unreadable_line', `Line ${line}: ${problem}.`);

async function* readTable(
  batches: AsyncIterable<TextLine[]>,
  upload: Pick<JobUpload, 'name' | 'region'> & { sheets: WorkbookSheets },
  columns: JobFileColumn[],
): AsyncGenerator<JobLine> {
  const { name, sheets } = { ...upload, name: upload.name ?? 'The file' };
  let table: { columns: (TableColumn | null)[]; headers: string[] } = { columns: [], headers: [] };
  const reader = new CsvReader(
    { name, labels: [REFERENCE], sampled: SAMPLED_ROW_COUNT },
    (headers, chosen) => {
      requireNameColumn(headers, chosen, { name, sheets });
      const fields = chosen.map((column) => column?.field ?? null);
      table = { columns: chosen, headers: hideHeadersThatMayBeData(headers, fields) };
      for (const [i, header] of table.headers.entries()) {
        const isReference = headers[i]?.toLowerCase() === REFERENCE;
        columns.push(
          isReference ? { header: REFERENCE, field: REFERENCE } : { header, field: fields[i] ?? null },
        );
      }
    },
  );
  const toLines = (rows: CsvRow[]) => rows.flatMap((row) => fromRow(row, table, upload.region) ?? []);
  for await (const lines of batches) {
    const bad = lines.find(({ problem }) => problem !== undefined);
    if (bad) throw badLineError(bad.line, bad.problem ?? '');
    yield* toLines(reader.push(lines));
  }
  yield* toLines(reader.end());
}

const REFERENCE = 'reference';

/** Converts a table row to a job line; null for a row without a person: empty, or with totals. */
function fromRow(
  { line, cells = [], raw, labels = {}, problem }: CsvRow,
  table: { columns: (TableColumn | null)[]; headers: string[] },
  region?: string,
): JobLine | null {
  const isSkipped = cells.every((cell) => cell.trim() === '') || isTotalsOrLayoutRow(cells);
  if (isSkipped && problem === undefined) return null;
  const refuse = (detail: string) => ({
    line,
    reference: null,
    problem: toProblem(detail, 'unreadable_line'),
  });
  if (problem !== undefined || !raw) return refuse(problem ?? 'the row cannot be read');
  const { reference } = labels;
  const { request, leftOut } = createCheckRequestFromRow(raw, { cells, ...table }, region);
  const jobLine = toLine(line, { ...request, ...(reference !== undefined && { reference }) });
  return leftOut.length > 0 ? { ...jobLine, leftOut } : jobLine;
}

/** Converts one JSON value, which is the body of a check call with a reference, to a job line. */
function toLine(line: number, value: unknown): JobLine {
  const split = splitReference(line, value);
  if ('problem' in split) return split;
  return toJobLine({ item: { line, reference: split.reference }, request: split.fields, leftOut: [] });
}

/** Separates the reference of a JSON value from its other fields. Returns a line with a problem for a value that is no object. */
function splitReference(
  line: number,
  value: unknown,
):
  | { line: number; reference: string | null; fields: Record<string, unknown> }
  | (JobLine & { problem: JobLineProblem }) {
  const refuse = (problem: JobLineProblem) => ({ line, reference: null, problem });
  if (!isObject(value)) return refuse(toProblem('The line is not a JSON object.', 'wrong_type'));
  const { reference = null, ...fields } = value;
  if (isReference(reference)) return { line, reference, fields };
  return refuse(toProblem(REFERENCE_MESSAGE, 'invalid_reference', '/reference'));
}

/** Maximum size of the request body of one check call, in bytes. */
const MAX_REQUEST_BYTES = 64 * 1024;

/** Returns the error of a request that is too large for a check call; null for any other request. */
function findBrokenBound(request: Record<string, unknown>): JobLineProblem | null {
  const bytes = Buffer.from(JSON.stringify(request));
  if (bytes.length > MAX_REQUEST_BYTES)
    return { status: 413, code: 'body_too_large', detail: 'The request has more than 64 KiB.' };
  try {
    parseJsonObject(bytes, MAX_CHECK_REQUEST_JSON_NODES);
    return null;
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { status: 422, code: 'invalid_request', detail: error.message, errors: error.details.issues };
  }
}

function toProblem(detail: string, code: string, pointer = ''): JobLineProblem {
  const errors: ValidationIssue[] = [{ pointer, code, detail }];
  return { status: 422, code: 'invalid_request', detail: 'The request has one error; see `errors`.', errors };
}

if (isJobReaderData(workerData)) {
  const { jobSecret } = workerData;
  lowerThreadPriority();
  const loading = readJobLines({ bytes: Buffer.from(FIRST_FILE), form: 'csv', name: null });
  serveThreadCalls(async (name, upload) => {
    if (name === 'read') return readJob(upload as JobUpload, jobSecret);
    await loading;
    return undefined;
  });
}

function isJobReaderData(data: unknown): data is { jobSecret: string } {
  return isObject(data) && 'jobSecret' in data;
}
