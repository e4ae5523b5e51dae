import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asciiDigits, clean, fold } from '../../src/normalise/text.ts';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());

describe('clean', () => {
  test.each([
    ['  Ann \t  Lee\n', 'Ann Lee'],
    ['Ann\u200bLee', 'Ann Lee'],
    ['Jose\u0301', 'José'],
    ['\u202eAnn\u202c', 'Ann'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('is idempotent on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(clean(clean(text))).toBe(clean(text));
      }),
    );
  });
});

describe('fold', () => {
  test.each([
    ['Ñandú', 'nandu'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['Москва', 'moskva'],
    ['Łódź', 'lodz'],
    ['ＡＢＣ', 'abc'],
  ])('%s becomes %s', (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  it('gives printable ASCII and is idempotent on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = fold(text);
        expect(folded).toMatch(/^[\x20-\x7e]*$/);
        expect(fold(folded)).toBe(folded);
      }),
    );
  });

  it('does not depend on the Unicode form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text));
      }),
    );
  });
});

describe('asciiDigits', () => {
  it('agrees with Unicode compatibility wherever that knows a digit', () => {
    const wrong = [];
    for (let code = 0x80; code < 0x20000; code += 1) {
      const digit = String.fromCodePoint(code);
      const known = digit.normalize('NFKC');
      if (/\p{Nd}/u.test(digit) && /^\d$/.test(known) && asciiDigits(digit) !== known) wrong.push(digit);
    }
    expect(wrong).toEqual([]);
  });

  it('reads the digits of scripts that have no compatibility form', () => {
    expect(asciiDigits('٤١٥ ۴۵۶ ०१९ ๒๓ ᥆᥏')).toBe('415 456 019 23 09');
  });

  it('reads two digit runs that touch', () => {
    expect(asciiDigits('\u{116d0}\u{116d9}\u{116da}\u{116e3}')).toBe('0909');
  });

  it('leaves no other digit behind and keeps ASCII as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(asciiDigits(text)).not.toMatch(/(?![0-9])\p{Nd}/u);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(asciiDigits(text)).toBe(text);
      }),
    );
  });
});
