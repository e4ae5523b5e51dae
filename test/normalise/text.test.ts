import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import {
  toAsciiDigits,
  collapseSpaces,
  foldToAscii,
  joinLinesWithCommas,
  toUnicodeNormalForm,
  trimAndNormaliseToNfc,
} from '../../src/normalise/text.ts';
import { normaliseContact } from '../../src/normalise/contact.ts';
import { prepareName } from '../../src/names/index.ts';
import { readSources } from '../kit/arrows.ts';
import { NO_ADDRESS } from '../kit/graphs/graph.ts';
import { nastyTexts } from '../kit/values/nasty.ts';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());

describe('clean', () => {
  test.each([
    ['  Ann \t  Lee\n', 'Ann Lee'],
    ['Ann\u200bLee', 'Ann Lee'],
    ['Lin\u200ba Grand\u00adjean', 'Lina Grandjean'],
    ['LIN\u200bA', 'LINA'],
    ['علی\u200cرضا', 'علی رضا'],
    ['Jose\u0301', 'José'],
    ['\u202eAnn\u202c', 'Ann'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(collapseSpaces(text)).toBe(expected);
  });

  it('is idempotent on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(collapseSpaces(collapseSpaces(text))).toBe(collapseSpaces(text));
      }),
    );
  });
});

describe('normalForm', () => {
  it('equals Unicode normalisation if no letter has more than thirty marks', () => {
    const marks = fc.stringMatching(/^[\u0300-\u036f\u0590-\u05c7\u3099]{0,30}$/);
    const letters = fc.array(fc.tuple(fc.constantFrom('a', 'é', 'ו', 'カ', '각', '\ufdfa'), marks), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(letters, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (pairs, form) => {
        const text = pairs.flat().join('');
        expect(toUnicodeNormalForm(text, form as 'NFC')).toBe(text.normalize(form));
      }),
    );
  });

  it('keeps every mark of a letter that has a hundred', () => {
    const text = `a${'\u0316\u0301'.repeat(200)}b`;
    expect([...toUnicodeNormalForm(text, 'NFD')].toSorted()).toEqual([...text].toSorted());
  });

  // String.normalize takes quadratic time for one run of marks, and linear time otherwise.
  it.each(Object.entries(nastyTexts(64_000)))('%s: no long run comes before Unicode', (_kind, text) => {
    let [longest, total] = [0, 0];
    const normalize = String.prototype.normalize;
    const spy = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
      for (const [run] of this.matchAll(/[\p{M}\uff9e\uff9f]+/gu)) longest = Math.max(longest, run.length);
      total += this.length;
      return normalize.call(this, form);
    });
    const part = text.slice(0, 200);
    try {
      for (const some of [text, text.slice(0, 2000)]) {
        for (const use of [collapseSpaces, foldToAscii, trimAndNormaliseToNfc, prepareName]) use(some);
        normaliseContact('email', some, 'US');
        normaliseContact('phone', some, 'US');
      }
      normaliseContact('address', { ...NO_ADDRESS, street: part, city: part, zip: part }, 'US');
    } finally {
      spy.mockRestore();
    }
    expect(longest).toBeLessThanOrEqual(256);
    expect(total).toBeLessThan(text.length);
  });
});

test('only one place calls String.normalize', () => {
  const asking = readSources(TOP, ['src', 'plugins']).filter(({ text }) => /\.normalize\(/.test(text));
  // src/generate reads no input, and paste.ts short texts of the user's own browser, so they may call String.normalize.
  expect(asking.map(({ file }) => file)).toEqual([
    'src/console/check/paste.ts',
    'src/generate/contacts.ts',
    'src/normalise/text.ts',
  ]);
});

test('lines are joined by commas, with any number of blank lines between them', () => {
  expect(joinLinesWithCommas(' 1 Main St \r\n\n  \n Apt 4\n')).toBe('1 Main St, Apt 4');
  expect(joinLinesWithCommas('one line ')).toBe('one line ');
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
    expect(foldToAscii(text)).toBe(expected);
  });

  it('gives printable ASCII and is idempotent on any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldToAscii(text);
        expect(folded).toMatch(/^[\x20-\x7e]*$/);
        expect(foldToAscii(folded)).toBe(folded);
      }),
    );
  });

  it('does not depend on the Unicode form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldToAscii(text.normalize('NFD'))).toBe(foldToAscii(text));
      }),
    );
  });
});

describe('asciiDigits', () => {
  it('agrees with Unicode compatibility for every digit that has it', () => {
    const wrong = [];
    for (let code = 0x80; code < 0x20000; code += 1) {
      const digit = String.fromCodePoint(code);
      const known = digit.normalize('NFKC');
      if (/\p{Nd}/u.test(digit) && /^\d$/.test(known) && toAsciiDigits(digit) !== known) wrong.push(digit);
    }
    expect(wrong).toEqual([]);
  });

  it('reads the digits of scripts that have no compatibility form', () => {
    expect(toAsciiDigits('٤١٥ ۴۵۶ ०१९ ๒๓ ᥆᥏')).toBe('415 456 019 23 09');
  });

  it('reads adjacent digits of two scripts', () => {
    expect(toAsciiDigits('\u{116d0}\u{116d9}\u{116da}\u{116e3}')).toBe('0909');
  });

  it('leaves no other digit behind and keeps ASCII as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toAsciiDigits(text)).not.toMatch(/(?![0-9])\p{Nd}/u);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(toAsciiDigits(text)).toBe(text);
      }),
    );
  });
});
