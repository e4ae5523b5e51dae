// Properties of every text in the parts of an address.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Address } from '../../../src/model.ts';
import { normaliseAddress } from '../../../src/normalise/address.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '12',
        '1/2',
        '#',
        'apt',
        'N',
        'north',
        'st',
        'ave',
        'of',
        'the',
        'rue',
        'hwy',
        'po box',
        ',',
        '-',
        '4b',
        '5th',
        'fl',
        'Oak',
        'é',
      ),
      { maxLength: 9 },
    )
    .map((words) => words.join(' ')),
);
const anyAddress = fc.record({
  street: text,
  street2: text,
  city: text,
  state: text,
  zip: text,
  country: text,
});

test('never throws, and the standardized address has the same keys', () => {
  fc.assert(
    fc.property(anyAddress, fc.constantFrom('US', 'DE', 'XX'), (parts, region) => {
      const normal = normaliseAddress(parts, region);
      const again = normal === null ? null : normaliseAddress(normal.standardized, region);
      expect(again?.keys).toEqual(normal?.keys);
    }),
    { numRuns: 1000 },
  );
});

test('finds the unit in a second line with any mark', () => {
  const unit = (street2: string) =>
    normaliseAddress({ street: '12 Main St', street2, city: '', state: '', zip: '10001', country: '' })
      ?.keys[0]?.text;
  for (const mark of ['#5', '# 5', 'Apt 5', 'Apt #5', 'Unit 5', '5']) expect(unit(mark)).toBe(unit('Apt 5'));
  expect(unit('#B')).toBe(unit('Unit B'));
  expect(unit('#5')).not.toBe(unit(''));
});

test('has no empty part in a key that needs the part', () => {
  fc.assert(
    fc.property(anyAddress, (parts) => {
      for (const { text } of normaliseAddress(parts)?.keys ?? []) expect(text).toMatch(/^[^|]*\|[^|]+/);
    }),
    { numRuns: 1000 },
  );
});

test('does not depend on case, outer spaces or doubled spaces', () => {
  const plain = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz  0123456789,.#-/'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      fc.record({ street: plain, street2: plain, city: plain, state: plain, zip: plain, country: plain }),
      (parts) => {
        const shouted = Object.fromEntries(
          Object.entries(parts).map(([key, part]) => [key, `  ${part.toUpperCase().replaceAll(' ', '  ')} `]),
        ) as unknown as Address;
        const { keys, standardized } = normaliseAddress(parts) ?? {};
        expect(normaliseAddress(shouted)?.standardized).toEqual(standardized);
        expect(normaliseAddress(shouted)?.keys).toEqual(keys);
      },
    ),
    { numRuns: 500 },
  );
});

test('looks up words in linear time, even in hostile texts', () => {
  const watched = [
    vi.spyOn(Map.prototype, 'get'),
    vi.spyOn(Set.prototype, 'has'),
    vi.spyOn(RegExp.prototype, 'test'),
    vi.spyOn(RegExp.prototype, 'exec'),
  ];
  const looks = (piece: string, length: number) => {
    const long = piece.repeat(length / piece.length);
    for (const one of watched) one.mockClear();
    normaliseAddress({ street: long, street2: long, city: long, state: long, zip: long, country: long });
    return watched.reduce((sum, one) => sum + one.mock.calls.length, 0);
  };
  const pieces = ['12 ', 'apt ', '# ', 'a', '1', ', ', 'st ', '-', 'N ', 'box ', '½', '道'];
  const grown = pieces.map((piece) => [piece, looks(piece, 100), looks(piece, 200)] as const);
  for (const one of watched) one.mockRestore();
  for (const [piece, short, long] of grown) expect([piece, long <= 2.5 * short + 20]).toEqual([piece, true]);
});
