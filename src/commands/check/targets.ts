// Targets of `check --file`: the local graph, or a server over HTTP.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLimitMessageForChecksWithOneContact } from '../../accounts/harvesting.ts';
import { isTestApiKey } from '../../accounts/keys.ts';
import { type RowCheckResult, createRowCheckResultWithError, toRowCheckResult } from '../../admin/wire.ts';
import type { CheckerWithoutServer } from '../../app/local-checks.ts';
import { type ApiIssue, BonafideApiError, type Check, createClient } from '../../client/index.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import type { PersonRow } from './rows.ts';

export interface CheckBackend {
  /** Description for the operator: where the answers come from, and if they are billed. */
  description: string;
  /** True if the answers count as calls of an API key (they are billed). */
  isCounted: boolean;
  /** Number of answers that count as calls: `counted` in this run, `earlier` in previous runs. */
  answers: Readonly<{ counted: number; earlier: number }>;
  concurrency: number;
  /** Checks one row. An error that concerns only this row is part of the result; errors that concern every row are thrown. */
  check(row: CheckablePersonRow, signal: AbortSignal): Promise<RowCheckResult>;
}

export type CheckablePersonRow = PersonRow & Required<Pick<PersonRow, 'request'>>;

export function createLocalCheckBackend(
  checks: Pick<CheckerWithoutServer, 'check'>,
  dataDir: string,
): CheckBackend {
  return {
    description: `checking with the local graph in ${dataDir}; no calls are counted`,
    isCounted: false,
    answers: { counted: 0, earlier: 0 },
    concurrency: 1,
    async check({ request }) {
      try {
        return toRowCheckResult((await checks.check(request)).content);
      } catch (error) {
        if (error instanceof BonafideError && error.code === 'invalid_request')
          return createRowCheckResultWithError(
            toErrorLogFields(error.code, error.message, error.details.issues),
          );
        throw error;
      }
    },
  };
}

interface ServerOptions {
  url: URL;
  key: string;
  concurrency: number;
  /** Called when the server asks the client to wait. */
  onWait?(seconds: number): void;
}

/** Error codes that concern a single request. Any other code ends the run, because the next request would fail too. */
const ROW_ERROR_CODES: ReadonlySet<string> = new Set(['invalid_request', 'body_too_large', 'internal_error']);
const isRowError = (error: BonafideApiError) =>
  ROW_ERROR_CODES.has(error.code) ||
  (error.code === 'rate_limited' && isLimitMessageForChecksWithOneContact(getDetail(error)));

const RETRIES = 3;
/** Maximum time (ms) that a run waits for a rate limit. If the server asks for more, the run ends. */
const MAX_WAIT_MS = 120_000;

export function createServerCheckBackend({ url, key, concurrency, onWait }: ServerOptions): CheckBackend {
  const isCounted = !isTestApiKey(key);
  const answers = { counted: 0, earlier: 0 };
  const countingFetch: typeof fetch = async (...call) => {
    const response = await fetch(...call);
    if (isCounted && response.ok)
      answers[response.headers.has('idempotency-replayed') ? 'earlier' : 'counted']++;
    return response;
  };
  const client = createClient({ url: url.href, key, retries: RETRIES, fetch: countingFetch });
  let waitUntil = 0;
  const billing = isCounted
    ? 'each answer counts as a call of the key'
    : 'with a test key, which is answered from sample people';
  return {
    description: `checking with the server ${url.origin}; ${billing}`,
    isCounted,
    answers,
    concurrency,
    async check({ line, request }, signal) {
      const idempotencyKey = buildIdempotencyKey(key, line, request);
      const body = request as Parameters<typeof client.validate>[0];
      for (;;) {
        await sleep(Math.max(0, waitUntil - Date.now()), undefined, { signal });
        try {
          return parseAnswer(await client.validate(body, { idempotencyKey, signal }), url.origin);
        } catch (error) {
          if (!(error instanceof BonafideApiError)) throw error;
          const { code, retryAfterMs = 0, issues, requestId } = error;
          if (isRowError(error))
            return createRowCheckResultWithError(toErrorLogFields(code, getDetail(error), issues), requestId);
          if (code !== 'rate_limited' || retryAfterMs > MAX_WAIT_MS) throw toServerError(url.origin, error);
          waitUntil = Math.max(waitUntil, Date.now() + retryAfterMs);
          onWait?.(Math.ceil(retryAfterMs / 1000));
        }
      }
    },
  };
}

/** Converts the answer of a server to a result. Errors: server_failed if the answer is not that of a check. */
function parseAnswer(check: Check, origin: string): RowCheckResult {
  try {
    return toRowCheckResult(check);
  } catch {
    const message = `The answer of ${origin} is not a check. Is it a Bonafide server? Check --server.`;
    throw new BonafideError('server_failed', message);
  }
}

/** Returns the Idempotency-Key of a row. It is the same in every run, so that a row is counted once. */
const buildIdempotencyKey = (key: string, line: number, request: object): string =>
  createHmac('sha256', key)
    .update(`${line}\n${JSON.stringify(request)}`)
    .digest('base64url');

/** Shortens a text of the server to one line without control characters. */
const toOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);

const getDetail = ({ code, message }: BonafideApiError) => message.slice(code.length + 2);

const toServerError = (origin: string, { message }: BonafideApiError) =>
  new BonafideError('server_failed', `${origin} refuses checks: ${toOneLine(message)}`);

/** Formats the error of one row: the error code, and each problem with its field. */
function toErrorLogFields(
  code: string,
  detail: string,
  issues: readonly (ValidationIssue | ApiIssue)[] = [],
): string {
  const problems = issues.map(({ pointer, detail: problem }) => {
    const [field = '', index] = pointer.slice(1).split('/');
    const name = index === undefined ? field : `${field} (number ${Number(index) + 1})`;
    return toOneLine(name === '' ? problem : `${name}: ${problem}`);
  });
  return `${code}: ${problems.length > 0 ? problems.join(' ') : toOneLine(detail)}`;
}
