// What is noticed of how a key asks: by this, walking names or values to learn who is on record is told from honest use. No value is
// kept: a key drawn at the start makes short digests of them, which stay in memory for some hours.
import { hash, randomBytes } from 'node:crypto';
import type { Claim, Verdict } from '../../model.ts';

/** How a chain of keys asked in one hour. */
export interface Probes {
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

export const NONE: Readonly<Probes> = {
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
export function watchProbes() {
  const { see } = memory();
  return (key: string, { claim, verdict }: { claim: Claim; verdict: Verdict }, now: number): Probes => {
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

const ORDINARY: Readonly<Probes> = { ...NONE, checks: 1 };

const textOf = ({ kind, standardized }: Claim['contacts'][number]): string =>
  `${kind}\0${typeof standardized === 'string' ? standardized : Object.values(standardized).join('\0')}`;

/** The hundred of numbers that a phone is one of; undefined for any other value. */
const hundredOf = (text: string): string | undefined =>
  text.startsWith('phone\0') ? `hundred\0${text.slice(0, -2)}` : undefined;
