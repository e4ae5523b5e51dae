import type { Facts } from '../../link/counted/facts.ts';

/** One record behind a key, and whom it may be by name; see `NOBODY`. */
export interface Behind {
  row: number;
  person: number;
}

/** The person of what is found under a key that nobody is compared for. */
export const NOBODY = -1;

/** Under what a record is found, and by which person; `NOBODY` where nobody is compared for it. */
export function* entriesOf({
  contacts,
  keys,
  words,
  streets,
  label,
  person,
}: Facts): Iterable<[key: number, person: number]> {
  for (const key of [...contacts, ...keys]) yield [key, person];
  for (const key of [...words, ...streets]) yield [key, NOBODY];
  if (label !== 0) yield [label, NOBODY];
}
