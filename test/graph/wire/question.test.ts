// A query that is sent and parsed again has the keys of the original query.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseClaim } from '../../../src/claim/parse.ts';
import type { GraphQuery } from '../../../src/graph/graph.ts';
import { toGraphQuestionWithIndexes, parseGraphQueryBody } from '../../../src/graph/wire/question.ts';
import { buildGraphQuery } from '../../../src/match/graph-query.ts';
import { getGivenNameKey, getNameKeys, prepareName } from '../../../src/names/index.ts';

/** Returns the graph query of a request body. */
function queryOf(value: Record<string, unknown>, region: string): GraphQuery {
  const claim = parseClaim({ value, issues: [] }, region);
  const name = prepareName(claim.name);
  const { values } = buildGraphQuery(claim.contacts);
  return {
    name: claim.name,
    region,
    nameKeys: getNameKeys(name),
    givenNameKey: getGivenNameKey(name),
    hasSuffix: name.generation > 0,
    values,
  };
}

const digits = fc.stringMatching(/^\+?[0-9][0-9 ()-]{9,16}$/);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '12 Larch Street',
    'Apt 5',
    'İstanbul',
    '75008',
    'ﬁeld Straße 9',
    '97219-1234',
    '㍿ 5',
    ' x ',
  ),
);
const part = fc.option(text, { nil: '' });
const address = fc.record({
  street: part,
  street2: part,
  city: part,
  state: fc.constantFrom('', 'OR', 'ON', 'NSW', 'Bayern'),
  zip: fc.constantFrom('', '97219', '97219-1234', 'SW1A 1AA', '3000', '75008'),
  country: fc.constantFrom('', 'US', 'GB', 'france', 'AU', 'DE', '日本'),
});
const email = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom('ÜMLAUT@Exämple.com', 'İ@example.com', 'a.b+c@GMAIL.com', 'ⅷ@example.com', 'ﬁ@example.com'),
);
const body = fc.record({
  name: fc
    .oneof(text, fc.constantFrom('Ann Lindqvist', '王小明', "O'Neill, Dr. Seán"))
    .map((name) => `${name} A`),
  emails: fc.array(email, { maxLength: 3 }),
  phones: fc.array(digits, { maxLength: 3 }),
  addresses: fc.array(address, { maxLength: 3 }),
});

test('a query that is sent and parsed again has the same keys in any region', () => {
  fc.assert(
    fc.property(body, fc.constantFrom('US', 'GB', 'DE', 'AU', 'MX'), (value, region) => {
      let query: GraphQuery;
      try {
        query = queryOf(value, region);
      } catch {
        return;
      }
      const { question, valueIndexes: places } = toGraphQuestionWithIndexes(query);
      const there = parseGraphQueryBody({ value: JSON.parse(JSON.stringify(question)), issues: [] }, 'CA');
      expect([there.nameKeys, there.givenNameKey]).toEqual([query.nameKeys, query.givenNameKey]);
      const bare = ({ keys, signature }: GraphQuery['values'][number]) => ({ keys, signature });
      expect(there.values.map(bare)).toEqual(
        places.flatMap((place) => query.values.slice(place, place + 1)).map(bare),
      );
      const left = query.values.filter((_, i) => !places.includes(i));
      expect(left.every(({ keys }) => keys.length === 0)).toBe(true);
    }),
    { numRuns: 600 },
  );
});
