// An answer from outside is believed in nothing that can be looked at.
import { describe, expect, test } from 'vitest';
import { answerOf, readAnswer } from '../../../src/graph/wire/answer.ts';

const HIT = { identity: 7, type: 'email', primary: true, share: 1, firstSeen: null, lastSeen: 5 };
const PERSON = { id: 7, names: ['Ann Lindqvist'], firstSeen: null, lastSeen: 5, records: 1, sources: 1 };
const ANSWER = {
  total: 10,
  newest: 5,
  values: [[HIT], []],
  name: { identities: [7], bearers: 1, given: [] },
  identities: [PERSON],
};
const read = (sent: unknown) => readAnswer(sent, [0, 2], 3);

test('an honest one is taken, each value at its place, and sent as it came', () => {
  const answer = read(ANSWER);
  expect(answer.values).toEqual([[HIT], [], []]);
  expect(answer.identities.get(7)).toEqual(PERSON);
  expect(answerOf({ ...answer, values: answer.values.slice(0, 2) })).toEqual(ANSWER);
});

const LIES: [string, unknown][] = [
  ['nothing', undefined],
  ['a list', []],
  ['a text', 'total'],
  ['too few values', { ...ANSWER, values: [[HIT]] }],
  ['too many values', { ...ANSWER, values: [[HIT], [], []] }],
  ['more identities than are safe to count', { ...ANSWER, total: 1e30 }],
  ['a negative total', { ...ANSWER, total: -1 }],
  ['half a person', { ...ANSWER, total: 1.5 }],
  ['fewer people than it names', { ...ANSWER, total: 0 }],
  ['more sharers than people', { ...ANSWER, values: [[{ ...HIT, share: 11 }], []] }],
  ['a share of nobody', { ...ANSWER, values: [[{ ...HIT, share: 0 }], []] }],
  ['a share that is no number', { ...ANSWER, values: [[{ ...HIT, share: null }], []] }],
  ['a negative identity', { ...ANSWER, values: [[{ ...HIT, identity: -7 }], []] }],
  ['an identity in words', { ...ANSWER, values: [[{ ...HIT, identity: '__proto__' }], []] }],
  ['an identity twice behind one value', { ...ANSWER, values: [[HIT, HIT], []] }],
  ['an identity twice', { ...ANSWER, identities: [PERSON, PERSON] }],
  ['a person that nothing led to', { ...ANSWER, identities: [PERSON, { ...PERSON, id: 8 }] }],
  ['a given name of somebody else', { ...ANSWER, name: { ...ANSWER.name, given: [9] } }],
  ['more bearers than people', { ...ANSWER, name: { ...ANSWER.name, bearers: 11 } }],
  ['a kind of hit that there is not', { ...ANSWER, values: [[{ ...HIT, type: 'passport' }], []] }],
  ['a date beyond all years', { ...ANSWER, newest: 9e15 }],
  ['a date that is a text', { ...ANSWER, newest: '2020-01-01' }],
  ['a name without end', { ...ANSWER, identities: [{ ...PERSON, names: ['x'.repeat(401)] }] }],
  [
    'names without end',
    { ...ANSWER, identities: [{ ...PERSON, names: Array.from({ length: 17 }, () => 'x') }] },
  ],
  ['a name that is no text', { ...ANSWER, identities: [{ ...PERSON, names: [{}] }] }],
  [
    'people without end',
    {
      ...ANSWER,
      total: 1e9,
      name: { identities: Array.from({ length: 2000 }, (_, i) => i + 1), bearers: 1, given: [] },
    },
  ],
];

describe('an answer with', () => {
  test.each(LIES)('%s is none', (_, sent) => {
    expect(() => read(sent)).toThrow(expect.objectContaining({ code: 'graph_bad_response' }));
  });
});

test('a great graph is none of these', () => {
  expect(read({ ...ANSWER, total: 9e15, newest: 253_402_300_799_999 }).total).toBe(9e15);
});
