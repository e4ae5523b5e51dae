import { describe, expect, test } from 'vitest';
import { contacts, openFairWorld } from './fair-people.ts';
import { unknown, anyRequest, requestOf, run, expectAlways, ALONE, type Outcome } from './world.ts';

describe('the wording of every text', () => {
  const FORBIDDEN =
    /\b(?:invalid|fake|unverifiable|unverified|bogus|fraud\w*|criminal\w*|scam\w*|lie[sd]?|liar|failed|could not be verified|suspicious|high risk)\b/i;
  const textsOf = (it: Outcome) => [
    it.summary,
    it.message.replace(/^[A-Z ]+: /, ''),
    it.combined.explanation,
    ...it.insights,
    ...it.trustScore.reasons,
  ];

  test('tells only whether a value is on record', async () => {
    await expectAlways(anyRequest, async (request) => {
      for (const text of textsOf(await run(request))) expect(text).not.toMatch(FORBIDDEN);
    });
  });

  test('starts the message with the verdict of the band, and consists of whole sentences', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const verdict =
        it.score >= 85
          ? 'VERIFIED'
          : it.score >= 65
            ? 'LIKELY REAL'
            : it.score >= 40
              ? 'SUSPICIOUS'
              : 'HIGH RISK';
      const known = it.contacts.some((one) => one.identity !== null);
      const word = it.contacts.length === 0 ? 'NAME ONLY' : known ? verdict : 'NO RECORD';
      expect(it.message.startsWith(`${word}: `)).toBe(true);
      for (const text of [it.message.slice(word.length + 2), it.summary, ...it.insights])
        expect(text).toMatch(/^[A-Z\d].*[^.]\.$/);
      expect(it.summary.split(/\. /).length).toBeLessThanOrEqual(2);
    });
  });

  test('contains no submitted value and no name', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const words = [
        request.name,
        it.matchedName ?? '',
        ...request.emails,
        ...request.phones,
        ...request.addresses.map((one) => one.street),
      ]
        .flatMap((text) => text.toLowerCase().split(/[\s@]+/))
        .filter((word) => word.length > 3 && !/^\d{4}$/.test(word));
      const text = textsOf(it).join('\n').toLowerCase();
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    });
  });

  test('tells what to do in case of a possible catfish, and which values have no record', async () => {
    const hugo = await run(
      requestOf('Hugo Delacroix-Boone', [
        ['emails', 'wy@post.example'],
        ['phones', ALONE],
      ]),
    );
    expect(hugo.isPossibleCatfish).toBe(true);
    expect(hugo.summary).toContain('Check who is really behind these contacts');
    const lone = await run(
      requestOf('Wilhelmina Yorkshire', [['emails', 'wy@post.example'], ...unknown.slice(0, 1)]),
    );
    expect(lone.summary).toContain('1 value has no matching record, which counts neither for nor against');
  });
});

const ask = openFairWorld();

const PLACES = [
  [
    'Jr. Walter Brandt',
    'Walter Jr. Brandt',
    'Brandt Jr., Walter',
    'Brandt, Walter Jr.',
    'Dr. Jr. Walter Brandt',
  ],
  ['Sr. Walter Brandt', 'Senior Walter Brandt', 'Brandt, Walter Sr', 'Brandt Walter Sr. Prof.'],
];

test.each([
  ['Walter Brandt Jr.', PLACES[0]],
  ['Walter Brandt Sr.', PLACES[1]],
])('%s scores the same in every order of its parts (15)', async (name, orders = []) => {
  for (const sent of [
    'junior.email junior.phone',
    'senior.email senior.phone senior.home',
    'junior.email senior.phone',
  ]) {
    const values = contacts(...sent.split(' '));
    const { score } = await ask(name, values);
    for (const order of orders) expect([order, (await ask(order, values)).score]).toEqual([order, score]);
  }
});

test('a contact that several people share is not told as that of one of them', async () => {
  const { message, summary } = await ask('Honorine Delacourt', contacts('ring-0.phone'));
  expect(message).toMatch(/belongs to \d+ identities, none of which has this name/);
  expect(summary).not.toMatch(/identity's records/);
});

test('the history of a person found by the name alone is not told', async () => {
  const { insights } = await ask('Laura Smith', contacts('nobody@nowhere.example'));
  expect(insights.join(' ')).not.toMatch(/span/);
});

test('a couple is not told as two people of one name', async () => {
  const { insights } = await ask('Peter and Laura Smith', contacts('smith-a.email', 'smith-b.phone'));
  expect(insights.join(' ')).toMatch(/Check each of them/);
  expect(insights.join(' ')).not.toMatch(/identity with this name|the person by their own/);
});

test.each([
  ['Walter Brandt Sr', 'junior.email junior.phone', 2],
  ['Walter Brandt', 'senior.email junior.phone', 1],
  ['Otis Fairbank Sr', 'younger.email younger.phone', 2],
  ['Walter Brandt Jr', 'junior.email junior.phone', 0],
])('%s with %s has %i contacts of a namesake', async (name, sent, count) => {
  expect((await ask(name, contacts(...sent.split(' ')))).namesakeContacts).toBe(count);
});
