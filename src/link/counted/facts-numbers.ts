// Facts as numbers, one after the other: what an index keeps, and what threads hand over. Another order is another FORMAT of the index.
import type { Count, Counted, Facts } from './facts.ts';

export function factsToNumbers(facts: Facts): number[] {
  const { order, person, dated, label, contacts, keys, ends, words, streets, counts } = facts;
  const lists = [contacts, keys, ends, words, streets];
  const numbers = [order, person, dated, label, ...lists.map(({ length }) => length)];
  for (const list of lists) for (const one of list) numbers.push(one);
  for (const { what, key, under } of counts) numbers.push(what, key, under);
  return numbers;
}

const HEAD = 9;

export function factsFromNumbers(numbers: Float64Array): Facts {
  const [order = 0, person = 0, dated = 0, label = 0, ...lengths] = numbers.subarray(0, HEAD);
  const [contacts = 0, keys = 0, ends = 0, words = 0, streets = 0] = lengths;
  let at = HEAD;
  const next = (count: number) => {
    const list: number[] = [];
    for (const end = at + count; at < end; at++) list.push(numbers[at] ?? 0);
    return list;
  };
  const facts = {
    order,
    person,
    dated,
    label,
    contacts: next(contacts),
    keys: next(keys),
    ends: next(ends),
    words: next(words),
    streets: next(streets),
  };
  const counts: Count[] = [];
  for (; at < numbers.length; at += 3) {
    const [what = 0, key = 0, under = 0] = numbers.subarray(at, at + 3);
    counts.push({ what: what as Counted, key, under });
  }
  return { ...facts, counts };
}
