// Facts as bytes: numbers of eight bytes, one after the other. Another order is another FORMAT; see link-file.ts.
import type { Count, Counted, Facts } from '../../../link/counted/facts.ts';

export function factsToBytes(facts: Facts): Buffer {
  const { order, person, dated, label, contacts, keys, ends, words, counts } = facts;
  const lists = [contacts, keys, ends, words];
  const numbers = [order, person, dated, label, ...lists.map(({ length }) => length), ...lists.flat()];
  for (const { what, key, under } of counts) numbers.push(what, key, under);
  return Buffer.from(Float64Array.from(numbers).buffer);
}

const HEAD = 8;

export function factsFromBytes(bytes: Buffer): Facts {
  const numbers = new Float64Array(bytes.length / 8);
  Buffer.from(numbers.buffer).set(bytes);
  const [order = 0, person = 0, dated = 0, label = 0, contacts = 0, keys = 0, ends = 0, words = 0] = numbers;
  let at = HEAD;
  const next = (count: number) => [...numbers.subarray(at, (at += count))];
  const facts = {
    order,
    person,
    dated,
    label,
    contacts: next(contacts),
    keys: next(keys),
    ends: next(ends),
    words: next(words),
  };
  const counts: Count[] = [];
  for (; at < numbers.length; at += 3) {
    const [what = 0, key = 0, under = 0] = numbers.subarray(at, at + 3);
    counts.push({ what: what as Counted, key, under });
  }
  return { ...facts, counts };
}
