import type { Essence } from '../record.ts';
import type { StoredContact, StoredIdentifier } from '../stored.ts';
import { GENDERS, HEAD, KINDS, NONE, ONCE, TYPES, UNIT } from './pack.ts';

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
    const [fine, inUnit] = [nextShort(), nextShort()];
    const keys: StoredContact['keys'] = [];
    for (let i = 0; i < keyCount; i++) keys.push([TYPES[nextShort()] ?? 'name', nextNumber()]);
    const found: StoredContact = { kind, keys, signature: null, places: numbersOf(placeCount) };
    const postcode = found.places[fine - 1];
    if (postcode !== undefined) found.postcode = postcode;
    if (inUnit === 1) found.unit = nextNumber();
    if (gramCount === NONE) return found;
    const grams: number[] = [];
    for (let i = 0; i < gramCount; i++) grams.push(nextShort());
    found.signature = { exactPart: nextNumber(), grams };
    return found;
  };
  const identifier = (): StoredIdentifier => ({
    type: nextNumber(),
    value: nextNumber(),
    once: ONCE[nextShort()] ?? false,
  });
  return (at) => {
    const head = (at * UNIT) / 4;
    const [numberCount, shortCount] = [heads[head] ?? 0, heads[head + 1] ?? 0];
    const [length, wide] = [heads[head + 2] ?? 0, heads[head + 3] ?? 0];
    number = at + HEAD;
    short = (number + numberCount) * 4;
    const text = (short + shortCount) * 2;
    const [order, nameAndBirth, birthPlace] = [nextNumber(), orNull(), orNull()];
    const [firstSeen, lastSeen, gender] = [orNull(), orNull(), nextShort()];
    const [nameKeyCount, identifierCount] = [nextShort(), nextShort()];
    const nameKeys = numbersOf(nameKeyCount);
    const identifiers = several(identifierCount, identifier);
    const all =
      wide === 1
        ? characters.toString('utf16le', text, text + length * 2)
        : characters.toString('latin1', text, text + length);
    let from = 0;
    const texts = several(nextShort(), () => {
      const long = nextShort();
      return long === NONE ? null : all.slice(from, (from += long));
    });
    const [source, birthDate = null, label = null, ...names] = texts;
    const contacts = several(nextShort(), contact);
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

function several<T>(count: number, next: () => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(next());
  return all;
}
