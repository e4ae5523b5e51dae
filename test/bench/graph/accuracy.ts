// Accuracy of linking: linked pairs of records compared with true pairs, with intervals.
import { Random } from '../../../src/generate/random.ts';
import type { Interval, SizeFigures } from './figures.ts';

/** Pairs of one person: linked own pairs, all own pairs, and the person's share of linked pairs. */
interface Person {
  right: number;
  own: number;
  found: number;
}

const pairs = (records: number) => (records * (records - 1)) / 2;

/**
 * Returns precision, recall and F1 over pairs. The intervals (95 %) come from a bootstrap over people with Poisson weights: pairs of a person are
 * not independent, so that a bootstrap over pairs would make the intervals too narrow.
 *
 * @param records true person and identity of each record
 */
export function accuracyOf(
  records: { truth: string; identity: number }[],
  samples = 500,
): SizeFigures['accuracy'] {
  const people = peopleOf(records);
  const drawn = Array.from({ length: samples }, (_, i) => figuresOf(people, new Random(i + 1, 7, 0)));
  const all = figuresOf(people, null);
  const interval = (what: 'precision' | 'recall' | 'f1'): Interval => {
    const values = drawn.map((one) => one[what]).sort((a, b) => a - b);
    const at = (part: number) => values[Math.floor(part * (values.length - 1))] ?? 0;
    return { value: all[what], low: at(0.025), high: at(0.975) };
  };
  return { precision: interval('precision'), recall: interval('recall'), f1: interval('f1') };
}

function peopleOf(records: { truth: string; identity: number }[]): Person[] {
  const sizes = new Map<number, number>();
  const of = new Map<string, Map<number, number>>();
  for (const { truth, identity } of records) {
    sizes.set(identity, (sizes.get(identity) ?? 0) + 1);
    const known = of.get(truth) ?? new Map<number, number>();
    of.set(truth, known.set(identity, (known.get(identity) ?? 0) + 1));
  }
  return Array.from(of.values(), (identities) => {
    const person = { right: 0, own: 0, found: 0 };
    let own = 0;
    for (const [identity, here] of identities) {
      own += here;
      person.right += pairs(here);
      // Half of a pair of two people counts for each of them.
      person.found += pairs(here) + (here * ((sizes.get(identity) ?? here) - here)) / 2;
    }
    return { ...person, own: pairs(own) };
  });
}

function figuresOf(people: Person[], random: Random | null) {
  let [right, own, found] = [0, 0, 0];
  for (const person of people) {
    const weight = random ? poisson(random) : 1;
    right += weight * person.right;
    own += weight * person.own;
    found += weight * person.found;
  }
  const [precision, recall] = [right / (found || 1), right / (own || 1)];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) };
}

/** Draws from the Poisson distribution with mean 1 (Knuth). */
function poisson(random: Random): number {
  let count = 0;
  for (let left = random.next(); left > Math.exp(-1); left *= random.next()) count++;
  return count;
}
