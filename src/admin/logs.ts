// The audit log as an operator has it, at the command line and over HTTP.
import { type AuditEntry, isAuditHead } from '../accounts/audit.ts';
import { invalidArgument, notFoundError } from '../errors.ts';
import { listAuditEntries, verifyAuditLog, type AuditQuery, type AuditVerification } from '../store/audit.ts';
import type { Store } from '../store/store.ts';
import { toWire } from './wire.ts';
import { pageOf, sliceOf, type Page, type Paging, cursorOf } from './page.ts';
import type { Band } from '../model.ts';
import type { EarlierCall } from '../accounts/model.ts';
import { keyOf } from '../store/keys.ts';
import { findCall, listCalls, listActivity, type ActivityRow } from '../store/call-log.ts';

export type ActView = ReturnType<typeof actView>;

/** An act for programs. */
export const actView = (link: AuditEntry) => ({ ...toWire(link, 'time'), hash: link.hash.toString('hex') });

/** A page of the acts, the newest first. Errors: invalid_arguments. */
export function pageOfActs(
  store: Store,
  { limit: most, cursor, ...filters }: Omit<AuditQuery, 'limit' | 'before'> & Paging,
): Page<ActView> {
  const listing = { name: 'audit', filters, like: [0] as [number] };
  const { limit, after: [before] = [Infinity] } = sliceOf(listing, { limit: most, cursor });
  const rows = listAuditEntries(store, { ...filters, before, limit: limit + 1 });
  return pageOf(listing, { rows, limit, at: ({ seq }): [number] => [seq], view: actView });
}

/** Follows the whole log; `head` is one that was noted earlier. Errors: invalid_arguments where that is none. */
export function followAudit(store: Store, head: string | undefined): AuditVerification {
  if (head === undefined || isAuditHead(head)) return verifyAuditLog(store, head);
  const form = 'a head as `audit verify` prints it: a number, a colon and 64 hexadecimal digits.';
  throw invalidArgument(`--head takes ${form}`, 'head', `The query parameter \`head\` must be ${form}`);
}

// Accepted calls as an operator sees them: outcomes and counts, never what was submitted.
export interface CallsAsked extends Paging {
  /** A key; the calls of its whole chain of rotations are its own. */
  key?: string | undefined;
  account?: string | undefined;
  status?: Band | undefined;
  test?: boolean | undefined;
  /** Calls from then on, and calls before then: milliseconds since 1970. */
  since?: number | undefined;
  before?: number | undefined;
}

/**
 * A page of the calls, the newest first. So many are looked at for a page that a filter which few pass gives a page of few, or none, and
 * the next one goes on from there.
 *
 * Errors: not_found (the key), invalid_arguments.
 */
export function pageOfCalls(
  store: Store,
  { limit: most, cursor, ...filters }: CallsAsked,
): Page<EarlierCall> {
  const { key, ...rest } = filters;
  const chain = key === undefined ? undefined : keyOf(store, key).chain;
  const listing = { name: 'requests', filters, like: [0, ''] as [number, string] };
  const { limit, after } = sliceOf(listing, { limit: most, cursor });
  const { calls, reached } = listCalls(store, { ...rest, chain, after, limit: limit + 1 });
  const at = ({ time, requestId }: EarlierCall): [number, string] => [time, requestId];
  const page = pageOf(listing, { rows: calls, limit, at, view: (call) => call });
  return page.next === null && reached ? { ...page, next: cursorOf(listing, reached) } : page;
}

/** One call, whoever made it. Errors: not_found. */
export function showCall(store: Store, id: string): EarlierCall {
  const found = findCall(store, id);
  if (found) return found;
  throw notFoundError(`There is no request ${id}.`, 'request');
}

// The call log as plots show it: calls by band, flags and times, a row for each step of time.
export interface ActivityAsked {
  /** How far back: milliseconds. */
  span: keyof typeof STEPS;
  account?: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long a step of each span is. */
const STEPS = {
  hour: MINUTE_MS,
  day: 30 * MINUTE_MS,
  week: 3 * HOUR_MS,
  month: 12 * HOUR_MS,
} as const;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;

/** A look of a second or so, in the desk's thread; who calls more has figures for Prometheus. */
const MOST = 500_000;

interface Step {
  at: string;
  calls: number;
  bands: Record<Band, number>;
  catfish: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

/** Errors: invalid_arguments. */
export function activity(store: Store, { span, account }: ActivityAsked, now: number) {
  if (!Object.hasOwn(STEPS, span))
    throw invalidArgument('There is no such span.', 'span', 'There is no such span.');
  const step = STEPS[span];
  const until = Math.ceil((now + 1) / step) * step;
  const since = until - Math.ceil(SPANS[span] / step) * step;
  const rows = listActivity(store, { since, account, most: MOST });
  const times = rows.map(([, , , ms]) => ms);
  return {
    step_ms: step,
    since: new Date(since).toISOString(),
    whole: rows.length < MOST,
    steps: stepsOf(rows, { since, until, step }),
    all: {
      calls: rows.length,
      catfish: rows.reduce((sum, [, , catfish]) => sum + catfish, 0),
      ...percentiles(times),
    },
  };
}

function stepsOf(
  rows: ActivityRow[],
  { since, until, step }: { since: number; until: number; step: number },
): Step[] {
  const of = Map.groupBy(rows, ([time]) => Math.floor((time - since) / step));
  return Array.from({ length: Math.round((until - since) / step) }, (_, i) => {
    const within = of.get(i) ?? [];
    const bands: Record<Band, number> = { HIGH: 0, MEDIUM: 0, LOW: 0, VERY_LOW: 0 };
    let flags = 0;
    for (const [, band, catfish] of within) {
      bands[band]++;
      flags += catfish;
    }
    return {
      at: new Date(since + i * step).toISOString(),
      calls: within.length,
      bands,
      catfish: flags,
      ...percentiles(within.map(([, , , ms]) => ms)),
    };
  });
}

/** By nearest rank; null where there is nothing to rank. */
export function percentiles(times: number[]): Pick<Step, 'p50_ms' | 'p95_ms' | 'p99_ms'> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}
