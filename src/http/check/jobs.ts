import type { H3Event } from 'h3';
import * as v from 'valibot';
import { getAccountOrKeyId, requirePlanOperation, requireScope } from '../../accounts/access.ts';
import type { Caller } from '../../accounts/model.ts';
import type { JobService } from '../../admin/operator-service.ts';
import {
  RESULT_OF_EMPTY_ROW,
  toTableCell,
  toCsv,
  createRowCheckResultWithError,
  toRowCheckResult,
} from '../../admin/wire.ts';
import { invalidRequestError } from '../../claim/parse.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import type { JobUpload } from '../../jobs/read.ts';
import { createUploadLimiter } from '../../jobs/uploads.ts';
import type { CheckEndpoint } from '../../model.ts';
import { authenticateWithoutConsumingLimits, type AuthDeps } from '../auth.ts';
import { type BodyFormat, readBody } from '../body.ts';
import { parseQueryParameters } from '../input.ts';
import { REQUEST_HEADER_SCHEMAS } from '../openapi/headers.ts';
import { declareRoute, JSON_BODY_ERROR_CODES, type Route } from '../openapi/operation.ts';
import { createNotFoundProblemError } from '../problems.ts';
import {
  createTextResponse,
  encodeTextsAsByteStream,
  getRequestContext,
  IDEMPOTENCY_REPLAYED_HEADER_PAIR,
  TEST_MODE_HEADER_PAIR,
} from '../response.ts';
import {
  jobFileContentSchema,
  jobIdSchema,
  jobListSchema,
  jobRequestSchema,
  jobResultSchema,
  jobSchema,
} from '../schema/jobs.ts';
import * as s from '../schema/builders.ts';
import { readIdempotencyKey } from './route.ts';

export interface JobsDeps extends AuthDeps {
  jobs: JobService;
}

/** Format of an uploaded job file by its media type. */
const FORMS: Record<string, JobUpload['form']> = {
  'application/json': 'requests',
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'any',
  'application/octet-stream': 'any',
};

const JOB_BODY: BodyFormat = { types: Object.keys(FORMS) as [string, ...string[]], kib: 16 * 1024 };

/** Maximum number of result downloads of one caller at the same time in one serving thread. They are not counted as calls. */
const MAX_DOWNLOADS_OF_CALLER = 2;

const createQuery = {
  endpoint: v.optional(
    s.oneOf(['validate', 'enhanced'], 'The check that each line gets; `validate` by default.'),
    'validate',
  ),
  ai: v.optional(s.boolean('True to explain, as for `POST /v1/validate`.'), false),
  name: v.optional(
    s.createFileNameSchema('Name of the file. Its ending tells the form of an `application/octet-stream`.'),
  ),
  sheet: v.optional(s.shortString('Sheet of a workbook; the first visible one by default.')),
  encoding: v.optional(s.shortString('Encoding of the text, such as `Shift_JIS`; detected by default.')),
};

const listQuery = {
  limit: v.optional(s.integerBetween(1, 500, 'Greatest number of jobs; 100 by default.'), 100),
  cursor: v.optional(s.string('`next` of the page before.', { max: 400 })),
};

const resultsQuery = {
  format: v.optional(
    s.oneOf(['jsonl', 'csv'], 'Form of the results; by default, that of the header `Accept`.'),
  ),
};

const ON_JOB = { tag: 'Checks', pathParts: { id: jobIdSchema } } as const;

export const JOB_ROUTES: Route<JobsDeps>[] = [
  declareRoute('POST /v1/jobs', 'createJob', {
    tag: 'Checks',
    summary: 'Check many people',
    about:
      'Up to 10,000 requests, or a file of people (CSV, JSON Lines or XLSX; 16 MiB). The checks are done in the background, one after another, and each counts as one call of the key. A rate limit slows the job down. Once the quota is used up and the plan blocks, the other lines get a problem with the status 429. With an `Idempotency-Key`, a retry answers the same job. Results are encrypted, and deleted a day after the end (setting `jobs`).',
    query: createQuery,
    headers: { 'Idempotency-Key': REQUEST_HEADER_SCHEMAS['Idempotency-Key'] },
    body: {
      schemas: [jobRequestSchema],
      examples: () => ({
        two: {
          summary: 'Two people',
          value: {
            requests: [
              { name: 'Ada Quill', emails: ['ada@example.com'], reference: 'seller-17' },
              { name: 'Ben Osei', phones: ['+1 415 555 0100'] },
            ],
          },
        },
      }),
      files: { schema: jobFileContentSchema, types: JOB_BODY.types.slice(1) },
    },
    answers: [
      {
        status: 202,
        about: 'The job is stored.',
        schemas: [jobSchema],
        headers: ['Bonafide-Mode', 'Idempotency-Replayed'],
      },
    ],
    errors: [
      'forbidden',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'overloaded',
      ...JSON_BODY_ERROR_CODES,
    ],
    handle: createJob,
  }),
  declareRoute('GET /v1/jobs', 'listJobs', {
    tag: 'Checks',
    summary: 'List your jobs',
    about: 'The jobs of your account, or of your key if it has no account.',
    query: listQuery,
    answers: [
      { status: 200, about: 'One page of your jobs.', schemas: [jobListSchema], headers: ['Bonafide-Mode'] },
    ],
    errors: ['forbidden', 'invalid_request', 'overloaded'],
    async handle(event, { jobs, ...deps }) {
      const caller = await authenticateJobs(event, deps);
      const { items, next } = await jobs
        .list(caller, parseQueryParameters(event.url, listQuery))
        .catch(toListProblem);
      return answer(event, caller, { jobs: items, next });
    },
  }),
  declareRoute('GET /v1/jobs/:id', 'showJob', {
    ...ON_JOB,
    summary: 'Show a job',
    about: 'Its state and progress, and how the columns of its file were read.',
    answers: [{ status: 200, about: 'The job.', schemas: [jobSchema], headers: ['Bonafide-Mode'] }],
    errors: ['forbidden', 'not_found', 'overloaded'],
    async handle(event, { jobs, ...deps }) {
      const caller = await authenticateJobs(event, deps);
      return answer(event, caller, requireJob(await jobs.show(caller, getId(event))));
    },
  }),
  declareRoute('GET /v1/jobs/:id/results', 'readJobResults', {
    ...ON_JOB,
    summary: 'Read the results of a job',
    about:
      'A line of JSON for each line that is done, in the order of the file: `answer` is the answer of the check, `problem` an error. As CSV, the columns are those of `bonafide check --file`.',
    query: resultsQuery,
    answers: [
      {
        status: 200,
        about: 'The results so far.',
        lines: jobResultSchema,
        types: ['text/csv'],
        headers: ['Bonafide-Mode'],
      },
    ],
    errors: ['forbidden', 'not_found', 'invalid_request', 'overloaded'],
    async handle(event, { jobs, ...deps }) {
      const caller = await authenticateJobs(event, deps);
      const { format } = parseQueryParameters(event.url, resultsQuery);
      requireJob(await jobs.show(caller, getId(event)));
      const isCsv =
        (format ?? (event.req.headers.get('accept')?.includes('text/csv') ? 'csv' : 'jsonl')) === 'csv';
      const { pairs } = createTextResponse(getRequestContext(event), '', {
        type: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        headers: caller.test ? [TEST_MODE_HEADER_PAIR] : [],
      });
      const owner = getAccountOrKeyId(caller);
      const own = [...downloading.values()].filter((other) => other === owner);
      if (own.length >= MAX_DOWNLOADS_OF_CALLER)
        throw new BonafideError(
          'overloaded',
          'Too many downloads of results are in progress. Try again when one has ended.',
          { retryAfterMs: 1000 },
        );
      const onEnd = trackDownload(event, owner);
      const results = jobs.results(caller, getId(event));
      const texts = isCsv ? toCsvTexts(results) : toJsonTexts(results);
      return new Response(encodeTextsAsByteStream(texts, onEnd), { headers: pairs });
    },
  }),
  declareRoute('DELETE /v1/jobs/:id', 'deleteJob', {
    ...ON_JOB,
    summary: 'Delete a job',
    about:
      'Ends the job if it has not ended, and deletes it with its requests and results. Checks that were done stay counted.',
    answers: [
      {
        status: 200,
        about: 'The job as it was; `cancelled` if it had not ended.',
        schemas: [jobSchema],
        headers: ['Bonafide-Mode'],
      },
    ],
    errors: ['forbidden', 'not_found', 'overloaded'],
    async handle(event, { jobs, ...deps }) {
      const caller = await authenticateJobs(event, deps);
      return answer(event, caller, requireJob(await jobs.delete(caller, getId(event))));
    },
  }),
];

/** Takes a slot for a request whose job body is being read in this serving thread. */
const takeSlot = createUploadLimiter();
/** Requests to which job results are being sent, each with the owner of the job (account or API key). */
const downloading = new Map<H3Event, string>();

/** Counts a download of results as in progress. Returns the function that ends it, which also runs when the connection is closed. */
function trackDownload(event: H3Event, owner: string): () => void {
  // The response is not told of the closed connection while it waits for an earlier response of the connection.
  const socket = event.runtime?.node?.req.socket;
  const end = () => {
    downloading.delete(event);
    socket?.off('close', end);
  };
  downloading.set(event, owner);
  socket?.once('close', end);
  if (socket?.destroyed) end();
  return end;
}

async function createJob(event: H3Event, { jobs, ...deps }: JobsDeps): Promise<Response> {
  const caller = await authenticateJobs(event, deps);
  const query = parseQueryParameters(event.url, createQuery);
  const { endpoint: operation, ai, name = null, sheet, encoding } = query;
  const endpoint: CheckEndpoint = operation === 'validate' && ai ? 'validate_ai' : operation;
  requirePlanOperation(caller, endpoint);
  const issues: ValidationIssue[] = [];
  const idempotencyKey = readIdempotencyKey(event.req.headers, issues);
  if (issues.length > 0) throw invalidRequestError(issues);
  const slot = takeSlot({ owner: getAccountOrKeyId(caller), idempotencyKey });
  try {
    const bytes = await readBody(event, JOB_BODY, slot.add);
    const [type = ''] = (event.req.headers.get('content-type') ?? '').split(';');
    const form = FORMS[type.trim().toLowerCase()] ?? 'any';
    const target = event.url.pathname + event.url.search;
    const { job, isReplay } = await jobs.create({
      caller,
      endpoint,
      upload: { bytes, form, name: name?.trim() || null, sheet, encoding },
      idempotency: idempotencyKey === null ? null : { key: idempotencyKey, target },
    });
    return answer(event, caller, job, {
      status: 202,
      headers: isReplay ? [IDEMPOTENCY_REPLAYED_HEADER_PAIR] : [],
    });
  } finally {
    slot.release();
  }
}

async function authenticateJobs(event: H3Event, deps: AuthDeps): Promise<Caller> {
  const caller = await authenticateWithoutConsumingLimits(event, deps);
  requireScope(caller, 'validate');
  return caller;
}

const getId = (event: H3Event): string => event.context.params?.id ?? '';

function requireJob<T>(job: T | null): T {
  if (job) return job;
  throw createNotFoundProblemError('You have no job with this id. List your jobs with GET /v1/jobs.');
}

/** Throws an error of listing jobs again: as invalid_request if the cursor is invalid, otherwise unchanged. */
function toListProblem(error: unknown): never {
  if (error instanceof BonafideError && error.code === 'invalid_arguments')
    throw invalidRequestError(error.details.issues ?? []);
  throw error;
}

function answer(
  event: H3Event,
  { test }: Caller,
  body: object,
  { status = 200, headers = [] as [string, string][] } = {},
): Response {
  return createTextResponse(getRequestContext(event), JSON.stringify(body), {
    status,
    headers: [...(test ? [TEST_MODE_HEADER_PAIR] : []), ...headers],
  });
}

async function* toJsonTexts(parts: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const lines of parts) yield `${lines.join('\n')}\n`;
}

const CSV_COLUMNS = ['line', 'reference', 'http_status', ...Object.keys(RESULT_OF_EMPTY_ROW)];

async function* toCsvTexts(parts: AsyncIterable<string[]>): AsyncGenerator<string> {
  yield `${toCsv([CSV_COLUMNS])}\r\n`;
  for await (const lines of parts) yield `${toCsv(lines.map(toCsvRow))}\r\n`;
}

function toCsvRow(text: string): (string | number)[] {
  const { line, reference = null, left_out = [], status, answer: check, problem } = JSON.parse(text);
  const result = check
    ? toRowCheckResult(check)
    : createRowCheckResultWithError(`${problem.code}: ${listDetails(problem).join(' ')}`, problem.request_id);
  return [line, reference ?? '', status, ...Object.values({ ...result, left_out }).map(toTableCell)];
}

/** Returns a sentence for each broken rule of a problem; if it names no rules, its detail. */
const listDetails = ({ detail, errors = [] }: { detail: string; errors?: ValidationIssue[] }): string[] =>
  errors.length === 0
    ? [detail]
    : errors.map((error) => (error.pointer === '' ? error.detail : `${error.pointer}: ${error.detail}`));
