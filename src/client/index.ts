// The typed client, published as `bonafide/client`.
//     const bonafide = createClient({ url: 'http://127.0.0.1:8787', key: 'bf_live_…' });
//     const { trustworthiness_score } = await bonafide.validate({ name: 'Bob Hale', emails: ['bob@example.com'] });
import type * as v from 'valibot';
import type {
  callWithOutcomeSchema,
  reportedOutcomeSchema,
  usageSchema,
  putRecordsResultSchema,
} from '../http/schema/calls.ts';
import type {
  checkAnswerSchema,
  checkAnswerV2Schema,
  enhancedCheckAnswerSchema,
  enhancedCheckAnswerV2Schema,
} from '../http/schema/check.ts';
import type { jobListSchema, jobResultSchema, jobSchema } from '../http/schema/jobs.ts';
import type { checkRequestSchema, legacyCheckRequestSchema } from '../http/schema/request.ts';
import type {
  deletedWatchSchema,
  watchEventPageSchema,
  watchEventSchema,
  watchPageSchema,
  watchRequestSchema,
  watchSchema,
} from '../http/schema/watches.ts';
import { sendWithRetries, type SendOptions } from './send.ts';

export { BonafideApiError } from './send.ts';
export type { ApiErrorCode, ApiIssue } from './send.ts';

/** Request of a check: a name, and contacts that may belong to this person. */
export type CheckRequest = v.InferInput<typeof checkRequestSchema>;
/** Request of a check in the legacy shape. */
export type LegacyCheckRequest = v.InferInput<typeof legacyCheckRequestSchema>;

/** Answer of a check in version 1, the default. */
export type Check = v.InferOutput<typeof checkAnswerSchema>;
/** Answer of a check in version 2. */
export type CheckV2 = v.InferOutput<typeof checkAnswerV2Schema>;
/** Answer of an enhanced check in version 1, the default. */
export type EnhancedCheck = v.InferOutput<typeof enhancedCheckAnswerSchema>;
/** Answer of an enhanced check in version 2. */
export type EnhancedCheckV2 = v.InferOutput<typeof enhancedCheckAnswerV2Schema>;
export type EarlierCall = v.InferOutput<typeof callWithOutcomeSchema>;
export type Outcome = v.InferOutput<typeof reportedOutcomeSchema>;
/** Result of adding records to the graph: number of records, and the unusable lines. */
export type RecordsTaken = v.InferOutput<typeof putRecordsResultSchema>;
export type Usage = v.InferOutput<typeof usageSchema>;
export type Job = v.InferOutput<typeof jobSchema>;
/** One page of your jobs. */
export type JobPage = v.InferOutput<typeof jobListSchema>;
/** Result of one line of a job. */
export type JobResult = v.InferOutput<typeof jobResultSchema>;

/** Person to watch, and what to report. */
export type WatchRequest = v.InferInput<typeof watchRequestSchema>;
export type Watch = v.InferOutput<typeof watchSchema>;
export type DeletedWatch = v.InferOutput<typeof deletedWatchSchema>;
/** One page of your watches. */
export type WatchPage = v.InferOutput<typeof watchPageSchema>;
export type WatchEvent = v.InferOutput<typeof watchEventSchema>;
/** Your events after a cursor. */
export type EventPage = v.InferOutput<typeof watchEventPageSchema>;

/** Request of a check in a job, with an optional reference, which the result repeats. */
export type JobRequest = (CheckRequest | LegacyCheckRequest) & { reference?: string };

/** File of people, as text or bytes. */
export interface JobFile {
  content: string | Uint8Array;
  /** Media type of the file. Default: `application/octet-stream`, with automatic detection of the format. */
  type?: string;
  /** File name. Its extension shows the format. */
  name?: string;
}

export interface JobOptions {
  /** Endpoint of the check for each line. Default: `validate`. */
  endpoint?: 'validate' | 'enhanced';
  /** True to add an explanation of the score to each answer. */
  ai?: boolean;
  /** Idempotency key of the job; by default a new one. If you set it, a retry from another process creates no second job. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Jobs: many checks that the server runs in the background. All functions can fail with BonafideApiError. */
export interface JobsClient {
  /** Creates a job from requests or a file. */
  create(lines: Iterable<JobRequest> | JobFile, options?: JobOptions): Promise<Job>;
  list(page?: { limit?: number; cursor?: string }, options?: SignalOption): Promise<JobPage>;
  show(jobId: string, options?: SignalOption): Promise<Job>;
  /** Returns the results of the finished lines, in the order of the file. */
  results(jobId: string, options?: SignalOption): Promise<JobResult[]>;
  /** Stops a job, and deletes it with its results. */
  delete(jobId: string, options?: SignalOption): Promise<Job>;
}

/** Response version of a check. */
export type Version = 'v1' | 'v2';
export type CheckOf<V extends Version> = V extends 'v2' ? CheckV2 : Check;
export type EnhancedOf<V extends Version> = V extends 'v2' ? EnhancedCheckV2 : EnhancedCheck;

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8787`. */
  url: string;
  key: string;
  /** Number of retries after a temporary error; 2 by default. A call is counted once, even with retries. */
  retries?: number;
  /** Time limit of each attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number;
  /** Replacement for the runtime's `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions<V extends Version = 'v1'> {
  /** Response version; `v1` by default. */
  version?: V;
  /** Idempotency key of the call; by default a new one. If you set it, a retry from another process is not counted again. */
  idempotencyKey?: string;
  /** W3C trace context (`traceparent`) of the calling operation. */
  traceparent?: string;
  signal?: AbortSignal;
}

type SignalOption = Pick<CallOptions, 'signal'>;

/** Client for one server with one API key. It need not be closed. */
export interface Client {
  /** Checks a person. With `ai`, the answer explains the score. Errors: BonafideApiError. */
  validate<V extends Version = 'v1'>(
    request: CheckRequest | LegacyCheckRequest,
    options?: CallOptions<V> & { ai?: boolean },
  ): Promise<CheckOf<V>>;
  /** Checks a person. The answer also has a narrative, fraud patterns and a comparison of names. Errors: BonafideApiError. */
  validateEnhanced<V extends Version = 'v1'>(
    request: CheckRequest | LegacyCheckRequest,
    options?: CallOptions<V>,
  ): Promise<EnhancedOf<V>>;
  /** Returns one of your earlier calls. Errors: BonafideApiError, with the code `not_found` for an unknown id. */
  request(requestId: string, options?: SignalOption): Promise<EarlierCall>;
  /**
   * Stores if the person of an earlier call was genuine; replaces an earlier value. Errors: BonafideApiError, with the code `not_found` for an
   * unknown id.
   */
  outcome(requestId: string, genuine: boolean, options?: SignalOption): Promise<Outcome>;
  /**
   * Adds or replaces at most 1,000 records in the graph; removes records with `deleted`. Needs an API key with the scope `admin`. `source` is the
   * default source of the records. Errors: BonafideApiError.
   */
  putRecords(records: Iterable<object>, options?: SignalOption & { source?: string }): Promise<RecordsTaken>;
  /** Returns your usage in a month such as `2026-11`; by default in the current month. Errors: BonafideApiError. */
  usage(month?: string, options?: SignalOption): Promise<Usage>;
  jobs: JobsClient;
  watches: WatchesClient;
  /** Returns your events after a cursor, oldest first. Errors: BonafideApiError. */
  events(page?: { after?: string; limit?: number }, options?: SignalOption): Promise<EventPage>;
}

/** Watches. All functions can fail with BonafideApiError. */
export interface WatchesClient {
  /** Checks a person, and creates a watch. `requestId` can name an earlier call about this person. */
  create(
    request: WatchRequest,
    options?: Pick<CallOptions, 'signal' | 'idempotencyKey'> & { requestId?: string },
  ): Promise<Watch>;
  list(page?: { limit?: number; cursor?: string }, options?: SignalOption): Promise<WatchPage>;
  show(watchId: string, options?: SignalOption): Promise<Watch>;
  delete(watchId: string, options?: SignalOption): Promise<DeletedWatch>;
}

/** Creates a client for one server and one API key. */
export function createClient(options: ClientOptions): Client {
  const { key, retries = 2, timeoutMs = 30_000, fetch } = options;
  const base = options.url.replace(/\/+$/, '');
  const call = <T>(
    path: string,
    {
      headers,
      ...rest
    }: Pick<SendOptions, 'method' | 'body' | 'signal' | 'isJsonLines'> &
      Partial<Pick<SendOptions, 'headers'>>,
  ) =>
    sendWithRetries<T>({
      retries,
      timeoutMs,
      fetch,
      url: base + path,
      headers: { 'x-api-key': key, ...headers },
      ...rest,
    });
  const check = <T>(path: string, body: object, { signal, ...options }: CallOptions<Version>) =>
    call<T>(path, { method: 'POST', headers: checkHeaders(options), body, signal });
  const requestPath = (id: string) => `/v1/requests/${encodeURIComponent(id)}`;
  return {
    validate: (request, { ai = false, ...options } = {}) =>
      check(`/v1/validate${ai ? '?ai=true' : ''}`, request, options),
    validateEnhanced: (request, options = {}) => check('/v1/validate/enhanced', request, options),
    request: (requestId, { signal } = {}) => call(requestPath(requestId), { method: 'GET', signal }),
    outcome: (requestId, genuine, { signal } = {}) =>
      call(`${requestPath(requestId)}/outcome`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: { genuine },
        signal,
      }),
    putRecords: (records, { source, signal } = {}) =>
      call(`/admin/v1/records${toQuery({ source })}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: Array.from(records, (record) => `${JSON.stringify(record)}\n`).join(''),
        signal,
      }),
    usage: (month, { signal } = {}) => call(`/v1/usage${toQuery({ month })}`, { method: 'GET', signal }),
    jobs: {
      create: (lines, { endpoint, ai, idempotencyKey = crypto.randomUUID(), signal } = {}) => {
        const { content, type, name } = toJobBody(lines);
        return call(`/v1/jobs${toQuery({ endpoint, ai: ai ? 'true' : undefined, name })}`, {
          method: 'POST',
          headers: { 'content-type': type, 'idempotency-key': toOneKey(idempotencyKey) },
          body: content,
          signal,
        });
      },
      list: ({ limit, cursor } = {}, { signal } = {}) =>
        call(`/v1/jobs${toQuery({ limit: limit?.toString(), cursor })}`, { method: 'GET', signal }),
      show: (jobId, { signal } = {}) => call(jobPath(jobId), { method: 'GET', signal }),
      results: (jobId, { signal } = {}) =>
        call(`${jobPath(jobId)}/results`, { method: 'GET', isJsonLines: true, signal }),
      delete: (jobId, { signal } = {}) => call(jobPath(jobId), { method: 'DELETE', signal }),
    },
    watches: {
      create: (request, { requestId, signal, ...options } = {}) =>
        call(requestId === undefined ? '/v1/watches' : `${requestPath(requestId)}/watch`, {
          method: 'POST',
          headers: checkHeaders(options),
          body: request,
          signal,
        }),
      list: ({ limit, cursor } = {}, { signal } = {}) =>
        call(`/v1/watches${toQuery({ limit: limit?.toString(), cursor })}`, { method: 'GET', signal }),
      show: (watchId, { signal } = {}) => call(watchPath(watchId), { method: 'GET', signal }),
      delete: (watchId, { signal } = {}) => call(watchPath(watchId), { method: 'DELETE', signal }),
    },
    events: ({ after, limit } = {}, { signal } = {}) =>
      call(`/v1/events${toQuery({ after, limit: limit?.toString() })}`, { method: 'GET', signal }),
  };
}

const watchPath = (id: string) => `/v1/watches/${encodeURIComponent(id)}`;
const jobPath = (id: string) => `/v1/jobs/${encodeURIComponent(id)}`;

/** Creates the body of a job request, with its media type and file name. */
function toJobBody(
  lines: Iterable<JobRequest> | JobFile,
): Required<Omit<JobFile, 'name'>> & { name?: string } {
  if ('content' in lines) return { type: 'application/octet-stream', ...lines };
  return { content: JSON.stringify({ requests: [...lines] }), type: 'application/json' };
}

const JSON_TYPE = { 'content-type': 'application/json' };

const toQuery = (parameters: Record<string, string | undefined>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .map((parameter, i) => `${i === 0 ? '?' : '&'}${parameter}`)
    .join('');

function checkHeaders({ version, idempotencyKey = crypto.randomUUID(), traceparent }: CallOptions<Version>) {
  return {
    ...JSON_TYPE,
    'idempotency-key': toOneKey(idempotencyKey),
    ...(version ? { 'accept-version': version } : {}),
    ...(traceparent ? { traceparent } : {}),
  };
}

/** Formats an API key as header value. A key with a comma is quoted, because the server would read two keys. */
const toOneKey = (key: string) => (key.includes(',') && !key.startsWith('"') ? JSON.stringify(key) : key);
