// Commits batches of calls to PostgreSQL: one statement each, so that a batch is kept whole or not at all, and one whose answer was lost can
// be asked for again: its calls are known by their ids.
import { setTimeout as pause } from 'node:timers/promises';
import { toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { CurrentPlan } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { CallBatch, BatchOutcomes } from '../serving/ledger.ts';
import { REQUEST_ID_COLUMN } from '../serving/writer-statements.ts';
import type { ConnectWriter, WriterReply, WriterConnection, WriterRequest } from '../serving/recorder.ts';
import { type PostgresClient, withDeadline } from './client.ts';
import { toPostgresError, getErrorCode, isConnectionLost, isRolledBack } from './errors.ts';

export interface WriterOptions {
  client: PostgresClient;
  /** Whether notices of quotas are to be written for a webhook. */
  notify: boolean;
  /** Does what is no call's own: what is old, when keys were used, how they ask. */
  aside(told: Exclude<WriterRequest, CallBatch | null>): void;
  /** How long a batch is tried again while the way to the server is lost, in milliseconds. */
  mostMs?: number;
  /** How long the answer to one try is waited for, in milliseconds. */
  longestMs?: number;
  /** What time it is, for tests; the server's own clock where it is null. */
  clock?: () => number | null;
}

const MOST_MS = 5000;
const AGAIN_MS = 100;
/** Longer than PostgreSQL lets a commit take: of one that hangs, nobody hears. */
const LONGEST_MS = 35_000;

/** What `commit_1` answers; see the migration. */
export interface CommitResult {
  before: [place: number, counted: string | null][];
  charged: [place: number, account: string, used: number, beyond: number, refused: boolean][];
  plans: [
    account: string,
    month: string,
    plan: string | null,
    version: number | null,
    terms: string | null,
  ][];
}

/** A line to it: batches are committed one after the other. */
export const connectPostgresWriter =
  (options: WriterOptions): ConnectWriter =>
  ({ answered, lost }): WriterConnection => ({
    tell(told) {
      if (told === null) lost();
      else if ('rows' in told) void answerTo(told, options).then(answered);
      else options.aside(told);
    },
  });

/** Never rejects. */
async function answerTo(batch: CallBatch, options: WriterOptions): Promise<WriterReply> {
  try {
    return { failed: null, outcomes: await committed(batch, options) };
  } catch (thrown) {
    const error = toPostgresError(thrown);
    const { code, message } =
      error instanceof BonafideError
        ? error
        : { code: 'internal_error' as const, message: 'The calls could not be written.' };
    return { failed: { code: code === 'internal_error' ? 'store_unavailable' : code, message } };
  }
}

async function committed(batch: CallBatch, options: WriterOptions) {
  const { client, notify, mostMs = MOST_MS, longestMs = LONGEST_MS, clock } = options;
  const until = performance.now() + mostMs;
  let again = false;
  for (;;) {
    const asked = { ...toCommitInput(batch), again };
    try {
      const done = client.unsafe<{ done: CommitResult }[]>(
        'SELECT commit_1($1, $2, $3) AS done',
        [asked, notify, clock?.() ?? null] as never[],
        { prepare: true },
      );
      const [row] = await withDeadline(longestMs, done, client.renew);
      return row ? toBatchOutcomes(row.done) : null;
    } catch (error) {
      // Its first try may be committed, or about to be: then its ids are there, and nothing of it is written twice.
      const isThere = getErrorCode(error) === UNIQUE;
      if (!isConnectionLost(error) && !isRolledBack(error) && !isThere) throw error;
      if (performance.now() > until) throw error;
      again ||= isConnectionLost(error) || isThere;
      await pause(AGAIN_MS);
    }
  }
}

const UNIQUE = '23505';

/** A batch as `commit_1` takes it. */
export function toCommitInput({ rows, spends }: CallBatch) {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const calls: unknown[][] = [];
  const told: unknown[][] = [];
  for (const [place, row] of rows.entries())
    if (Array.isArray(row)) calls.push([place, ...row]);
    else told.push([row.genuine ? 1 : 0, row.requestId, row.keyId]);
  const spending = spends.map(([place, { key, request, expires }]) => {
    const row = rows[place];
    return [place, hex(key), hex(request), expires, Array.isArray(row) ? row[REQUEST_ID_COLUMN] : null];
  });
  return { rows: calls, told, spends: spending };
}

export function toBatchOutcomes({ before, charged, plans }: CommitResult): BatchOutcomes {
  const outcomes: NonNullable<BatchOutcomes> = new Map(
    before.map(([place, counted]) => [place, { counted }]),
  );
  const accounts = new Map(plans.map(([account, ...rest]) => [account, inForce(rest)]));
  for (const [place, account, used, beyond, refused] of charged) {
    const { month = '', plan = null } = accounts.get(account) ?? {};
    const quotaUsage = plan && toQuotaUsage(plan, { month, used, beyond });
    outcomes.set(place, refused && quotaUsage ? { refused: quotaUsage } : { quotaUsage });
  }
  return outcomes.size > 0 ? outcomes : null;
}

function inForce([month, plan, version, terms]: [string, string | null, number | null, string | null]) {
  const none = plan === null || version === null || terms === null;
  const found: CurrentPlan | null = none ? null : { plan, version, terms: JSON.parse(terms) };
  return { month, plan: found };
}
