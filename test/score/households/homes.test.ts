// People of one home: partners of two family names, father and son of one name, and others who know the address.
import { describe, expect, test } from 'vitest';
import type { Row } from '../../kit/graphs/graph.ts';
import { openGraphForChecks, STRANGERS } from '../../kit/graphs/checks.ts';

const person = (id: string, name: string, number: number, rest: Partial<Row> = {}): Row => ({
  record_id: id,
  identity: id,
  name,
  emails: [`${id}@post.example`],
  phones: [`+1 802 234 01${number}`],
  addresses: [{ street: `${Math.floor(number / 10)}0 Tanner Row`, city: 'Barre', state: 'VT', zip: '05641' }],
  first_seen: '2012-03-01',
  last_seen: '2025-06-01',
  ...rest,
});
const LANDLINE = '+1 802 234 0299';
const row = [
  person('ottoline', 'Ottoline Brask', 10, { phones: ['+1 802 234 0110', LANDLINE] }),
  person('emeka', 'Emeka Nwosu', 11, { phones: ['+1 802 234 0111', LANDLINE] }),
  person('old', 'Sigrid Halloran', 20, { last_seen: '2017-06-01' }),
  person('new', 'Nadine Tolliver', 21),
  person('father', 'Karl Reuter', 30, { birth_date: '1951-04-03' }),
  person('son', 'Karl Reuter', 31, { birth_date: '1983-09-17' }),
  person('wife', 'Ingrid Thorvaldsen', 40),
  person('husband', 'Leif Thorvaldsen', 41),
  person('thief', 'Desmond Okafor', 50),
  ...['Kerstin Halvorsen', 'Dmitri Ravel'].map((name, i) =>
    person(`floor-${i}`, name, 70 + i, {
      addresses: [
        { street: '70 Tanner Row', street2: `Apt ${i + 1}`, city: 'Barre', state: 'VT', zip: '05641' },
      ],
    }),
  ),
  person('carmen', 'Carmen Ruiz Ortega', 80, { last_seen: undefined }),
  person('paco', 'Francisco Moreno Díaz', 81, { last_seen: undefined }),
  person('lucia', 'Lucía Moreno Ruiz', 82, { last_seen: undefined }),
  person('gone', 'Alonso Pizarro', 83, { last_seen: '2017-06-01' }),
  person('elder', 'Cordelia Quillfeather', 90, { last_seen: '2016-06-01' }),
  person('younger', 'Barnaby Quillfeather', 91),
  person('former', 'Dwayne Zebrowski', 99, { addresses: [] }),
  person('divorced', 'Priscilla Zebrowski', 98, { addresses: [], last_seen: '2018-01-01' }),
  person('renamed', 'Priscilla Thackeray', 98, {
    identity: 'divorced',
    addresses: [],
    first_seen: '2018-02-01',
  }),
  ...Array.from({ length: 5 }, (_, i) =>
    person(
      `flat-${i}`,
      ['Lorenz Oberholzer', 'Viola Pemberton', 'Keiko Mori', 'Ada Lund', 'Pavel Rus'][i]!,
      60,
      {
        addresses: [
          {
            street: '900 Harbor Row',
            street2: `Apt ${i > 1 ? i : 0}`,
            city: 'Barre',
            state: 'VT',
            zip: '05641',
          },
        ],
      },
    ),
  ),
];

const check = openGraphForChecks([...row, ...STRANGERS]);

/** Checks a name with contacts such as `ottoline.email`, `ottoline.phone`, `ottoline.home`, `landline`. */
async function ask(name: string, sent: string) {
  const value = { emails: [] as string[], phones: [] as string[], addresses: [] as object[] };
  for (const part of sent.split(' ')) {
    const [id, what] = part.split('.');
    const of = row.find(({ record_id }) => record_id === id);
    if (what === 'email') value.emails.push(...(of?.emails ?? []));
    else if (what === 'home') value.addresses.push(...(of?.addresses ?? []));
    else value.phones.push(of?.phones?.[0] ?? LANDLINE);
  }
  return check(name, value);
}

describe.each([
  [
    'two people of one home with two family names',
    'Ottoline Brask',
    'emeka.email ottoline.home',
    30,
    39,
    false,
  ],
  [
    'two people of one home with two family names',
    'Ottoline Brask',
    'emeka.phone ottoline.home',
    30,
    39,
    false,
  ],
  ['all contacts of the other one', 'Ottoline Brask', 'emeka.email emeka.phone ottoline.home', 15, 39, false],
  ['the own e-mail', 'Ottoline Brask', 'ottoline.email emeka.phone ottoline.home', 65, 84, false],
  ['a common landline in place of the home', 'Ottoline Brask', 'emeka.email landline', 15, 39, false],
  ['a common landline', 'Ottoline Brask', 'emeka.email emeka.phone landline', 15, 39, false],
  ['a mobile alone', 'Ottoline Brask', 'emeka.phone', 15, 39, false],
  ['e-mail and phone, without the home', 'Ottoline Brask', 'emeka.email emeka.phone', 0, 9, true],
  ['the own e-mail, without the home', 'Ottoline Brask', 'ottoline.email emeka.phone', 40, 84, false],
  ['people without a last date', 'Francisco Moreno Díaz', 'carmen.phone', 15, 39, false],
  ['people without a last date', 'Carmen Ruiz Ortega', 'paco.email', 15, 39, false],
  ['the own e-mail, without last dates', 'Carmen Ruiz Ortega', 'carmen.email paco.phone', 65, 84, false],
  ['a former tenant before one without a last date', 'Carmen Ruiz Ortega', 'gone.email', 0, 9, true],
  ['a word of a double family name', 'Pablo Moreno Gil', 'paco.email paco.home', 15, 39, false],
  ['a word of a double family name', 'Pablo Gil Moreno', 'paco.email paco.home', 15, 39, false],
  ['a word of a double family name, elsewhere', 'Pablo Gil Moreno', 'paco.email wife.home', 0, 9, true],
  ['a man’s given name alone', 'Desmond Lindqvist', 'thief.email thief.phone', 10, 35, true],
  ['a man’s given name alone', 'Desmond Lindqvist', 'thief.email thief.phone thief.home', 10, 40, true],
  ['a woman’s given name alone', 'Nadine Whitcombe', 'new.email new.phone', 35, 64, false],
  ['another flat of the building', 'Keiko Mori', 'flat-0.email flat-0.home', 0, 29, true],
  ['a neighbour’s family name', 'Kerstin Ravel', 'floor-0.email floor-0.home', 0, 64, false],
  ['a former tenant, without the home', 'Nadine Tolliver', 'old.email', 0, 9, true],
  ['a stranger who knows the home', 'Ottoline Brask', 'thief.email ottoline.home', 0, 29, true],
  ['a former tenant', 'Nadine Tolliver', 'old.email new.home', 0, 39, true],
  ['the present tenant', 'Sigrid Halloran', 'new.email old.home', 0, 29, true],
  ['the given name of a housemate', 'Emeka Fenwick', 'ottoline.email landline', 0, 39, true],
  ['father and son of one name', 'Karl Reuter', 'father.email son.phone', 40, 60, false],
  ['father and son of one name', 'Karl Reuter', 'son.email father.phone', 40, 60, false],
] as const)('%s: %s with %s', (...[, name, sent, least, most, flag]) => {
  test(`scores from ${least} to ${most}, flag ${flag}`, async () => {
    const { score, isPossibleCatfish, trustScore } = await ask(name, sent);
    const isFair = score >= least && score <= most && isPossibleCatfish === flag;
    expect(isFair ? [] : [score, isPossibleCatfish, trustScore.reasons]).toEqual([]);
  });
});

test('the reasons and insights say that the home is the same', async () => {
  const { trustScore, insights } = await ask('Ottoline Brask', 'emeka.email ottoline.home');
  expect(trustScore.reasons.join()).toMatch(/whose address on record is the same \[email_household\]/);
  expect(insights.join()).toContain('on record for somebody whose address on record is the same');
});

test('the insights tell of a resident of the family name in a flat of a large building', async () => {
  const { insights } = await ask('Octavia Oberholzer', 'thief.email wife.email flat-0.home');
  expect(insights.join()).toContain('family name');
});

test.each(['wife.email', 'wife.phone', 'wife.email wife.phone'])(
  'a person on record scores no lower with %s than a relative who is not',
  async (sent) => {
    const [known, unknown] = [await ask('Leif Thorvaldsen', sent), await ask('Astrid Thorvaldsen', sent)];
    expect(known.score).toBeGreaterThanOrEqual(unknown.score);
  },
);

test('somebody with the former family name is a relative, whichever of the two is asked about', async () => {
  const [former, divorced] = [
    await ask('Dwayne Zebrowski', 'divorced.email divorced.phone'),
    await ask('Priscilla Thackeray', 'former.email former.phone'),
  ];
  expect([former.isPossibleCatfish, divorced.isPossibleCatfish]).toEqual([false, false]);
  for (const { score } of [former, divorced]) expect([score >= 15, score < 40]).toEqual([true, true]);
  expect(divorced.insights.join()).toContain('the family name of another name of the person');
});

test('an old phone of a relative and the common home raise no flag, although a stranger would score higher', async () => {
  const it = await ask('Octavia Quillfeather', 'elder.phone elder.home');
  expect([it.score >= 40, it.isPossibleCatfish]).toEqual([true, false]);
  expect(it.insights.join()).toContain('The phone is on record for somebody of the same family name');
});
