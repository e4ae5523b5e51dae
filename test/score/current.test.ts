// People whose records have no last date: they count as current in every figure and text.
import { expect, test } from 'vitest';
import type { Row } from '../kit/graphs/graph.ts';
import { openGraphForChecks, STRANGERS } from '../kit/graphs/checks.ts';

const person = (id: string, identity: string, name: string, rest: Partial<Row>): Row => ({
  record_id: id,
  identity,
  name,
  ...rest,
});
const FORMER = '+1 802 234 0177';
const FAMILY = '+1 802 234 0178';
const HOME = { street: '12 Sussex Row', city: 'Barre', state: 'VT', zip: '05641' };
const row = [
  person('old', 'ottoline', 'Ottoline Brask', {
    phones: [FORMER],
    first_seen: '2004-01-01',
    last_seen: '2015-02-01',
  }),
  person('own', 'ottoline', 'Ottoline Lund', { phones: ['+1 802 234 0179'], first_seen: '2010-01-01' }),
  person('next', 'emeka', 'Emeka Nwosu', { phones: [FORMER], first_seen: '2021-03-01' }),
  person('aged', 'aged', 'Winifred Halloran', { addresses: [HOME], first_seen: '1991-01-01' }),
  person('child', 'child', 'Kevin Tolliver', {
    phones: [FAMILY],
    first_seen: '1996-01-01',
    last_seen: '2000-06-01',
  }),
  person('grown', 'child', 'Kevin Tolliver', { emails: ['kevin@post.example'], first_seen: '2011-01-01' }),
  person('mother', 'mother', 'Rosemary Tolliver', { phones: [FAMILY], first_seen: '2009-01-01' }),
];

const ask = openGraphForChecks([...row, ...STRANGERS]);

test('a person who is found by name alone has no last date, and no records that end', async () => {
  const { history, insights } = await ask('Winifred Halloran', { emails: ['emeka@post.example'] });
  expect(history.lastSeen).toBe(null);
  expect(insights.join(' ')).not.toContain('before the newest record');
});

test('the records span the years up to the newest record', async () => {
  const { trustScore } = await ask('Ottoline Lund', { phones: ['+1 802 234 0179'] });
  expect(trustScore.reasons.join()).toMatch(/span 2[01] years \[history\]/);
});

test.each(['Ottoline Lund', '+1 802 234 0179'])('%s without a last date is the main value', async (value) => {
  const { name, contacts } = await ask('Ottoline Lund', { phones: ['+1 802 234 0179'] });
  expect([value, name.status, contacts[0]?.status]).toEqual([value, 'primary', 'primary']);
});

test('a phone that a current person of another name has since then is passed on', async () => {
  const [former, own] = [
    await ask('Ottoline Brask', { phones: [FORMER] }),
    await ask('Ottoline Brask', { phones: ['+1 802 234 0179'] }),
  ];
  expect(former.insights.join()).toContain('numbers are given to new subscribers');
  expect([former.passedOnPhones, own.passedOnPhones]).toEqual([1, 0]);
  expect(former.score).toBeLessThan(own.score);
});

test('a phone that a relative still has is not passed on', async () => {
  const { insights } = await ask('Kevin Tolliver', { phones: [FAMILY] });
  expect(insights.join()).not.toContain('new subscribers');
});
