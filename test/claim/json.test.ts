import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BonafideError } from '../../src/errors.ts';
import { duplicateKeys, readObject } from '../../src/claim/json.ts';

const pointers = (text: string) => duplicateKeys(text).map(({ pointer }) => pointer);

it('a field that is there twice is found, at any depth and in any spelling', () => {
  expect(pointers('{"a":1,"b":{"c":[{"d":1,"\\u0064":2}]},"a":3}')).toEqual(['/b/c/0/d', '/a']);
});

it('a key that does not look like a field is not repeated: it may be a misplaced value', () => {
  expect(pointers('{"jane@example.com":1,"jane@example.com":2}')).toEqual(['']);
  expect(pointers('{"intent":{"+14155550100":{"a":1,"a":2}}}')).toEqual(['/intent/a']);
  expect(pointers(`{${'"a":1,'.repeat(500)}"a":1}`)).toHaveLength(50);
});

it('no valid JSON without a repeated field has one, however it is spaced', () => {
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

it('a text is walked over once, whatever is in it: no character is looked at more than thrice', () => {
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
    duplicateKeys(new Watched(text) as string);
    expect(looks).toBeLessThanOrEqual(3 * text.length);
  }
});

it('a body that nests deeper than any request is told so, and nothing more', () => {
  const issuesOf = (text: string) => {
    try {
      return readObject(Buffer.from(text)).issues;
    } catch (error) {
      return error instanceof BonafideError ? (error.details.issues ?? error.code) : error;
    }
  };
  const deep = [{ pointer: '', code: 'too_deep', detail: expect.any(String) }];
  expect(issuesOf(`{"intent":${'['.repeat(32)}${']'.repeat(32)}}`)).toEqual(deep);
  expect(issuesOf(`{"a":1,"a":${'[{"a":1,"a":'.repeat(2000)}0${'}]'.repeat(2000)}}`)).toEqual(deep);
  expect(issuesOf('['.repeat(60_000))).toBe('invalid_json');
  expect(issuesOf(`{"intent":${'['.repeat(31)}${']'.repeat(31)}}`)).toEqual([]);
  expect(issuesOf(`{"intent":"${'['.repeat(60_000)}\\""}`)).toEqual([]);
});

it('a pointer has at most 200 characters: a longer one ends at a parent', () => {
  const key = 'k'.repeat(40);
  const text = `${`{"${key}":`.repeat(30)}{"a":1,"a":2}${'}'.repeat(30)}`;
  expect(pointers(text)).toEqual([`/${key}`.repeat(4) + '/a']);
});
