import { beforeAll, describe, expect, test } from 'vitest';
import { checkClaim } from '../src/check.ts';
import type { IdentityGraph } from '../src/graph/graph.ts';
import { openSqliteGraph } from '../src/graph/sqlite/open.ts';
import { parseClaim } from '../src/claim/parse.ts';
import type { Verdict } from '../src/model.ts';
import { home, PEOPLE } from './kit/values/check-people.ts';
import { flat } from './kit/verdict.ts';
import { identitiesOf, importRows, sharedFolder, strangers } from './kit/graphs/graph.ts';

interface Expected {
  score: [least: number, most: number];
  /** Match status of the name, then of every contact: e-mails, phones, addresses. */
  rows: string;
  dominant: string | null;
  catfish?: boolean;
  confidence?: string;
}

/** Request and expected result of each scenario. */
const SCENARIOS: [what: string, request: object, Expected][] = [
  [
    'all of her own values, reformatted',
    {
      name: 'margaret OSTRANDER',
      emails: ['Margaret@Ostrander.example'],
      phones: ['(208) 234-0145'],
      addresses: [{ street: '77 juniper ter.', city: 'BOISE', state: 'Idaho', zip: '83702-1234' }],
    },
    { score: [95, 100], rows: 'primary primary primary primary', dominant: 'margaret', confidence: 'HIGH' },
  ],
  [
    'a nickname and one e-mail',
    { name: 'Peggy Ostrander', emails: ['margaret@ostrander.example'] },
    { score: [65, 100], rows: 'primary primary', dominant: 'margaret' },
  ],
  [
    'an e-mail that is not her first one',
    { name: 'Margaret Ostrander', emails: ['mo@work.example'] },
    { score: [65, 100], rows: 'primary secondary', dominant: 'margaret' },
  ],
  [
    'an e-mail that is a typo away from hers, which is no match however alike',
    { name: 'Margaret Ostrander', emails: ['margraet@ostrander.example'], phones: ['2082340145'] },
    { score: [65, 84], rows: 'primary unverified primary', dominant: 'margaret' },
  ],
  [
    'nothing but a look-alike e-mail',
    { name: 'Margaret Ostrander', emails: ['margraet@ostrander.example'] },
    { score: [40, 64], rows: 'primary unverified', dominant: 'margaret' },
  ],
  [
    'an e-mail at a look-alike domain, which is no slip',
    { name: 'Margaret Ostrander', emails: ['margaret@ostradner.example'] },
    { score: [40, 64], rows: 'primary unverified', dominant: 'margaret' },
  ],
  [
    'her own values and one that nobody has',
    {
      name: 'Margaret Ostrander',
      emails: ['margaret@ostrander.example', 'new@nowhere.example'],
      phones: ['2082340145'],
    },
    { score: [85, 100], rows: 'primary primary unverified primary', dominant: 'margaret' },
  ],
  [
    'a name in another script',
    { name: 'Ekaterina Voznesenskaya', emails: ['voznesenskaya@post.example'], phones: ['6462340166'] },
    { score: [85, 100], rows: 'primary primary primary', dominant: 'nikolai' },
  ],
  [
    'another person’s values under a name that nobody has',
    { name: 'Wilhelmina Zuckerberg', emails: ['hugo@delacroix.example'], phones: ['5032340188'] },
    { score: [0, 20], rows: 'unverified primary primary', dominant: 'hugo', catfish: true },
  ],
  [
    'her name with another person’s contacts',
    { name: 'Margaret Ostrander', emails: ['hugo@delacroix.example'], phones: ['5032340188'] },
    { score: [0, 20], rows: 'different primary primary', dominant: 'hugo', catfish: true },
  ],
  [
    'her own e-mail beside a stranger’s phone',
    { name: 'Margaret Ostrander', emails: ['margaret@ostrander.example'], phones: ['5032340188'] },
    { score: [0, 60], rows: 'primary primary different', dominant: 'margaret', catfish: true },
  ],
  [
    'her own values beside her husband’s e-mail, which is no stranger’s',
    {
      name: 'Margaret Ostrander',
      emails: ['margaret@ostrander.example', 'theodore@ostrander.example'],
      phones: ['2082340145'],
      addresses: [home('77 Juniper Terrace')],
    },
    { score: [65, 100], rows: 'primary primary different primary primary', dominant: 'margaret' },
  ],
  [
    'the phone of the house goes to whoever is named',
    { name: 'Theodore Ostrander', phones: ['2082340145'], addresses: [home('77 Juniper Terrace')] },
    { score: [65, 100], rows: 'primary primary primary', dominant: 'theodore' },
  ],
  [
    'the given name with another family name',
    { name: 'Margaret Vandermolen', emails: ['margaret@ostrander.example'], phones: ['2082340145'] },
    { score: [10, 40], rows: 'unverified primary primary', dominant: 'margaret', catfish: false },
  ],
  [
    'contacts of one kind, whose records carry no name',
    { name: 'Wilhelmina Zuckerberg', phones: ['6462340177'] },
    { score: [40, 84], rows: 'unverified primary', dominant: 'nameless' },
  ],
  [
    'her own e-mail beside a phone whose records carry no name, which contradicts nobody',
    { name: 'Margaret Ostrander', emails: ['margaret@ostrander.example'], phones: ['6462340177'] },
    { score: [65, 100], rows: 'primary primary different', dominant: 'margaret' },
  ],
  [
    'a phone that forty share, with the name of one',
    { name: strangers(240)[211]?.name, phones: ['2062340199'] },
    { score: [50, 84], rows: 'primary primary', dominant: 'stranger-211', confidence: 'LOW' },
  ],
  [
    'a phone that forty share, with a name of none',
    { name: 'Wilhelmina Zuckerberg', phones: ['2062340199'] },
    { score: [40, 64], rows: 'unverified primary', dominant: 'stranger-200', confidence: 'LOW' },
  ],
  [
    'a name alone that is there',
    { name: 'Hugo Delacroix-Boone' },
    { score: [40, 64], rows: 'primary', dominant: 'hugo', confidence: 'LOW' },
  ],
  [
    'a name alone that is not there',
    { name: 'Wilhelmina Zuckerberg' },
    { score: [40, 50], rows: 'unverified', dominant: null, confidence: 'LOW' },
  ],
  [
    'a name and contacts that are not there',
    {
      name: 'Wilhelmina Zuckerberg',
      emails: ['w@nowhere.example'],
      phones: ['9072340111'],
      addresses: [{ city: 'Nome' }],
    },
    {
      score: [40, 50],
      rows: 'unverified unverified unverified unverified',
      dominant: null,
      confidence: 'LOW',
    },
  ],
];

const folder = sharedFolder();
let graph: IdentityGraph;
let identities: Map<string, number | null>;
beforeAll(async () => {
  await importRows(folder, [PEOPLE]);
  identities = await identitiesOf(folder);
  graph = openSqliteGraph({ dataDir: folder });
  return () => graph.close();
});

const run = async (request: object) => flat(await verdictOf(request));
const verdictOf = (request: object): Promise<Verdict> =>
  checkClaim(parseClaim({ value: { ...request }, issues: [] }, 'US'), graph);

describe('a check of', () => {
  test.each(SCENARIOS)('%s', async (_, request, expected) => {
    const it = await run(request);
    expect({
      rows: [it.name, ...it.contacts].map((row) => row.status).join(' '),
      dominant: it.dominantIdentity,
      catfish: it.isPossibleCatfish,
      confidence: expected.confidence === undefined ? undefined : it.confidence,
    }).toEqual({
      rows: expected.rows,
      dominant: expected.dominant === null ? null : identities.get(expected.dominant),
      catfish: expected.catfish ?? false,
      confidence: expected.confidence,
    });
    expect(it.score).toBeGreaterThanOrEqual(expected.score[0]);
    expect(it.score).toBeLessThanOrEqual(expected.score[1]);
  });
});

describe('an answer', () => {
  test('returns every value as it was sent, and its standardized form', async () => {
    const it = await run({
      name: ' Margaret  Ostrander',
      emails: ['New@Nowhere.example'],
      phones: ['(208) 234-0145'],
      addresses: [{ street: '77 juniper ter.', zip: '83702' }],
    });
    expect(it.name).toMatchObject({ standardized: 'MARGARET OSTRANDER', status: 'primary' });
    const [email, phone, address] = it.contacts;
    expect(it.contacts).toHaveLength(3);
    expect(email).toMatchObject({
      kind: 'email',
      input: 'new@nowhere.example',
      standardized: 'new@nowhere.example',
      status: 'unverified',
      identity: null,
    });
    expect(phone).toMatchObject({ kind: 'phone', input: '2082340145', standardized: '+12082340145' });
    expect(address).toMatchObject({
      kind: 'address',
      input: { street: '77 juniper ter.', street2: '', city: '', state: '', zip: '83702', country: '' },
      standardized: { street: '77 JUNIPER TER.', zip: '83702' },
    });
  });

  test.each([
    ['020 7946 0958', { city: 'London', country: 'GB' }, '+442079460958'],
    ['020 7946 0958', { street: '17 Cherry Tree Lane, London NW1 5AA, UK' }, '+442079460958'],
    ['030 23125014', { city: 'Berlin', country: 'Germany' }, '+493023125014'],
    ['(415) 555-0100', { city: 'London', country: 'GB' }, '+14155550100'],
    ['0000000000', { city: 'Boise' }, null],
  ])('shows %s beside the address %j as %s', async (phone, address, standardized) => {
    const it = await run({ name: 'Jane Doe', phones: [phone], addresses: [address] });
    expect(it.contacts[0]).toMatchObject({ kind: 'phone', standardized });
  });

  test.each([
    ['77 Juniper Terr', 'primary'],
    ['77 Junipre Terrace', 'secondary'],
    ['77 Juniper Tarrace', 'primary'],
    ['77 Jupiter Terrace', 'secondary'],
    ['77 Junction Terrace', 'unverified'],
    ['77 Spruce Terrace', 'unverified'],
  ])('takes another word of a street as another street: %s is %s', async (street, status) => {
    const it = await run({
      name: 'Margaret Ostrander',
      emails: ['margaret@ostrander.example'],
      addresses: [home(street)],
    });
    expect(it.contacts[1]!.status).toBe(status);
    expect(it.insights.some((text) => text.includes('spelt differently'))).toBe(status === 'secondary');
  });

  test.each([{}, { state: 'ID' }, { country: 'US' }])(
    'takes a street alone as the primary address: %j',
    async (place) => {
      const it = await run({
        name: 'Margaret Ostrander',
        addresses: [{ street: '77 Juniper Terrace', ...place }],
      });
      expect(it.contacts[0]!.status).toBe('primary');
      expect(it.insights.join()).not.toContain('spelt differently');
    },
  );

  test('has the history of the dominant identity', async () => {
    const it = await run({ name: 'Margaret Ostrander', emails: ['margaret@ostrander.example'] });
    expect(it.history).toMatchObject({ firstSeen: Date.UTC(2012, 0, 1), lastSeen: Date.UTC(2024, 0, 1) });
    expect(it.matchedName).toBe('Margaret Ostrander');
    expect(it.trustScore.reasons.join('\n')).toMatch(/span 1[12] years/);
    const none = await run({ name: 'Wilhelmina Zuckerberg' });
    expect(none).toMatchObject({
      history: { firstSeen: null, lastSeen: null },
      matchedName: null,
      identityCount: 0,
    });
  });

  test("to a raw request contains the graph's answer without names", async () => {
    const request = {
      name: 'Margaret Ostrander',
      emails: ['margaret@ostrander.example'],
      phones: ['2082340145'],
    };
    const plain = await run(request);
    const { raw: answered, ...rest } = await run({ ...request, operation: 'raw' });
    expect(plain.raw).toBeUndefined();
    const raw = answered?.graph;
    expect(rest).toEqual(plain);
    expect(raw).toMatchObject({ total: 245, values: [[{ type: 'email' }], [{ share: 2 }, { share: 2 }]] });
    expect(JSON.stringify(raw)).not.toMatch(/ostrander/i);
  });

  test('to a raw request says why a record of an unverified value did not count', async () => {
    const it = await run({
      name: 'Hugo Delacroix-Boone',
      emails: ['hugo@delacroix.example', 'margraet@ostrander.example'],
      addresses: [home('77 Junipre Terrace')],
      operation: 'raw',
    });
    const { graph, explanation } = it.raw as {
      graph: { values: object[][] };
      explanation: { weight: number }[];
    };
    const found = graph.values.slice(1).flat();
    expect(found.length).toBeGreaterThan(0);
    const uncounted = explanation.filter((entry) => 'code' in entry && entry.code === 'similar_value');
    expect(uncounted).toHaveLength(found.length);
    for (const { weight } of uncounted) expect(weight).toBe(0);
  });

  test('counts the identities that the contacts resolved to', async () => {
    const it = await run({
      name: 'Margaret Ostrander',
      emails: ['margaret@ostrander.example', 'hugo@delacroix.example', 'voznesenskaya@post.example'],
    });
    expect(it.identityCount).toBe(3);
    expect(it.insights.join('\n')).toContain(
      `E-mail 2 resolves to a different identity (${identities.get('hugo')}).`,
    );
  });
});
