// A day of checks by honest callers and by harvesters: claims and verdicts.
import type { Claim, Verdict } from '../../src/model.ts';

export interface Check {
  claim: Claim;
  verdict: Verdict;
}
type Random = () => number;

/**
 * Returns a generator of numbers from 0 to 1, the same for the same seed (Marsaglia's xorshift of 32 bits).
 */
export function createRandom(seed: number): Random {
  let state = seed * 2_654_435_769 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Asked {
  name: string;
  values: string[];
  /** True if the claimed person is on record with the submitted values. */
  known: boolean;
}

function checkOf({ name, values, known }: Asked): Check {
  const contacts = values.map((text) => ({
    kind: text.startsWith('+') ? 'phone' : 'email',
    standardized: text,
    status: known ? 'primary' : 'unverified',
  }));
  const claim = { name, contacts } as unknown as Claim;
  const verdict = {
    name: { status: known ? 'primary' : 'unverified' },
    contacts,
    score: { dominantHasName: known },
  } as unknown as Verdict;
  return { claim, verdict };
}

const person = (random: Random, of = 100_000_000) => Math.floor(random() * of);
const mail = (who: number) => `p${who}@example.com`;
const phone = (who: number) => `+1415${String((who * 7919) % 10_000_000).padStart(7, '0')}`;
const named = (who: number) => `Person ${who}`;

type Stream = (random: Random, i: number) => Asked;
const whole: Stream = (random) => {
  const who = person(random);
  const all = [mail(who), phone(who), mail(who + 1), phone(who + 1)];
  return { name: named(who), values: all.slice(0, 2 + Math.floor(random() * 3)), known: random() < 0.6 };
};
const mailsOnly =
  (onRecord: number): Stream =>
  (random) => {
    const who = person(random);
    return { name: named(who), values: [mail(who)], known: random() < onRecord };
  };

export const HONEST: Record<string, Stream> = {
  'several values each': whole,
  'several values each, few on record': (random, i) => ({ ...whole(random, i), known: random() < 0.15 }),
  'one e-mail each, half on record': mailsOnly(0.5),
  'one e-mail each, a quarter on record': mailsOnly(0.25),
  'the same eighty people again and again': (random) => {
    const who = person(random, 80);
    return { name: named(who), values: [phone(who)], known: who % 10 < 7 };
  },
  'people of one switchboard': (random) => {
    const who = person(random);
    const extension = `+1212555${String(1000 + Math.floor(random() * 12))}`;
    return { name: named(who), values: [mail(who), extension], known: random() < 0.6 };
  },
  'a name alone now and then': (random, i) =>
    random() < 0.2 ? { name: named(person(random)), values: [], known: random() < 0.7 } : whole(random, i),
};

export const HARVESTERS: Record<string, Stream> = {
  'names alone': (random) => ({ name: named(person(random)), values: [], known: random() < 0.4 }),
  'numbers one after another': (random, i) => ({
    name: 'John Smith',
    values: [`+1415555${String(i).padStart(4, '0')}`],
    known: random() < 0.01,
  }),
  'numbers one after another, five at a time': (random, i) => ({
    name: 'John Smith',
    values: Array.from({ length: 5 }, (_, n) => `+141555${String(i * 5 + n).padStart(5, '0')}`),
    known: random() < 0.02,
  }),
  'numbers of a range in any order': (random) => ({
    name: 'John Smith',
    values: [`+1415555${String(Math.floor(random() * 3000)).padStart(4, '0')}`],
    known: random() < 0.01,
  }),
  'e-mails from a dictionary, one name': (random) => ({
    name: 'John Smith',
    values: [mail(person(random))],
    known: random() < 0.01,
  }),
  'e-mails from a dictionary, with names to match': mailsOnly(0.08),
  'half numbers one after another, half honest': (random, i) =>
    i % 2 === 0
      ? { name: 'John Smith', values: [`+1415555${String(i).padStart(4, '0')}`], known: false }
      : whole(random, i),
};

/** Returns a number of checks of a stream. */
export function generateChecks(stream: Stream, { seed, count }: { seed: number; count: number }): Check[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => checkOf(stream(random, i)));
}
