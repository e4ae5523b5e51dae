import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BonafideError } from '../../src/errors.ts';
import { findDuplicateFieldIssues, parseJsonObject } from '../../src/claim/json.ts';

const pointers = (text: string) => (findDuplicateFieldIssues(text) ?? []).map(({ pointer }) => pointer);

it('a field that occurs twice is found, at any depth and in any spelling', () => {
  expect(pointers('{"zip":1,"address":{"street":[{"city":1,"\\u0063ity":2}]},"zip":3}')).toEqual([
    '/address/street/0/city',
    '/zip',
  ]);
});

it('an unknown key is not repeated unless it is a misspelt field: it may be a misplaced value', () => {
  expect(pointers('{"jane@example.com":1,"jane@example.com":2}')).toEqual(['']);
  expect(pointers('{"address":{"+14155550100":{"zip":1,"zip":2}}}')).toEqual(['/address/zip']);
  const misplaced = '{"address":{"JaneQuimby":1,"JaneQuimby":2},"emial":1,"emial":2,"Emily":1,"Emily":2}';
  expect(pointers(misplaced)).toEqual(['/address', '/emial', '']);
  expect(pointers(`{${'"a":1,'.repeat(500)}"a":1}`)).toHaveLength(51);
});

it('a field may occur twice inside an intent, which may be any JSON', () => {
  expect(pointers('{"intent":{"zip":1,"zip":2,"a":[{"b":1,"b":2}]}}')).toEqual([]);
  expect(pointers('{"intent":{"zip":1},"intent":2,"zip":1,"zip":2}')).toEqual(['/intent', '/zip']);
});

it('valid JSON without a repeated field has no issue, with any white space', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      expect(pointers(JSON.stringify(value, null, space))).toEqual([]);
    }),
  );
});

it('a repeated field is found in any object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
      const key = JSON.stringify(Object.keys(object)[0]);
      expect(pointers(`${JSON.stringify(object).slice(0, -1)} , ${key} : 1}`)).toHaveLength(1);
    }),
  );
});

it('any text is read once: no character is read more than three times', () => {
  let looks = 0;
  class Watched extends String {
    override charCodeAt(index: number): number {
      looks++;
      return super.charCodeAt(index);
    }
  }
  for (const text of [
    `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    `{"name":"${'\\"'.repeat(30_000)}"}`,
    `{"name":"${'\\\\'.repeat(30_000)}"}`,
    `{"a"${' '.repeat(60_000)}:1}`,
    JSON.stringify(Array(20_000).fill('')),
  ]) {
    looks = 0;
    findDuplicateFieldIssues(new Watched(text) as string);
    expect(looks).toBeLessThanOrEqual(3 * text.length);
  }
});

it('a body that is nested too deep has one issue', () => {
  const issuesOf = (text: string) => {
    try {
      return parseJsonObject(Buffer.from(text)).issues;
    } catch (error) {
      return error instanceof BonafideError ? (error.details.issues ?? error.code) : error;
    }
  };
  const deep = [{ pointer: '', code: 'too_deep', detail: expect.any(String) }];
  expect(issuesOf(`{"intent":${'['.repeat(32)}${']'.repeat(32)}}`)).toEqual(deep);
  expect(issuesOf(`{"a":1,"a":${'[{"a":1,"a":'.repeat(2000)}0${'}]'.repeat(2000)}}`)).toEqual(deep);
  expect(issuesOf('{"a":'.repeat(10_000))).toEqual(deep);
  expect(issuesOf('['.repeat(60_000))).toBe('invalid_json');
  expect(issuesOf(`${'['.repeat(30)}"`)).toBe('invalid_json');
  expect(issuesOf('{"a":"\\')).toBe('invalid_json');
  expect(issuesOf(`{"intent":${'['.repeat(31)}${']'.repeat(31)}}`)).toEqual([]);
  expect(issuesOf(`{"intent":"${'['.repeat(60_000)}\\""}`)).toEqual([]);
});

it('a body with more fields, lists and objects than its bound is refused before it is parsed', () => {
  const fields = (count: number) =>
    Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))));
  const tooMany = { details: { issues: [{ pointer: '', code: 'too_many', detail: expect.any(String) }] } };
  expect(parseJsonObject(fields(9), 10).issues).toEqual([]);
  expect(() => parseJsonObject(fields(10), 10)).toThrow(expect.objectContaining(tooMany));
  expect(() => parseJsonObject(Buffer.from(`{"a":[${'{},'.repeat(9)}`), 10)).toThrow(
    expect.objectContaining(tooMany),
  );
});

it('a pointer has at most 200 characters; a longer one ends at a parent', () => {
  const key = 'emailAddresses';
  const text = `${`{"${key}":`.repeat(30)}{"zip":1,"zip":2}${'}'.repeat(30)}`;
  expect(pointers(text)).toEqual([`/${key}`.repeat(13) + '/zip']);
});
