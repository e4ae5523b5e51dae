import type { Essence } from '../record.ts';
import type { StoredContact, StoredIdentifier } from '../stored.ts';
import { GENDERS, HEAD, KINDS, NONE, TYPES, UNIT } from './pack.ts';

/** Reads packed records out of one piece of memory, by the unit at which each begins. */
export function unpacking(bytes: ArrayBufferLike): (at: number) => Essence {
  const heads = new Uint32Array(bytes);
  const numbers = new Float64Array(bytes);
  const shorts = new Uint16Array(bytes);
  const characters = Buffer.from(bytes);
  let [number, short] = [0, 0];
  const nextNumber = () => numbers[number++] ?? 0;
  const nextShort = () => shorts[short++] ?? 0;
  const numbersOf = (count: number) => {
    const found: number[] = [];
    for (let i = 0; i < count; i++) found.push(nextNumber());
    return found;
  };
  const orNull = () => {
    const value = nextNumber();
    return Number.isNaN(value) ? null : value;
  };
  const contact = (): StoredContact => {
    const kind = KINDS[nextShort()] ?? 'email';
    const [keyCount, placeCount, gramCount] = [nextShort(), nextShort(), nextShort()];
    const keys: StoredContact['keys'] = [];
    for (let i = 0; i < keyCount; i++) keys.push([TYPES[nextShort()] ?? 'name', nextNumber()]);
    const places = numbersOf(placeCount);
    if (gramCount === NONE) return { kind, keys, signature: null, places };
    const grams: number[] = [];
    for (let i = 0; i < gramCount; i++) grams.push(nextShort());
    return { kind, keys, signature: { exactPart: nextNumber(), grams }, places };
  };
  const identifier = (): StoredIdentifier => ({
    type: nextNumber(),
    value: nextNumber(),
    once: nextShort() === 1,
  });
  return (at) => {
    const head = (at * UNIT) / 4;
    const [numberCount = 0, shortCount = 0, length = 0, wide = 0] = heads.subarray(head, head + 4);
    number = at + HEAD;
    short = (number + numberCount) * 4;
    const text = (short + shortCount) * 2;
    const [order, nameAndBirth, birthPlace] = [nextNumber(), orNull(), orNull()];
    const [firstSeen, lastSeen, gender] = [orNull(), orNull(), nextShort()];
    const [nameKeyCount, identifierCount] = [nextShort(), nextShort()];
    const nameKeys = numbersOf(nameKeyCount);
    const identifiers = Array.from({ length: identifierCount }, identifier);
    const all =
      wide === 1
        ? characters.toString('utf16le', text, text + length * 2)
        : characters.toString('latin1', text, text + length);
    let from = 0;
    const texts = Array.from({ length: nextShort() }, () => {
      const long = nextShort();
      return long === NONE ? null : all.slice(from, (from += long));
    });
    const [source, birthDate = null, label = null, ...names] = texts;
    const contacts = Array.from({ length: nextShort() }, contact);
    return {
      source: source ?? '',
      names: names.map((name) => name ?? ''),
      birthDate,
      label,
      firstSeen,
      lastSeen,
      contacts,
      birthPlace,
      gender: GENDERS[gender] ?? null,
      identifiers,
      order,
      nameKeys,
      nameAndBirth,
    };
  };
}
