import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { normaliseEmail } from '../../src/normalise/email.ts';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
const keyText = (text: string, name: string): string | undefined =>
  normaliseEmail(text)?.keys.find((one) => one.type === name)?.text;

describe('a usable address', () => {
  test.each([
    [' Ann.Lee@Example.COM ', 'ann.lee@example.com'],
    ["o'brien+x@mail.example", "o'brien+x@mail.example"],
    ['josé@example.com', 'josé@example.com'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['info@müller.example', 'info@xn--mller-kva.example'],
    ['a@b.co', 'a@b.co'],
  ])('%s has the exact key %s', (text, expected) => {
    expect(keyText(text, 'email')).toBe(expected);
  });

  it('is standardized to lower case, with its international domain as typed', () => {
    expect(normaliseEmail('INFO@MÜLLER.example')?.standardized).toBe('info@müller.example');
  });
});

describe('one mailbox, many spellings', () => {
  test.each([
    ['Ann.Lee+shop@googlemail.com', 'annlee@gmail.com'],
    ['a.n.n@gmail.com', 'ann@gmail.com'],
    ['ann+a+b@outlook.com', 'ann@outlook.com'],
    ['ann-list@yahoo.com', 'ann@yahoo.com'],
    ['ann@me.com', 'ann@icloud.com'],
    ['a_nn@protonmail.com', 'ann@proton.me'],
    ['ann-lee@example.com', 'ann-lee@example.com'],
    ['ann.lee@example.com', 'ann.lee@example.com'],
    ['+only@gmail.com', '+only@gmail.com'],
  ])('%s is the mailbox %s', (text, expected) => {
    expect(keyText(text, 'mailbox')).toBe(expected);
  });
});

describe('not an address', () => {
  test.each([
    '',
    '@',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.de',
    'a..b@c.de',
    '.a@c.de',
    'a.@c.de',
    'a@c..de',
    'a@-c.de',
    'a@c-.de',
    'a@1.2.3.4',
    '"a b"@c.de',
    'a@[1.2.3.4]',
    'a@b@c.de',
    'Ann <a@c.de>',
    'mailto:x y@c.de',
    `${'a'.repeat(65)}@c.de`,
    `a@${'b'.repeat(64)}.de`,
    `a@${'b.'.repeat(130)}de`,
    'a@c.d',
    'a@exa mple.com',
    'a@c.de,b@c.de',
  ])('%s is refused', (text) => {
    expect(normaliseEmail(text)).toBeNull();
  });
});

describe('any text', () => {
  it('never throws, and the standardized address gives the same keys', () => {
    const nearly = fc.tuple(anyText, anyText).map(([local, domain]) => `${local}@${domain}.com`);
    fc.assert(
      fc.property(fc.oneof(anyText, nearly, fc.emailAddress()), (text) => {
        const normal = normaliseEmail(text);
        expect(normal === null ? undefined : normaliseEmail(normal.standardized)?.keys).toEqual(normal?.keys);
      }),
    );
  });

  it('does not depend on case or outer spaces', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const { keys, standardized } = normaliseEmail(text.toLowerCase()) ?? {};
        expect(normaliseEmail(`  ${text.toUpperCase()}\t`)?.standardized).toBe(standardized);
        expect(normaliseEmail(`  ${text.toUpperCase()}\t`)?.keys).toEqual(keys);
      }),
    );
  });

  it('has a mailbox that is its own mailbox', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const mailbox = keyText(text, 'mailbox');
        expect(keyText(mailbox ?? '', 'mailbox')).toBe(mailbox);
      }),
    );
  });
});
