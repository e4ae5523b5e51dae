// Merging of answers of several graphs.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GraphAnswer } from '../../../src/graph/graph.ts';
import {
  mergeGraphAnswers,
  toMergedIdentityNumber,
  renumberGraphAnswer,
} from '../../../src/graph/merged/merge.ts';
import type { ContactMatch, Identity } from '../../../src/model.ts';
import { getNameKeys, prepareName } from '../../../src/names/index.ts';
import { createIdentity } from '../../kit/values/identity.ts';

const NAMES = { nameKeys: getNameKeys(prepareName('Rosalind Fairweather')) };
const hit = (identity: number, more: Partial<ContactMatch> = {}): ContactMatch => ({
  identity,
  type: 'email',
  primary: true,
  share: 1,
  firstSeen: null,
  lastSeen: null,
  ...more,
});
const person = (id: number, names: string[], more: Partial<Identity> = {}): Identity => ({
  ...createIdentity(id, ...names),
  ...more,
});
const answer = (
  people: Identity[],
  values: ContactMatch[][],
  more: Partial<GraphAnswer> = {},
): GraphAnswer => ({
  total: 1000,
  newest: null,
  values,
  name: { identities: people.map(({ id }) => id), bearers: people.length, given: [] },
  identities: new Map(people.map((one) => [one.id, one])),
  ...more,
});
const of = (...answers: GraphAnswer[]) =>
  mergeGraphAnswers(
    answers.map((one, index) => renumberGraphAnswer(one, { index, graphCount: answers.length })),
    NAMES,
  );

test('equal numbers of different graphs become different numbers, always the same ones', () => {
  const all = [0, 1, 2].flatMap((index) =>
    [1, 2, 3].map((number) => toMergedIdentityNumber({ index, graphCount: 3 }, number)),
  );
  expect(new Set(all).size).toBe(9);
  expect(toMergedIdentityNumber({ index: 1, graphCount: 2 }, 7)).toBe(15);
  expect(() => toMergedIdentityNumber({ index: 1, graphCount: 2 }, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ code: 'graph_bad_response' }),
  );
});

test('identities with one name and a common contact become one, with the first number and the dates of both', () => {
  const year = (y: number) => Date.UTC(y, 0, 1);
  const { values, identities, name, total } = of(
    answer(
      [person(3, ['Rosalind Fairweather'], { firstSeen: year(2015), lastSeen: year(2018), records: 2 })],
      [[hit(3)], [hit(3, { type: 'phone', primary: false })]],
    ),
    answer(
      [person(9, ['Fairweather, Rosalind'], { firstSeen: year(2017), lastSeen: year(2024) })],
      [[hit(9, { primary: false })], []],
    ),
  );
  expect([...identities.values()]).toEqual([
    {
      id: 6,
      names: ['Rosalind Fairweather', 'Fairweather, Rosalind'],
      firstSeen: year(2015),
      lastSeen: year(2024),
      records: 3,
      sources: 2,
    },
  ]);
  const dates = { firstSeen: year(2015), lastSeen: year(2024) };
  expect(values).toEqual([[hit(6, dates)], [hit(6, { type: 'phone', primary: false, ...dates })]]);
  expect(name).toEqual({ identities: [6], bearers: 1, given: [] });
  expect(total).toBe(2000);
});

test('identities of the second graph stay if the first graph has many of the name', () => {
  const people = Array.from({ length: 24 }, (_, id) => person(id + 1, ['Rosalind Fairweather']));
  const merged = of(
    answer(people, [[]]),
    answer([person(7, ['Rosalind Fairweather'])], [[]], {
      name: { identities: [7, 8], bearers: 2, given: [], housemates: [[7, 8]] },
    }),
  );
  expect(merged.name.identities).toEqual(
    expect.arrayContaining([...merged.identities.keys(), ...(merged.name.housemates?.flat() ?? [NaN])]),
  );
});

test('a contact of a joined identity was last seen when a graph last saw it', () => {
  const year = (y: number) => Date.UTC(y, 0, 1);
  const [old, current] = [{ lastSeen: year(2018) }, { lastSeen: year(2024) }];
  const { values } = of(
    answer(
      [person(3, ['Rosalind Fairweather'], old)],
      [
        [hit(3, old)],
        [hit(3, old)],
        [hit(3, old)],
        [hit(3, { ...old, contactLastSeen: null })],
        [hit(3, { ...old, contactLastSeen: year(2015) })],
      ],
    ),
    answer(
      [person(3, ['Rosalind Fairweather'], current)],
      [[hit(3, current)], [hit(3, { ...current, contactLastSeen: year(2020) })], [], [], [hit(3, current)]],
    ),
  );
  const seen = values.map(([match]) => [match?.lastSeen, match?.contactLastSeen]);
  expect(seen).toEqual([
    [year(2024), undefined],
    [year(2024), year(2020)],
    [year(2024), year(2018)],
    [year(2024), null],
    [year(2024), undefined],
  ]);
});

test('identities with different names and a common contact stay two, which share the contact', () => {
  const { values, identities } = of(
    answer([person(3, ['Rosalind Fairweather'])], [[hit(3)]]),
    answer([person(3, ['Hugo Grimaldi'])], [[hit(3)]]),
  );
  expect([...identities.keys()]).toEqual([6, 7]);
  expect(values).toEqual([[hit(6, { share: 2 }), hit(7, { share: 2 })]]);
});

test('identities with one name and no common contact stay two', () => {
  const { identities, name } = of(
    answer([person(3, ['Rosalind Fairweather'])], [[hit(3)], []]),
    answer([person(3, ['Rosalind Fairweather'])], [[], [hit(3)]]),
  );
  expect([...identities.keys()]).toEqual([6, 7]);
  expect(name.bearers).toBe(2);
});

test('father and son with one name and one e-mail stay two', () => {
  const { identities } = of(
    answer([person(1, ['Hugo Grimaldi Sr'])], [[hit(1)]]),
    answer([person(1, ['Hugo Grimaldi Jr'])], [[hit(1)]]),
  );
  expect(identities.size).toBe(2);
});

test('two identities of one graph are never joined: the more similar one is joined with the other graph’s identity', () => {
  const { identities } = of(
    answer(
      [person(1, ['Rosalind Fairweather']), person(2, ['Rosa Fairweather'])],
      [[hit(1), hit(2)], [hit(1)]],
    ),
    answer([person(1, ['Rosalind Fairweather'])], [[hit(1)], [hit(1)]]),
  );
  expect([...identities.keys()]).toEqual([2, 4]);
  expect(identities.get(2)?.records).toBe(2);
});

const arbitraryAnswer = fc
  .array(
    fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      name: fc.constantFrom('Rosalind Fairweather', 'R. Fairweather', 'Hugo Grimaldi', ''),
      has: fc.array(fc.constantFrom('email', 'mailbox', 'typo', 'none'), { minLength: 3, maxLength: 3 }),
    }),
    { maxLength: 4 },
  )
  .map((people) => {
    const own = [...new Map(people.map((one) => [one.id, one])).values()];
    const values = [0, 1, 2].map((v) =>
      own.flatMap(({ id, has }) =>
        has[v] === 'none' ? [] : [hit(id, { type: has[v] as 'email', share: own.length })],
      ),
    );
    return answer(
      own.map(({ id, name }) => person(id, name === '' ? [] : [name])),
      values,
    );
  });

test('for any answers, no identity is lost or duplicated, and shares do not exceed the number of identities', () => {
  fc.assert(
    fc.property(fc.array(arbitraryAnswer, { minLength: 2, maxLength: 3 }), (answers) => {
      const whole = of(...answers);
      for (const [v, hits] of whole.values.entries()) {
        const ids = hits.map(({ identity }) => identity);
        expect(new Set(ids).size).toBe(ids.length);
        const most = answers.reduce((sum, { values }) => sum + (values[v]?.[0]?.share ?? 0), 0);
        for (const { share } of hits) expect(share >= 1 && share <= Math.max(1, most)).toBe(true);
        const known = answers.some(({ values }) => (values[v] ?? []).length > 0);
        expect(hits.length > 0).toBe(known);
      }
      for (const [id, one] of whole.identities) expect(one.id).toBe(id);
      const records = [...whole.identities.values()].reduce((sum, one) => sum + one.records, 0);
      expect(records).toBe(answers.reduce((sum, { identities }) => sum + identities.size, 0));
      expect(of(...answers)).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});
