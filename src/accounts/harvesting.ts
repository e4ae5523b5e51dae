// Detection of harvesting: keys that try names or values one after the other to learn who is on record. No value is stored: a random key
// makes short digests of values, which stay in memory for some hours.
import { hash, randomBytes } from 'node:crypto';
import type { Claim, Verdict } from '../model.ts';

/** Numbers of checks of one API key that look like harvesting (enumerating who is on record). */
export interface SuspiciousCheckCounts {
  checks: number;
  nameOnly: number;
  oneValue: number;
  /** Number of checks without a value that is on record for a person with the submitted name. */
  withoutRecord: number;
  /** Number of names, e-mails and other values in these checks that the API key had not used in the last hours. */
  fresh: number;
  /** Number of new phone numbers from a block of 100 consecutive numbers, if the API key had used at least three numbers of the block before. */
  runs: number;
}

export const NO_SUSPICIOUS_CHECKS: Readonly<SuspiciousCheckCounts> = {
  checks: 0,
  nameOnly: 0,
  oneValue: 0,
  withoutRecord: 0,
  fresh: 0,
  runs: 0,
};

const PROBE_FIELDS = Object.keys(NO_SUSPICIOUS_CHECKS) as (keyof SuspiciousCheckCounts)[];

/** Adds `counts` to `sum`, in place. */
export function addToSuspiciousCheckCounts(sum: SuspiciousCheckCounts, counts: SuspiciousCheckCounts): void {
  for (const field of PROBE_FIELDS) sum[field] += counts[field];
}

/** True for a check with at most one contact, whose answer shows little more than whether a person is on record. */
export const hasAtMostOneContact = ({ contacts }: Pick<Claim, 'contacts'>): boolean => contacts.length <= 1;

const OWN_STATUSES: ReadonlySet<string> = new Set(['primary', 'secondary']);

/** True if no submitted value is on record for a person with the submitted name. */
function isWithoutRecord({ name, contacts, score }: Verdict): boolean {
  if (contacts.length === 0) return name.status === 'unverified';
  return !score.dominantHasName || contacts.every(({ status }) => !OWN_STATUSES.has(status));
}

/** Maximum number of texts in each of the two generations of a counter. When the newer generation is full, the older one is dropped. */
const MAX_ENTRIES = 50_000;
const GENERATION_MS = 4 * 3_600_000;
/** Number of phone numbers that an API key may use from a block of 100 before further ones count as consecutive. */
const RUN_AFTER = 3;

/**
 * Creates a counter of texts with limited memory. It counts a text, and returns how often it had counted it before. `now` is milliseconds since 1970.
 */
function createTextCounter() {
  const salt = randomBytes(16).toString('hex');
  let [recent, older] = [new Map<string, number>(), new Map<string, number>()];
  let since = -Infinity;
  return (text: string, now: number): number => {
    if (recent.size >= MAX_ENTRIES || now - since > GENERATION_MS) {
      [recent, older] = [new Map(), recent];
      since = now;
    }
    const digest = hash('sha256', salt + text, 'base64').slice(0, 12);
    const before = recent.get(digest) ?? older.get(digest) ?? 0;
    recent.set(digest, before + 1);
    return before;
  };
}

/**
 * Creates a function that returns what one check adds to the counts of suspicious checks of its API key. The function remembers digests of the values
 * in earlier checks.
 */
export function createSingleCheckSuspicionCounter() {
  const countEarlier = createTextCounter();
  return (
    key: string,
    { claim, verdict }: { claim: Claim; verdict: Verdict },
    now: number,
  ): SuspiciousCheckCounts => {
    const { name, contacts } = claim;
    const withoutRecord = isWithoutRecord(verdict);
    if (!hasAtMostOneContact(claim) && !withoutRecord) return ORDINARY_CHECK;
    const values = contacts.length === 0 ? [`name\0${name}`] : contacts.map(formatContact);
    const fresh = values.filter((value) => countEarlier(`${key}\0${value}`, now) === 0);
    const runs = fresh
      .map(toPhoneBlock)
      .filter((block) => block && countEarlier(`${key}\0${block}`, now) >= RUN_AFTER);
    return {
      checks: 1,
      nameOnly: contacts.length === 0 ? 1 : 0,
      oneValue: contacts.length === 1 ? 1 : 0,
      withoutRecord: withoutRecord ? 1 : 0,
      fresh: fresh.length,
      runs: runs.length,
    };
  };
}

const ORDINARY_CHECK: Readonly<SuspiciousCheckCounts> = { ...NO_SUSPICIOUS_CHECKS, checks: 1 };

const formatContact = ({ kind, standardized }: Claim['contacts'][number]): string =>
  `${kind}\0${typeof standardized === 'string' ? standardized : Object.values(standardized).join('\0')}`;

/** Returns the first digits of a phone number, which its block of 100 numbers has in common; undefined for any other value. */
const toPhoneBlock = (text: string): string | undefined =>
  text.startsWith('phone\0') ? `hundred\0${text.slice(0, -2)}` : undefined;

/** Degree of suspicion against an API key: `harvesting` if a count reached its limit, `look` if a count reached half of it, otherwise `quiet`. */
type Suspicion = 'quiet' | 'look' | 'harvesting';

/** Degree of suspicion against an API key, with reasons for the operator (`why`). There are none for `quiet`. */
export interface HarvestingAssessment {
  suspicion: Suspicion;
  why: string[];
}

/**
 * Numbers of new values (`fresh`) and of consecutive phone numbers (`runs`) in a day, from which an API key is suspected of harvesting; see
 * `SuspiciousCheckCounts`. Chosen with generated calls; see test/accounts/harvest-streams.ts.
 */
const DAILY_LIMITS: Pick<SuspiciousCheckCounts, 'fresh' | 'runs'> = { fresh: 100, runs: 30 };

export function assessHarvesting(day: SuspiciousCheckCounts): HarvestingAssessment {
  const reasons = listReasons(day, 1);
  if (reasons.length > 0) return { suspicion: 'harvesting', why: reasons };
  const halfReasons = listReasons(day, 0.5);
  return { suspicion: halfReasons.length > 0 ? 'look' : 'quiet', why: halfReasons };
}

/** Returns one sentence for each count that reaches its daily limit times `factor` (1 or 0.5). */
function listReasons(day: SuspiciousCheckCounts, factor: number): string[] {
  const { checks, nameOnly, oneValue, withoutRecord, fresh, runs } = day;
  const shareOf = (count: number) => count / Math.max(1, checks);
  const hasManyFresh = fresh >= DAILY_LIMITS.fresh * factor;
  const reasons: string[] = [];
  if (runs >= DAILY_LIMITS.runs * factor && shareOf(runs) >= 0.2) reasons.push('numbers one after another');
  if (hasManyFresh && shareOf(nameOnly) >= 0.5) reasons.push('many names alone');
  if (hasManyFresh && shareOf(oneValue) >= 0.5 && shareOf(withoutRecord) >= 0.85)
    reasons.push('many single values that are nobody’s of the name');
  if (hasManyFresh && shareOf(withoutRecord) >= 0.95) reasons.push('hardly a check that finds its person');
  return reasons;
}

/**
 * Returns the error message for a caller that used up its `max` checks per hour with at most one contact. Checks with more contacts are still
 * allowed.
 */
export const formatLimitMessageForChecksWithOneContact = (max: number): string =>
  `The plan of this key has ${max} ${max === 1 ? 'check' : 'checks'} an hour with a name alone or with one value. A check with two or more values is not limited in this way. Every check, including this one, counts against the plan's rate.`;

/** True if the message of a `rate_limited` error is about checks with at most one contact, so that checks with more contacts may still be allowed. */
export const isLimitMessageForChecksWithOneContact = (message: string): boolean =>
  /^The plan of this key has \d+ checks? an hour with a name alone or with one value\./.test(message);
