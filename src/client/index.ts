// The typed client, published as `bonafide/client`.
//     const bonafide = createClient({ url: 'http://127.0.0.1:8787', key: 'bf_live_…' });
//     const { trustworthiness_score } = await bonafide.validate({ name: 'Bob Hale', emails: ['bob@example.com'] });
import { send } from './send.ts';
import type { Sending } from './send.ts';
import type {
  CheckOf,
  CheckRequest,
  EarlierCall,
  EnhancedOf,
  LegacyCheckRequest,
  Outcome,
  RecordsTaken,
  Usage,
  Version,
} from './types.ts';

export { BonafideApiError } from './errors.ts';
export type { ApiErrorCode, ApiIssue } from './errors.ts';
export type * from './types.ts';

export interface ClientOptions {
  /** Of the server: `http://127.0.0.1:8787`. */
  url: string;
  key: string;
  /** How often a call is sent again where that can help; 2 unless set. It counts once all the same. */
  retries?: number;
  /** How long one try may take; 30 s unless set. */
  timeoutMs?: number;
  /** In place of the runtime's own. */
  fetch?: typeof fetch;
}

export interface CallOptions<V extends Version = 'v1'> {
  /** The version of the answer's shape. */
  version?: V;
  /** One of your own, so that a retry of another process is the same call; made for each call otherwise. */
  idempotencyKey?: string;
  /** A W3C trace context that the call belongs to. */
  traceparent?: string;
  signal?: AbortSignal;
}

export interface Client {
  /** A check; with `ai` it is explained. Errors: BonafideApiError. */
  validate<V extends Version = 'v1'>(
    request: CheckRequest | LegacyCheckRequest,
    options?: CallOptions<V> & { ai?: boolean },
  ): Promise<CheckOf<V>>;
  /** A check with narrative, fraud patterns and a comparison of the names. Errors: BonafideApiError. */
  validateEnhanced<V extends Version = 'v1'>(
    request: CheckRequest | LegacyCheckRequest,
    options?: CallOptions<V>,
  ): Promise<EnhancedOf<V>>;
  /** One of your earlier calls. Errors: BonafideApiError, `not_found` among its codes. */
  request(requestId: string, options?: Pick<CallOptions, 'signal'>): Promise<EarlierCall>;
  /** Tells how one of your calls turned out; told again, the last one stands. Errors: BonafideApiError, `not_found` among its codes. */
  outcome(requestId: string, genuine: boolean, options?: Pick<CallOptions, 'signal'>): Promise<Outcome>;
  /**
   * Puts records into the graph, and takes out those that are `deleted`: at most 1,000, with a key that may administer. `source` is of
   * records that name none. Errors: BonafideApiError.
   */
  putRecords(
    records: Iterable<object>,
    options?: Pick<CallOptions, 'signal'> & { source?: string },
  ): Promise<RecordsTaken>;
  /** What counted in a month (`2026-11`), this one unless it is named. Errors: BonafideApiError. */
  usage(month?: string, options?: Pick<CallOptions, 'signal'>): Promise<Usage>;
}

/** A client of one server, with one key. It holds no connection and needs no closing. */
export function createClient(options: ClientOptions): Client {
  const { key, retries = 2, timeoutMs = 30_000, fetch } = options;
  const base = options.url.replace(/\/+$/, '');
  const usual = { retries, timeoutMs, fetch };
  const get = <T>(path: string, signal: AbortSignal | undefined) =>
    send<T>({ ...usual, url: base + path, method: 'GET', headers: { 'x-api-key': key }, signal });
  return {
    validate: (request, { ai = false, ...options } = {}) =>
      send(checking({ ...usual, key, url: `${base}/v1/validate${ai ? '?ai=true' : ''}` }, request, options)),
    validateEnhanced: (request, options = {}) =>
      send(checking({ ...usual, key, url: `${base}/v1/validate/enhanced` }, request, options)),
    request: (requestId, { signal } = {}) => get(`/v1/requests/${encodeURIComponent(requestId)}`, signal),
    outcome: (requestId, genuine, { signal } = {}) => {
      const url = `${base}/v1/requests/${encodeURIComponent(requestId)}/outcome`;
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      return send({ ...usual, url, method: 'POST', headers, body: { genuine }, signal });
    },
    putRecords: (records, { source, signal } = {}) => {
      const url = `${base}/admin/v1/records${source === undefined ? '' : `?source=${encodeURIComponent(source)}`}`;
      const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
      const body = Array.from(records, (record) => `${JSON.stringify(record)}\n`).join('');
      return send({ ...usual, url, method: 'POST', headers, body, signal });
    },
    usage: (month, { signal } = {}) =>
      get(`/v1/usage${month === undefined ? '' : `?month=${encodeURIComponent(month)}`}`, signal),
  };
}

/** Without quotes a header with a comma would be two keys. */
const asOne = (key: string) => (key.includes(',') && !key.startsWith('"') ? JSON.stringify(key) : key);

type Usual = Pick<Sending, 'url' | 'retries' | 'timeoutMs' | 'fetch'> & { key: string };

function checking({ key, ...usual }: Usual, body: object, options: CallOptions<Version>): Sending {
  const { version, idempotencyKey = crypto.randomUUID(), traceparent, signal } = options;
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'idempotency-key': asOne(idempotencyKey),
    ...(version ? { 'accept-version': version } : {}),
    ...(traceparent ? { traceparent } : {}),
  };
  return { ...usual, method: 'POST', headers, body, signal };
}
