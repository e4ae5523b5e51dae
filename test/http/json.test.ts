import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { duplicateKeys } from '../../src/http/json.ts';

const pointers = (text: string) => duplicateKeys(text).map(({ pointer }) => pointer);

it('a field that is there twice is found, at any depth and in any spelling', () => {
  expect(pointers('{"a":1,"b":{"c":[{"d":1,"\\u0064":2}]},"a":3}')).toEqual(['/b/c/0/d', '/a']);
  expect(pointers('{"a/b":1,"a/b":2,"~":1,"~":1}')).toEqual(['/a~1b', '/~0']);
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
