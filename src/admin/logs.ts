// Reads the audit log and the call log, for the command line and for administrative routes.
import { type AuditEntry, isAuditChainHeadText } from '../accounts/audit.ts';
import type { EarlierCall, Refusal } from '../accounts/model.ts';
import { invalidArgumentError, notFoundError } from '../errors.ts';
import { type ScoreBand, toVerdictWord, VERDICT_WORDS, type VerdictWord } from '../model.ts';
import { getTimeOfRequestId } from '../platform/request-id.ts';
import { listAuditEntries, verifyAuditLog, type AuditQuery, type AuditVerification } from '../store/audit.ts';
import {
  findCall,
  listCallsForChart,
  listCalls,
  type CallLogQuery,
  type RefusalQuery,
  type CallChartRow,
  findRefusedCall,
  listMergedRefusalsOfMinute,
  listRefusedCalls,
} from '../store/call-log.ts';
import { resolveApiKeyChainId, readNamesOfApiKeysAndAccounts } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readListPage, toListCursor, type ListPage, type PageRequest } from './paging.ts';
import { toIsoTime, toSnakeCaseJson, type WithKeyAndAccountNames } from './wire.ts';

export type AuditEntryJson = ReturnType<typeof toAuditEntryJson>;

/** Names of the details in an audit entry that are times, stored in milliseconds since 1970. */
const TIME_DETAILS: ReadonlySet<string> = new Set(['since', 'expires']);

export const toAuditEntryJson = (link: AuditEntry) => ({
  ...toSnakeCaseJson(link, 'time'),
  detail: Object.fromEntries(
    Object.entries(link.detail).map(([name, value]) => [
      name,
      typeof value === 'number' && TIME_DETAILS.has(name) ? toIsoTime(value) : value,
    ]),
  ),
  hash: link.hash.toString('hex'),
});

/** Returns one page of the audit log, newest first. Errors: invalid_arguments. */
export const readAuditLogPage = (
  store: Store,
  { limit, cursor, ...filters }: Omit<AuditQuery, 'limit' | 'before'> & PageRequest,
): ListPage<AuditEntryJson> =>
  readListPage(
    { limit, cursor },
    {
      name: 'audit',
      filters,
      like: [0],
      read: ({ limit, after: [before] = [Infinity] }) =>
        listAuditEntries(store, { ...filters, before, limit }),
      at: ({ seq }) => [seq],
      view: toAuditEntryJson,
    },
  );

/**
 * Verifies the hash chain of the audit log. With `head`, a hash noted earlier, also verifies that the log contains it. Errors: invalid_arguments
 * for a malformed head.
 */
export function verifyAuditLogWithHead(store: Store, head: string | undefined): AuditVerification {
  if (head === undefined || isAuditChainHeadText(head)) return verifyAuditLog(store, head);
  const form = 'a head as `audit verify` prints it: a number, a colon and 64 hexadecimal digits.';
  throw invalidArgumentError(`--head takes ${form}`, 'head', `The query parameter \`head\` must be ${form}`);
}

/** Query for one page of a log. `key` is the id or name of an API key; calls of the keys that it replaced are included. */
type LogPageQuery<Query> = Omit<Query, 'chain' | 'after' | 'limit'> &
  PageRequest & { key?: string | undefined };

/**
 * Returns one page of the call log, newest first. Only a limited number of calls is read for a page, so a filter may give a short or empty page
 * before the last one. Errors: not_found (the API key), invalid_arguments.
 */
export function readCallLogPage(
  store: Store,
  { limit, cursor, ...filters }: LogPageQuery<CallLogQuery>,
): ListPage<WithKeyAndAccountNames<EarlierCall>> {
  const { key, ...rest } = filters;
  const chain = key === undefined ? undefined : resolveApiKeyChainId(store, key);
  const listing = { name: 'requests', filters };
  let lastRead: [number, string] | null = null;
  const page = readListPage(
    { limit, cursor },
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
  );
  const items = addNames(store, page.items, ({ keyId }) => keyId);
  return { items, next: page.next ?? (lastRead && toListCursor(listing, lastRead)) };
}

export function getLoggedCall(store: Store, id: string): WithKeyAndAccountNames<EarlierCall> {
  const call = findCall(store, id);
  const [named] = addNames(store, call ? [call] : [], ({ keyId }) => keyId);
  if (named) return named;
  throw notFoundError(`There is no request ${id}. Check the id.`, 'request');
}

function addNames<T extends { account: string | null }>(
  store: Store,
  calls: readonly T[],
  keyOf: (call: T) => string | null,
): WithKeyAndAccountNames<T>[] {
  const present = (ids: (string | null)[]) => ids.filter((id) => id !== null);
  const names = readNamesOfApiKeysAndAccounts(store, {
    keys: present(calls.map(keyOf)),
    accounts: present(calls.map(({ account }) => account)),
  });
  return calls.map((call) => ({
    ...call,
    keyName: names.keys.get(keyOf(call) ?? '') ?? null,
    accountName: names.accounts.get(call.account ?? '') ?? null,
  }));
}

export type RefusalJson = ReturnType<typeof toRefusalJson>;

const toRefusalJson = ({
  requestId,
  time,
  endpoint,
  status,
  code,
  rule,
  ...rest
}: WithKeyAndAccountNames<Refusal>) => ({
  request_id: requestId,
  time: toIsoTime(time),
  endpoint,
  status,
  code: code as string,
  rule,
  key: rest.key,
  key_name: rest.keyName,
  account: rest.account,
  account_name: rest.accountName,
  test: rest.test,
  more: rest.more,
});

/** Returns one page of the refused calls, newest first. Errors: not_found (the API key), invalid_arguments. */
export function readRefusedCallPage(
  store: Store,
  { limit, cursor, ...filters }: LogPageQuery<RefusalQuery>,
): ListPage<RefusalJson> {
  const { key, ...rest } = filters;
  const chain = key === undefined ? undefined : resolveApiKeyChainId(store, key);
  const page = readListPage(
    { limit, cursor },
    {
      name: 'refusals',
      filters,
      like: [''],
      read: (slice) => listRefusedCalls(store, { ...rest, chain, ...slice }),
      at: ({ requestId }) => [requestId],
      view: (refusal) => refusal,
    },
  );
  return { ...page, items: addNames(store, page.items, ({ key: id }) => id).map(toRefusalJson) };
}

/** Refused call with a request id. If the call was counted but not logged, `counted` lists the refusals that were counted in its minute. */
export interface RefusedCallDetails {
  /** Refused call; null if it was counted but not logged. */
  refusal: RefusalJson | null;
  counted: RefusalJson[];
}

/**
 * Returns a refused call by its request id. If the call has no row of its own, because it was only counted, returns all counted refusals of its
 * minute (the id contains the time). Errors: not_found if no refusal was counted in that minute.
 */
export function getRefusedCallDetails(store: Store, id: string): RefusedCallDetails {
  const refusal = findRefusedCall(store, id);
  const time = getTimeOfRequestId(id);
  const counted = refusal || time === null ? [] : listMergedRefusalsOfMinute(store, time);
  if (!refusal && counted.length === 0)
    throw notFoundError(`There is no request ${id}. Check the id.`, 'request');
  const named = addNames(store, refusal ? [refusal] : counted, ({ key }) => key).map(toRefusalJson);
  return refusal ? { refusal: named[0] ?? null, counted: [] } : { refusal: null, counted: named };
}

export interface CallsOverTimeQuery {
  /** Name of the period that ends now, such as `day`. */
  span: keyof typeof ACTIVITY_STEPS_MS;
  account?: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Length (ms) of one time step, by the name of the period. */
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

/** Maximum number of calls that one summary reads, which takes about a second in the store thread. */
const MAX_ACTIVITY_CALLS = 500_000;

export interface CallsOverTimeStep {
  at: string;
  calls: number;
  bands: Record<ScoreBand, number>;
  verdicts: Record<VerdictWord, number>;
  catfish: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

/** Summarizes the calls with live keys, in total and for each time step: score bands, flags, latencies. */
export function summarizeCallsOverTime(store: Store, { span, account }: CallsOverTimeQuery, now: number) {
  const step = ACTIVITY_STEPS_MS[span];
  const until = Math.ceil((now + 1) / step) * step;
  const since = until - Math.ceil(ACTIVITY_SPANS_MS[span] / step) * step;
  const rows = listCallsForChart(store, { since, account, most: MAX_ACTIVITY_CALLS });
  const times = rows.map((row) => row[6]);
  return {
    step_ms: step,
    since: toIsoTime(since),
    whole: rows.length < MAX_ACTIVITY_CALLS,
    steps: stepsOf(rows, { since, until, step }),
    all: {
      calls: rows.length,
      catfish: rows.reduce((sum, [, , , , , catfish]) => sum + catfish, 0),
      ...computeDurationPercentiles(times),
    },
  };
}

function stepsOf(
  rows: CallChartRow[],
  { since, until, step }: { since: number; until: number; step: number },
): CallsOverTimeStep[] {
  const byStep = Map.groupBy(rows, ([time]) => Math.floor((time - since) / step));
  return Array.from({ length: Math.round((until - since) / step) }, (_, i) => {
    const within = byStep.get(i) ?? [];
    const bands: Record<ScoreBand, number> = { HIGH: 0, MEDIUM: 0, LOW: 0, VERY_LOW: 0 };
    const verdicts = Object.fromEntries(
      VERDICT_WORDS.map((word) => [word, 0]),
    ) as CallsOverTimeStep['verdicts'];
    let flags = 0;
    for (const [, band, verdict, contacts, unknown, catfish] of within) {
      bands[band]++;
      verdicts[verdict ?? toVerdictWord({ band, contacts, unknown })]++;
      flags += catfish;
    }
    return {
      at: toIsoTime(since + i * step),
      calls: within.length,
      bands,
      verdicts,
      catfish: flags,
      ...computeDurationPercentiles(within.map((row) => row[6])),
    };
  });
}

/** Returns the 50th, 95th and 99th percentile of durations in ms (nearest rank); null without durations. */
export function computeDurationPercentiles(
  times: number[],
): Pick<CallsOverTimeStep, 'p50_ms' | 'p95_ms' | 'p99_ms'> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}
