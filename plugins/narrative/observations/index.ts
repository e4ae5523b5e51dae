// What there is to say about a set of facts. One observation holds its wording for each list that may show it, so that a
// fact is told once per list and never in the same words twice.
import type { Known, Observation } from '../known.ts';
import { nameless, nameOnly, nothing, oneKind, unverified } from './gaps.ts';
import { catfish, different, otherName } from './others.ts';
import { dormant, history, thin } from './past.ts';
import { agreement, name, primary } from './support.ts';

const ALL = [
  catfish,
  otherName,
  different,
  nameless,
  thin,
  dormant,
  agreement,
  name,
  primary,
  history,
  unverified,
  oneKind,
  nothing,
  nameOnly,
];

/** Everything there is to say, strongest first. */
export function observe(known: Known): Observation[] {
  return ALL.map((one) => one(known)).filter((found) => found !== undefined);
}
