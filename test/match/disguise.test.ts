// Values that are written to look like other values, and numbers that cannot exist.
import { expect, test } from 'vitest';
import { findDisguisedContactSign, hasMixedScripts } from '../../src/match/disguise.ts';
import type { Contact } from '../../src/model.ts';
import { prepareName } from '../../src/names/index.ts';
import { normaliseEmail } from '../../src/normalise/email.ts';
import { normalisePhone } from '../../src/normalise/phone.ts';

const UNKNOWN = { agreements: [], hasLookAlike: false };
const disguiseOf = (
  name: string,
  contact: Contact | null,
  known: Parameters<typeof findDisguisedContactSign>[1] = UNKNOWN,
) => contact && findDisguisedContactSign(contact, known, prepareName(name));

test.each([
  ['William Dewhurst', 'vvilliam.dewhurst@post.example'],
  ['William Dewhurst', 'wi11iam_devvhurst@post.example'],
  ['Norma Cornish', 'norrna.cornish@post.example'],
  ['Norma Cornish', 'cornishnorrna@post.example'],
  ['Clive Stone', 'dive.stone@post.example'],
  ['Norma Cornish', 'nоrma.cornish@post.example'],
])('the e-mail of %s, written %s, looks like the name and is spelt otherwise', (name, email) => {
  expect(disguiseOf(name, normaliseEmail(email))).toBe('look_alike_letters');
});

test.each([
  ['William Dewhurst', 'william.dewhurst@post.example'],
  ['William Dewhurst', 'william.dewhurst1@post.example'],
  ['William Dewhurst', 'wdewhurst15@mail.com'],
  ['Norma Cornish', 'cornish.family@ymail.com'],
  ['Ann Li', 'ann.li@gmx.net'],
])('an ordinary e-mail of %s, %s, is not disguised', (name, email) => {
  expect(disguiseOf(name, normaliseEmail(email))).toBeNull();
});

test.each(['gmai1.com', 'gmial.com', 'outlok.com', 'gmail.corn', 'hotmall.com', 'yahooo.com'])(
  'the domain %s resembles a large provider',
  (domain) => {
    expect(disguiseOf('Ann Lee', normaliseEmail(`contact@${domain}`))).toBe('similar_provider');
  },
);

test('a number of one digit, or of digits in their order, cannot exist', () => {
  const numbers = ['0000000000', '1111111111', '5555555555', '1234567890'];
  for (const number of numbers)
    expect(disguiseOf('Ann Lee', normalisePhone(number))).toBe('impossible_number');
  for (const number of ['4155550100', '+442079460958', '+971508888888', '2345678901'])
    expect(disguiseOf('Ann Lee', normalisePhone(number))).toBeNull();
});

test('a value on record is never disguised', () => {
  const agreements = [
    { identity: 1, type: 'email' as const, primary: true, share: 1, firstSeen: null, lastSeen: null },
  ];
  const email = normaliseEmail('vvilliam.dewhurst@gmai1.com');
  expect(disguiseOf('William Dewhurst', email, { agreements, hasLookAlike: false })).toBeNull();
});

test('one Cyrillic or Greek letter in a Latin word is told, and two names in two scripts are not', () => {
  expect(['Williаm Dewhurst', 'Nοrma Cornish', 'Иbан'].map(hasMixedScripts)).toEqual([true, true, true]);
  expect(['Иван Ivanov', 'José Müller', 'O’Brien', '山田 Taro'].map(hasMixedScripts)).toEqual(
    Array(4).fill(false),
  );
});

test('a long text of marks of one script takes linear time', () => {
  const started = process.threadCpuUsage();
  expect(hasMixedScripts('\u0483'.repeat(100_000))).toBe(false);
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000);
});
