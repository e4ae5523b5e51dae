import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { duplicateKeys } from '../../src/claim/json.ts';

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
