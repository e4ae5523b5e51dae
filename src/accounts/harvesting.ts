// What is noticed of how a key asks: by this, walking names or values to learn who is on record is told from honest use. No value is
// kept: a key drawn at the start makes short digests of them, which stay in memory for some hours.
import { hash, randomBytes } from 'node:crypto';
import type { Claim, Verdict } from '../model.ts';

/** How a chain of keys asked in one hour. */
export interface ProbeCounts {
  checks: number;
  /** Checks with a name alone. */
  nameOnly: number;
  /** Checks with one contact value. */
  oneValue: number;
  /** Checks that found nothing of the person of the name. */
  withoutRecord: number;
  /** Different names or values among those of these checks. */
  fresh: number;
  /** Phones of these checks whose hundred of numbers was asked for three times already. */
  runs: number;
}

export const NO_PROBE_COUNTS: Readonly<ProbeCounts> = {
  checks: 0,
  nameOnly: 0,
  oneValue: 0,
  withoutRecord: 0,
  fresh: 0,
  runs: 0,
};

/** A check that tells little more than whether somebody is on record: with a name alone, or with one value. */
export const isProbe = ({ contacts }: Pick<Claim, 'contacts'>): boolean => contacts.length <= 1;

/** Nothing that was sent is on record as the person's of the name. */
function isBlind({ name, contacts, score }: Verdict): boolean {
  if (contacts.length === 0) return name.status === 'unverified';
  return !score.dominantHasName || contacts.every(({ status }) => !OWN.has(status));
}
const OWN: ReadonlySet<string> = new Set(['primary', 'secondary']);

/** Digests that are remembered at a time, twice over; when there are so many, the older half is forgotten. */
const MOST_REMEMBERED = 50_000;
const REMEMBERED_MS = 4 * 3_600_000;
const RUN_FROM = 3;

/** Counts how often each text was seen, in bounded memory: two halves, of which the older is forgotten. */
function memory() {
  const prefix = randomBytes(16).toString('hex');
  let [young, old] = [new Map<string, number>(), new Map<string, number>()];
  let since = -Infinity;
  return {
    /** How often the text was seen before. `now` is milliseconds. */
    see(text: string, now: number): number {
      if (young.size >= MOST_REMEMBERED || now - since > REMEMBERED_MS) {
        [young, old] = [new Map(), young];
        since = now;
      }
      const digest = hash('sha256', prefix + text, 'base64').slice(0, 12);
      const before = young.get(digest) ?? old.get(digest) ?? 0;
      young.set(digest, before + 1);
      return before;
    },
  };
}

/** Watches the checks of all keys; answers what one check adds to the counts of its key. */
export function createProbeWatcher() {
  const { see } = memory();
  return (key: string, { claim, verdict }: { claim: Claim; verdict: Verdict }, now: number): ProbeCounts => {
    const blind = isBlind(verdict);
    const thin = isProbe(claim);
    if (!thin && !blind) return ORDINARY;
    const values = claim.contacts.length === 0 ? [`name\0${claim.name}`] : claim.contacts.map(textOf);
    const fresh = values.filter((value) => see(`${key}\0${value}`, now) === 0);
    const runs = fresh
      .map(hundredOf)
      .filter((hundred) => hundred && see(`${key}\0${hundred}`, now) >= RUN_FROM);
    return {
      checks: 1,
      nameOnly: claim.contacts.length === 0 ? 1 : 0,
      oneValue: claim.contacts.length === 1 ? 1 : 0,
      withoutRecord: blind ? 1 : 0,
      fresh: fresh.length,
      runs: runs.length,
    };
  };
}

const ORDINARY: Readonly<ProbeCounts> = { ...NO_PROBE_COUNTS, checks: 1 };

const textOf = ({ kind, standardized }: Claim['contacts'][number]): string =>
  `${kind}\0${typeof standardized === 'string' ? standardized : Object.values(standardized).join('\0')}`;

/** The hundred of numbers that a phone is one of; undefined for any other value. */
const hundredOf = (text: string): string | undefined =>
  text.startsWith('phone\0') ? `hundred\0${text.slice(0, -2)}` : undefined;

// Whether what was noticed of a key looks like harvesting.
/** `harvesting`: it learns who is on record. `look`: half as much of the same. */
type Suspicion = 'quiet' | 'look' | 'harvesting';

/** What stands out, in words for an operator; nothing where it is quiet. */
export interface HarvestAssessment {
  suspicion: Suspicion;
  why: string[];
}

/** From so many on, in a day; chosen on generated streams, see test/accounts/harvest. */
const LIMITS = {
  /** Different names or values. */
  fresh: 100,
  /** Numbers of hundreds that were asked for before. */
  runs: 30,
};

/** Judges the counts of a day. */
export function assessHarvesting(day: ProbeCounts): HarvestAssessment {
  const full = signs(day, 1);
  if (full.length > 0) return { suspicion: 'harvesting', why: full };
  const half = signs(day, 0.5);
  return half.length > 0 ? { suspicion: 'look', why: half } : { suspicion: 'quiet', why: [] };
}

function signs(
  { checks, nameOnly, oneValue, withoutRecord, fresh, runs }: ProbeCounts,
  share: number,
): string[] {
  const of = (count: number) => count / Math.max(1, checks);
  const many = fresh >= LIMITS.fresh * share;
  const found: string[] = [];
  if (runs >= LIMITS.runs * share && of(runs) >= 0.2) found.push('numbers one after another');
  if (many && of(nameOnly) >= 0.5) found.push('many names alone');
  if (many && of(oneValue) >= 0.5 && of(withoutRecord) >= 0.85)
    found.push('many single values that are nobody’s of the name');
  if (many && of(withoutRecord) >= 0.95) found.push('hardly a check that finds its person');
  return found;
}

/** Counts together. */
export function sumProbeCounts(all: Iterable<ProbeCounts>): ProbeCounts {
  const sum: ProbeCounts = { ...NO_PROBE_COUNTS };
  for (const one of all) addProbeCounts(sum, one);
  return sum;
}

/** Adds counts to others, in place: it is on the way of every check. */
export function addProbeCounts(sum: ProbeCounts, one: ProbeCounts): void {
  sum.checks += one.checks;
  sum.nameOnly += one.nameOnly;
  sum.oneValue += one.oneValue;
  sum.withoutRecord += one.withoutRecord;
  sum.fresh += one.fresh;
  sum.runs += one.runs;
}

/** What a caller is told whose plan has no probe left: how it begins tells it from a rate that is reached, which has the same code. */
export const formatProbesUsedUp = (most: number): string =>
  `The plan of this key has ${most} checks an hour with a name alone or with one value. A check with more of the person's values is none of them; like every check, this one too, it takes from the plan's rate.`;

/** Whether the detail of a `rate_limited` says that: it is about this one check then, and the next one may pass. */
export const isProbesUsedUp = (detail: string): boolean =>
  /^The plan of this key has \d+ checks an hour with a name alone or with one value\./.test(detail);
