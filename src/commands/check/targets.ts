// Whom people of a file are asked about: the local graph, or a server over HTTP.
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isProbesUsedUp } from '../../accounts/harvesting.ts';
import { isTestKey } from '../../accounts/keys.ts';
import type { Checks } from '../../app/checks.ts';
import { type ApiIssue, BonafideApiError, type Check, createClient } from '../../client/index.ts';
import { BonafideError, type ValidationIssue } from '../../errors.ts';
import { type Person, type Result, resultOf, unanswered } from './rows.ts';

export interface Asking {
  /** Where answers come from and whether they count, as a sentence. */
  says: string;
  counts: boolean;
  /** Answers so far: those that counted, and those that had counted when the same row was asked about before. */
  told: Readonly<{ counted: number; earlier: number }>;
  /** How many people are asked about at a time. */
  atOnce: number;
  /** Errors: what concerns not this person but all of them. */
  ask(person: Asked, signal: AbortSignal): Promise<Result>;
}
export type Asked = Person & Required<Pick<Person, 'request'>>;

/** The graph in a data folder. Errors, of `ask`: what opening the graph raises. */
export function askGraph(checks: Pick<Checks, 'check'>, dataDir: string): Asking {
  return {
    says: `asking the local graph in ${dataDir}: nothing is counted`,
    counts: false,
    told: { counted: 0, earlier: 0 },
    atOnce: 1,
    async ask({ request }) {
      try {
        return resultOf((await checks.check(request)).content);
      } catch (error) {
        if (error instanceof BonafideError && error.code === 'invalid_request')
          return unanswered(textOf(error.code, error.message, error.details.issues));
        throw error;
      }
    },
  };
}

export interface ServerAsked {
  url: URL;
  key: string;
  atOnce: number;
  /** Told when the server wants to be left alone for some seconds. */
  onWait?(seconds: number): void;
}

/** Codes that say something about one request; any other one would be the next request's too. */
const OF_ONE: ReadonlySet<string> = new Set(['invalid_request', 'body_too_large', 'internal_error']);
const isOfOne = (error: BonafideApiError) =>
  OF_ONE.has(error.code) || (error.code === 'rate_limited' && isProbesUsedUp(detailOf(error)));
const RETRIES = 3;
/** Who has to wait longer comes again: the run can be gone on with. */
const LONGEST_WAIT_MS = 120_000;

/** A server. Errors, of `ask`: server_failed. */
export function askServer({ url, key, atOnce, onWait }: ServerAsked): Asking {
  const counts = !isTestKey(key);
  const told = { counted: 0, earlier: 0 };
  const noted: typeof fetch = async (...call) => {
    const response = await fetch(...call);
    if (counts && response.ok) told[response.headers.has('idempotency-replayed') ? 'earlier' : 'counted']++;
    return response;
  };
  const client = createClient({ url: url.href, key, retries: RETRIES, fetch: noted });
  const kind = counts ? 'each answer counts as a call of the key' : 'a test key, answered from sample people';
  let quietUntil = 0;
  const tried = async ({ line, request }: Asked, signal: AbortSignal): Promise<Result | null> => {
    await pause(Math.max(0, quietUntil - Date.now()), undefined, { signal });
    try {
      const idempotencyKey = keyOfRow(key, line, request);
      const sent = request as Parameters<typeof client.validate>[0];
      return checkIn(await client.validate(sent, { idempotencyKey, signal }), url.origin);
    } catch (error) {
      if (!(error instanceof BonafideApiError)) throw error;
      const { code, retryAfterMs = 0, issues, requestId } = error;
      if (isOfOne(error)) return unanswered(textOf(code, detailOf(error), issues), requestId);
      if (code !== 'rate_limited' || retryAfterMs > LONGEST_WAIT_MS) throw failed(url.origin, error);
      quietUntil = Math.max(quietUntil, Date.now() + retryAfterMs);
      onWait?.(Math.ceil(retryAfterMs / 1000));
      return null;
    }
  };
  return {
    says: `asking ${url.origin}: ${kind}`,
    counts,
    told,
    atOnce,
    async ask(person, signal) {
      for (;;) {
        const result = await tried(person, signal);
        if (result) return result;
      }
    },
  };
}

/** Errors: server_failed, where another program answered. */
function checkIn(check: Check, origin: string): Result {
  try {
    return resultOf(check);
  } catch {
    throw new BonafideError('server_failed', `What ${origin} answered is no check: is it a Bonafide?`);
  }
}

/** The same for the same row however often it is sent, so that it counts once; worth nothing to who has not the key. */
const keyOfRow = (key: string, line: number, request: object): string =>
  createHmac('sha256', key)
    .update(`${line}\n${JSON.stringify(request)}`)
    .digest('base64url');

/** What an answer of another says may hold anything: one line of it, and not a long one. */
const tidy = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
const detailOf = ({ code, message }: BonafideApiError) => message.slice(code.length + 2);

const failed = (origin: string, { message }: BonafideApiError) =>
  new BonafideError('server_failed', `No answer of ${origin}: ${tidy(message)}`);

/** An error of one row: its code, and every broken rule with its place. */
function textOf(code: string, detail: string, issues: readonly (ValidationIssue | ApiIssue)[] = []): string {
  const rules = issues.map(({ pointer, detail }) => {
    const [field = '', index] = pointer.slice(1).split('/');
    const place = index === undefined ? field : `${field} (number ${Number(index) + 1})`;
    return tidy(place === '' ? detail : `${place}: ${detail}`);
  });
  return `${code}: ${rules.length > 0 ? rules.join(' ') : tidy(detail)}`;
}
