// Answers of other servers are checked before use.
import { describe, expect, test } from 'vitest';
import { toGraphAnswerJson, parseGraphAnswer } from '../../../src/graph/wire/answer.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-22T20:00:00Z');
const HIT = { identity: 7, type: 'email', primary: true, share: 1, firstSeen: null, lastSeen: 5 };
const PERSON = { id: 7, names: ['Ann Lindqvist'], firstSeen: null, lastSeen: 5, records: 1, sources: 1 };
const EMAIL = { raw: { kind: 'email', input: 'ann@post.example' } } as const;
const ASKED = [EMAIL, { raw: null }, { raw: { kind: 'phone', input: '5032340101' } } as const];
const ANSWER = {
  total: 10,
  newest: 5,
  values: [[HIT], []],
  name: { identities: [7], bearers: 1, given: [] },
  identities: [PERSON],
};
const read = (sent: unknown) => parseGraphAnswer(sent, { valueIndexes: [0, 2], values: ASKED, now: NOW });

test('a valid answer is parsed into the order of the query, and sent unchanged', () => {
  const answer = read(ANSWER);
  expect(answer.values).toEqual([[HIT], [], []]);
  expect(answer.identities.get(7)).toEqual(PERSON);
  expect(toGraphAnswerJson({ ...answer, values: answer.values.slice(0, 2) })).toEqual(ANSWER);
});

const LIES: [string, unknown][] = [
  ['nothing', undefined],
  ['a list', []],
  ['a text', 'total'],
  ['too few values', { ...ANSWER, values: [[HIT]] }],
  ['too many values', { ...ANSWER, values: [[HIT], [], []] }],
  ['a total above the safe integers', { ...ANSWER, total: 1e30 }],
  ['a negative total', { ...ANSWER, total: -1 }],
  ['a fractional total', { ...ANSWER, total: 1.5 }],
  ['a total below the number of identities', { ...ANSWER, total: 0 }],
  ['a share above the total', { ...ANSWER, values: [[{ ...HIT, share: 11 }], []] }],
  ['a share of 0', { ...ANSWER, values: [[{ ...HIT, share: 0 }], []] }],
  ['a share that is null', { ...ANSWER, values: [[{ ...HIT, share: null }], []] }],
  ['a negative identity', { ...ANSWER, values: [[{ ...HIT, identity: -7 }], []] }],
  ['an identity number as text', { ...ANSWER, values: [[{ ...HIT, identity: '__proto__' }], []] }],
  ['an identity twice behind one value', { ...ANSWER, values: [[HIT, HIT], []] }],
  ['an identity twice', { ...ANSWER, identities: [PERSON, PERSON] }],
  ['an identity without a hit', { ...ANSWER, identities: [PERSON, { ...PERSON, id: 8 }] }],
  ['a given name of an unknown identity', { ...ANSWER, name: { ...ANSWER.name, given: [9] } }],
  ['more identities with the name than the total', { ...ANSWER, name: { ...ANSWER.name, bearers: 11 } }],
  ['an unknown type of hit', { ...ANSWER, values: [[{ ...HIT, type: 'passport' }], []] }],
  ['an e-mail hit for a phone', { ...ANSWER, values: [[], [HIT]] }],
  ['a street hit for an e-mail', { ...ANSWER, values: [[{ ...HIT, type: 'street' }], []] }],
  [
    'too many hits',
    {
      ...ANSWER,
      total: 1e6,
      values: [Array.from({ length: 513 }, (_, i) => ({ ...HIT, identity: i + 7 })), []],
    },
  ],
  [
    'too many characters in names',
    {
      ...ANSWER,
      name: { ...ANSWER.name, identities: [7, 8, 9] },
      identities: [7, 8, 9].map((id) => ({
        ...PERSON,
        id,
        names: Array.from({ length: 16 }, () => 'x'.repeat(350)),
      })),
    },
  ],
  ['a date after the year 9999', { ...ANSWER, newest: 9e15 }],
  ['a date that is a text', { ...ANSWER, newest: '2020-01-01' }],
  ['a name that is too long', { ...ANSWER, identities: [{ ...PERSON, names: ['x'.repeat(401)] }] }],
  [
    'too many names',
    { ...ANSWER, identities: [{ ...PERSON, names: Array.from({ length: 17 }, () => 'x') }] },
  ],
  ['a name that is no text', { ...ANSWER, identities: [{ ...PERSON, names: [{}] }] }],
  [
    'too many name matches',
    {
      ...ANSWER,
      total: 1e9,
      name: { identities: Array.from({ length: 2000 }, (_, i) => i + 1), bearers: 1, given: [] },
    },
  ],
];

describe('an answer with', () => {
  test.each(LIES)('%s is refused', (_, sent) => {
    expect(() => read(sent)).toThrow(expect.objectContaining({ code: 'graph_bad_response' }));
  });
});

test('an answer of a very large graph is accepted', () => {
  expect(read({ ...ANSWER, total: 9e15, newest: 253_402_300_799_999 }).total).toBe(9e15);
});

describe('impossible dates are removed:', () => {
  test.each([
    ['a first one after the last', [6, 5], [null, null]],
    ['both on one day', [5, 5], [5, 5]],
    ['both ahead', [NOW + 3 * DAY, NOW + 4 * DAY], [null, null]],
    ['the last ahead', [5, NOW + 2 * DAY], [5, null]],
    ['today, where it has begun', [5, NOW + DAY / 2], [5, NOW + DAY / 2]],
    ['a first one alone', [5, null], [5, null]],
  ] as const)('%s', (_, [firstSeen, lastSeen], [first, last]) => {
    const dates = { firstSeen, lastSeen };
    const sent = {
      ...ANSWER,
      newest: null,
      values: [[{ ...HIT, ...dates }], []],
      identities: [{ ...PERSON, ...dates }],
    };
    const left = { firstSeen: first, lastSeen: last };
    const { values, identities } = read(sent);
    expect(values[0]).toEqual([{ ...HIT, ...left }]);
    expect(identities.get(7)).toEqual({ ...PERSON, ...left });
  });

  test.each([
    ['a contact seen after the identity', 6, undefined],
    ['a contact seen before the identity', 1, undefined],
    ['a contact seen between both dates', 4, 4],
  ])('%s', (_, contactLastSeen, left) => {
    const sent = { ...ANSWER, newest: null, values: [[{ ...HIT, firstSeen: 2, contactLastSeen }], []] };
    expect(read(sent).values[0]?.[0]?.contactLastSeen).toBe(left);
  });

  test.each([
    ['a newest record ahead', NOW + 2 * DAY],
    ['a newest record before somebody was seen', 4],
  ])('%s', (_, newest) => expect(read({ ...ANSWER, newest }).newest).toBeNull());
});

test('a name without a letter, or with invalid Unicode, is removed', () => {
  const names = ['', ' ', '-', '12345', 'x\ud800', 'Ann Lindqvist', '王小明'];
  expect(read({ ...ANSWER, identities: [{ ...PERSON, names }] }).identities.get(7)?.names).toEqual([
    'Ann Lindqvist',
    '王小明',
  ]);
});
