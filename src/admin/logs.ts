// Reads the audit log and the call log, for the command line and for administrative routes.
import { type AuditEntry, isAuditHead } from '../accounts/audit.ts';
import type { EarlierCall } from '../accounts/model.ts';
import { invalidArgument, notFoundError } from '../errors.ts';
import type { Band } from '../model.ts';
import { listAuditEntries, verifyAuditLog, type AuditQuery, type AuditVerification } from '../store/audit.ts';
import { findCall, listActivity, listCalls, type ActivityRow } from '../store/call-log.ts';
import { getKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readPage, toCursor, type Page, type Paging } from './paging.ts';
import { toIsoTime, toWireFormat } from './wire.ts';

export type AuditEntryJson = ReturnType<typeof toAuditEntryJson>;

/** Returns an entry of the audit log as JSON. */
export const toAuditEntryJson = (link: AuditEntry) => ({
  ...toWireFormat(link, 'time'),
  hash: link.hash.toString('hex'),
});

/** Returns one page of the audit log, newest first. Errors: invalid_arguments. */
export const listAuditPage = (
  store: Store,
  { limit, cursor, ...filters }: Omit<AuditQuery, 'limit' | 'before'> & Paging,
): Page<AuditEntryJson> =>
  readPage(
    {
      name: 'audit',
      filters,
      like: [0],
      read: ({ limit, after: [before] = [Infinity] }) =>
        listAuditEntries(store, { ...filters, before, limit }),
      at: ({ seq }) => [seq],
      view: toAuditEntryJson,
    },
    { limit, cursor },
  );

/**
 * Verifies the hash chain of the audit log. With `head`, also verifies that the log contains this head, which was noted earlier. Errors:
 * invalid_arguments for a malformed head.
 */
export function checkAuditLog(store: Store, head: string | undefined): AuditVerification {
  if (head === undefined || isAuditHead(head)) return verifyAuditLog(store, head);
  const form = 'a head as `audit verify` prints it: a number, a colon and 64 hexadecimal digits.';
  throw invalidArgument(`--head takes ${form}`, 'head', `The query parameter \`head\` must be ${form}`);
}

/** Query of one page of the call log. */
export interface CallLogQuery extends Paging {
  /** Id of an API key; the calls of the keys that it replaced are included. */
  key?: string | undefined;
  account?: string | undefined;
  status?: Band | undefined;
  test?: boolean | undefined;
  /** Earliest time of a call, inclusive, in milliseconds since 1970. */
  since?: number | undefined;
  /** Latest time of a call, exclusive, in milliseconds since 1970. */
  before?: number | undefined;
}

/**
 * Returns one page of the call log, newest first. Only a limited number of calls is read for a page: with a filter that few calls pass, a
 * page may be short or empty, and the next page continues after the last call that was read.
 *
 * Errors: not_found (the key), invalid_arguments.
 */
export function listCallLogPage(
  store: Store,
  { limit, cursor, ...filters }: CallLogQuery,
): Page<EarlierCall> {
  const { key, ...rest } = filters;
  const chain = key === undefined ? undefined : getKey(store, key).chain;
  const listing = { name: 'requests', filters };
  let lastRead: [number, string] | null = null;
  const page = readPage(
    {
      ...listing,
      like: [0, ''],
      read(slice) {
        const { calls, reached } = listCalls(store, { ...rest, chain, ...slice });
        lastRead = reached;
        return calls;
      },
      at: ({ time, requestId }) => [time, requestId],
      view: (call) => call,
    },
    { limit, cursor },
  );
  return page.next === null && lastRead ? { ...page, next: toCursor(listing, lastRead) } : page;
}

/** Returns a call of the call log by its id, whichever key made it. Errors: not_found. */
export function getLoggedCall(store: Store, id: string): EarlierCall {
  const call = findCall(store, id);
  if (call) return call;
  throw notFoundError(`There is no request ${id}.`, 'request');
}

/** Query of `summarizeActivity`: period and account. */
export interface ActivityQuery {
  /** Name of a period that ends now, such as `day`. */
  span: keyof typeof ACTIVITY_STEPS_MS;
  account?: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Length of one time step for each period, in milliseconds. */
const ACTIVITY_STEPS_MS = {
  hour: MINUTE_MS,
  day: 30 * MINUTE_MS,
  week: 3 * HOUR_MS,
  month: 12 * HOUR_MS,
} as const;
const ACTIVITY_SPANS_MS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
} as const;

/**
 * Greatest number of calls that one summary reads, which takes about a second in the store thread. Installations with more calls can use
 * the metrics for Prometheus.
 */
const MAX_ACTIVITY_CALLS = 500_000;

/** Summary of the calls in one time step. */
export interface ActivityStep {
  at: string;
  calls: number;
  bands: Record<Band, number>;
  catfish: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

/** Returns a summary of the calls with live keys, for each time step and in total: bands, flags, latencies. */
export function summarizeActivity(store: Store, { span, account }: ActivityQuery, now: number) {
  const step = ACTIVITY_STEPS_MS[span];
  const until = Math.ceil((now + 1) / step) * step;
  const since = until - Math.ceil(ACTIVITY_SPANS_MS[span] / step) * step;
  const rows = listActivity(store, { since, account, most: MAX_ACTIVITY_CALLS });
  const times = rows.map(([, , , ms]) => ms);
  return {
    step_ms: step,
    since: toIsoTime(since),
    whole: rows.length < MAX_ACTIVITY_CALLS,
    steps: stepsOf(rows, { since, until, step }),
    all: {
      calls: rows.length,
      catfish: rows.reduce((sum, [, , catfish]) => sum + catfish, 0),
      ...toPercentiles(times),
    },
  };
}

function stepsOf(
  rows: ActivityRow[],
  { since, until, step }: { since: number; until: number; step: number },
): ActivityStep[] {
  const byStep = Map.groupBy(rows, ([time]) => Math.floor((time - since) / step));
  return Array.from({ length: Math.round((until - since) / step) }, (_, i) => {
    const within = byStep.get(i) ?? [];
    const bands: Record<Band, number> = { HIGH: 0, MEDIUM: 0, LOW: 0, VERY_LOW: 0 };
    let flags = 0;
    for (const [, band, catfish] of within) {
      bands[band]++;
      flags += catfish;
    }
    return {
      at: toIsoTime(since + i * step),
      calls: within.length,
      bands,
      catfish: flags,
      ...toPercentiles(within.map(([, , , ms]) => ms)),
    };
  });
}

/** Returns the 50th, 95th and 99th percentile of times by nearest rank; null without times. */
export function toPercentiles(times: number[]): Pick<ActivityStep, 'p50_ms' | 'p95_ms' | 'p99_ms'> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}
