// Situations that an expert would judge before asking, each with the band that is fair, in a world of invented people.
import { beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../src/check.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import type { IdentityGraph } from '../../src/graph/graph.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { importRows, type Row, sharedFolder, strangers } from '../kit/graphs/graph.ts';
import { flat } from '../kit/verdict.ts';

const at = (street: string, city: string, state: string, zip: string) => ({ street, city, state, zip });
const HOME = {
  elm: at('418 Elm Hollow Rd', 'Dayton', 'OH', '45402'),
  pine: at('77 Pine Ridge Ct', 'Dayton', 'OH', '45402'),
  oak: at('12 Oakfield Ln', 'Salem', 'OR', '97301'),
  ash: at('9 Ashgrove St', 'Boise', 'ID', '83702'),
  birch: at('55 Birchwood Ave', 'Tulsa', 'OK', '74103'),
  fir: at('301 Firethorn Way', 'Mesa', 'AZ', '85201'),
  yew: at('8 Yewdale Blvd', 'Fargo', 'ND', '58102'),
  lime: at('640 Limestone Dr', 'Reno', 'NV', '89501'),
  oslo: { street: 'Storgata 14', city: 'Oslo', zip: '0184', country: 'NO' },
};

const person = (id: string, name: string, rest: Partial<Row> = {}): Row => ({
  record_id: id,
  identity: id,
  name,
  first_seen: '2012-03-01',
  last_seen: '2025-06-01',
  ...rest,
});

const PEOPLE: Row[] = [
  person('senior', 'Walter Brandt Sr.', {
    emails: ['walter.brandt@post.example'],
    phones: ['+1 937 234 0101'],
    addresses: [HOME.elm],
    birth_date: '1948-02-11',
  }),
  person('junior', 'Walter Brandt Jr.', {
    emails: ['wbrandt79@mail.example'],
    phones: ['+1 937 234 0102'],
    addresses: [HOME.pine],
    birth_date: '1979-07-30',
  }),
  person('elder', 'Otis Fairbank', {
    emails: ['otis@fairbank.example'],
    phones: ['+1 937 234 0103'],
    birth_date: '1944-05-05',
  }),
  person('younger', 'Otis Fairbank Jr', {
    emails: ['otisjr@mail.example'],
    phones: ['+1 937 234 0104'],
    birth_date: '1971-01-09',
  }),
  person('keller-a', 'Monika Keller', {
    emails: ['m.keller@post.example'],
    phones: ['+1 503 234 0105'],
    birth_date: '1955-04-01',
  }),
  person('keller-b', 'Monika Keller', {
    emails: ['monikak@mail.example'],
    phones: ['+1 503 234 0106'],
    birth_date: '1990-09-09',
  }),
  person('wife', 'Ingrid Thorvaldsen', {
    emails: ['ingrid.t@post.example'],
    phones: ['+1 208 234 0107', '+1 208 234 0100'],
    addresses: [HOME.ash],
  }),
  person('husband', 'Leif Thorvaldsen', {
    emails: ['leif.t@post.example'],
    phones: ['+1 208 234 0108', '+1 208 234 0100'],
    addresses: [HOME.ash],
  }),
  person('smith-a', 'Laura Smith', {
    emails: ['laura.s@post.example'],
    phones: ['+1 918 234 0109'],
    addresses: [HOME.birch],
  }),
  person('smith-b', 'Peter Smith', {
    emails: ['psmith@mail.example'],
    phones: ['+1 480 234 0110'],
    addresses: [HOME.fir],
  }),
  person('victim', 'Beatrix Lindqvist', {
    emails: ['b.lindqvist@post.example'],
    phones: ['+1 701 234 0111', '+1 701 234 0150'],
    addresses: [HOME.yew],
  }),
  person('other', 'Roman Kowalczyk', {
    emails: ['r.kowalczyk@post.example'],
    phones: ['+1 775 234 0112', '+1 701 234 0150'],
    addresses: [HOME.lime],
  }),
  person('thief', 'Desmond Okafor', {
    emails: ['d.okafor@mail.example'],
    phones: ['+1 775 234 0113'],
    addresses: [HOME.oak],
  }),
  person('gone-17', 'Harold Pettibone', {
    phones: ['+1 602 234 0114'],
    emails: ['pettibone@post.example'],
    addresses: [at('3 Mill Rd', 'Provo', 'UT', '84601')],
    first_seen: '2001-01-01',
    last_seen: '2008-06-01',
  }),
  person('gone-10', 'Viola Castellan', {
    phones: ['+1 602 234 0115'],
    first_seen: '2005-01-01',
    last_seen: '2015-06-01',
  }),
  person('gone-4', 'Edmund Sykora', {
    phones: ['+1 602 234 0116'],
    first_seen: '2015-01-01',
    last_seen: '2021-06-01',
  }),
  person('firm', 'Northgate Plumbing LLC', {
    emails: ['office@northgate.example'],
    phones: ['+1 651 234 0117'],
  }),
  person('maria', 'Maria Svoboda', {
    emails: ['maria.sv@post.example'],
    phones: ['+1 313 234 0118'],
    addresses: [at('71 Quarry St', 'Troy', 'MI', '48083')],
  }),
  person('carol', 'Carol Whitfield', {
    emails: ['carol.w@post.example'],
    phones: ['+1 404 234 0119'],
    addresses: [at('5 Peach Ct', 'Macon', 'GA', '31201')],
  }),
  person('book', 'Gustav Ehrenreich', { addresses: [HOME.oslo] }),
  {
    ...person('jan-1', 'Jan Smit', { emails: ['jan.smit@post.example'], phones: ['+31 20 794 1234'] }),
    identity: 'jan',
  },
  {
    ...person('jan-2', 'Jan Pieter Smit', { emails: ['jan.smit@post.example'], phones: ['+31 20 794 1234'] }),
    identity: 'jan',
  },
  { ...person('jan-3', 'Jan Smit', { emails: ['jan.smit@post.example'], source: 'b' }), identity: 'jan' },
  person('former', 'Gunnar Ekstrom', {
    phones: ['+1 602 234 0130'],
    first_seen: '2001-01-01',
    last_seen: '2011-02-01',
  }),
  person('current', 'Farida Osei', {
    emails: ['farida@post.example'],
    phones: ['+1 602 234 0130'],
    first_seen: '2016-01-01',
  }),
  person('north', 'Winona Tuttle', {
    emails: ['winona@post.example'],
    phones: ['+1 260 234 0132'],
    addresses: [at('512 N Main St', 'Bluffton', 'IN', '46714')],
  }),
  person('line-senior', 'Dale Wetherby Sr.', {
    emails: ['dale.wetherby@post.example'],
    phones: ['+1 218 234 0133', '+1 218 234 0135'],
    birth_date: '1949-05-02',
  }),
  person('line-junior', 'Dale Wetherby Jr.', {
    emails: ['dwjr@mail.example'],
    phones: ['+1 218 234 0134', '+1 218 234 0135'],
    birth_date: '1977-10-12',
  }),
  person('trader', '株式会社山田商事', { emails: ['info@yamada.example'], phones: ['+81 3 1234 0136'] }),
  person('awilson', 'Andrew Wilson', { emails: ['awilson@post.example'], phones: ['+1 720 234 0120'] }),
  ...strangers(90).map((row) => ({ ...row, identity: row.record_id, last_seen: '2025-08-01' })),
];

const folder = sharedFolder();
let graph: IdentityGraph;
beforeAll(async () => {
  await importRows(folder, [PEOPLE]);
  graph = openGraph({ dataDir: folder });
  return () => graph.close();
});

interface Sent {
  emails?: string[];
  phones?: string[];
  addresses?: object[];
}
const ask = async (name: string, sent: Sent) =>
  flat(await check(parseClaim({ value: { name, ...sent }, issues: [] }, 'US'), graph));

const row = (id: string) => PEOPLE.find(({ record_id }) => record_id === id)!;
/** Returns contacts of people: `wife.email`, `wife.phone`, `wife.phone2`, `wife.home`. */
function contacts(...parts: string[]): Sent {
  const sent = { emails: [] as string[], phones: [] as string[], addresses: [] as object[] };
  for (const part of parts) {
    const [id = '', what] = part.split('.');
    if (part.includes('@')) sent.emails.push(part);
    else if (part.startsWith('+')) sent.phones.push(part);
    else if (what === 'email') sent.emails.push(row(id).emails![0]!);
    else if (what === 'phone') sent.phones.push(row(id).phones![0]!);
    else if (what === 'phone2') sent.phones.push(row(id).phones![1]!);
    else if (what === 'home') sent.addresses.push(row(id).addresses![0]!);
  }
  return sent;
}

interface Case {
  name: string;
  sent: string;
  band: [number, number];
  flag: boolean | undefined;
}
/** Returns a situation: the name, the contacts, the lowest and the highest fair score, and the fair flag if there is one. */
const says = (name: string, sent: string, ...[from, to, flag]: [number, number, boolean?]): Case => ({
  name,
  sent,
  band: [from, to],
  flag,
});

const SITUATIONS: Record<string, Case[]> = {
  'a suffix that contradicts (A)': [
    says('Walter Brandt Sr.', 'junior.email junior.phone', 0, 49),
    says('Walter Brandt III', 'junior.email junior.phone', 0, 49),
    says('Walter Brandt Jr.', 'senior.email senior.phone senior.home', 0, 49),
    says('Otis Fairbank Jr.', 'elder.email elder.phone', 0, 49),
    says('Walter Brandt Jr.', 'junior.email junior.phone', 85, 100, false),
    says('Walter Brandt', 'junior.email junior.phone', 85, 100, false),
    says('Walter Brandt Sr', 'senior.email senior.phone senior.home', 85, 100, false),
    says('Otis Fairbank', 'elder.email elder.phone', 85, 100, false),
    says('Dale Wetherby Jr.', 'line-senior.email line-senior.phone2', 0, 49),
    says('Dale Wetherby Jr.', 'line-junior.email line-junior.phone2', 65, 100, false),
  ],
  'contacts of two namesakes (B)': [
    says('Walter Brandt', 'senior.email junior.phone', 40, 60),
    says('Walter Brandt', 'junior.email senior.phone', 40, 60),
    says('Monika Keller', 'keller-a.email keller-a.phone', 85, 100, false),
    says('Monika Keller', 'keller-a.email keller-b.phone', 40, 60),
    says('Monika Keller', 'keller-b.email keller-a.phone', 40, 60),
    says('Monika Keller', 'keller-a.email keller-a.phone keller-b.email', 65, 84, false),
  ],
  'a value that two people share (C)': [
    says('Beatrix Lindqvist', 'other.email', 0, 12),
    says('Beatrix Lindqvist', 'other.email victim.phone2', 0, 39),
    says('Beatrix Lindqvist', 'other.email other.phone victim.phone2', 0, 39, true),
    says('Ingrid Thorvaldsen', 'husband.email wife.home', 15, 64),
    says('Ingrid Thorvaldsen', 'husband.email wife.home wife.phone2', 15, 64),
    says('Ingrid Thorvaldsen', 'wife.email wife.phone wife.home husband.email', 65, 84, false),
    says('Beatrix Lindqvist', 'victim.email victim.phone victim.home other.email', 65, 84, false),
  ],
  'what is known of long ago (D)': [
    says('Quentin Abernathy', 'gone-17.phone', 40, 50, false),
    says('Quentin Abernathy', 'gone-10.phone', 40, 50, false),
    says('Quentin Abernathy', 'gone-4.phone', 25, 45, false),
    says('Laura Smith', 'gone-10.phone', 40, 50, false),
    says('Quentin Abernathy', 'thief.phone', 0, 12, true),
    says('Quentin Abernathy', 'current.phone', 0, 12, true),
    says('Harold Pettibone', 'gone-17.phone gone-17.email gone-17.home', 85, 100, false),
  ],
  'a common given name (F)': [
    says('Maria Delgado', 'maria.email maria.phone maria.home', 10, 40),
    says('Laura Hendricks', 'smith-a.email smith-a.phone smith-a.home', 10, 40),
    says('Astrid Thorvaldsen', 'wife.email wife.phone wife.home', 15, 40),
  ],
  'a household (4)': [
    says('Leif Thorvaldsen', 'wife.email wife.phone', 15, 39, false),
    says('Leif Thorvaldsen', 'wife.email wife.phone wife.home', 15, 39, false),
    says('Ingrid Thorvaldsen', 'husband.email husband.phone wife.home', 15, 39, false),
    says('Laura Smith', 'smith-b.email smith-b.phone', 0, 9, true),
    says('Beatrix Lindqvist', 'other.email other.phone', 0, 9, true),
  ],
  'two values of one other person (5)': [
    says('Beatrix Lindqvist', 'victim.email thief.phone thief.home', 0, 39, true),
    says('Beatrix Lindqvist', 'victim.phone thief.email thief.home', 0, 39, true),
    says('Beatrix Lindqvist', 'victim.email thief.phone', 40, 64),
    says('Beatrix Lindqvist', 'victim.phone thief.email', 40, 64),
    says('Beatrix Lindqvist', 'victim.phone2 thief.email', 0, 64, true),
  ],
  'no person in the name (G)': [
    says('Northgate Plumbing LLC', 'firm.email firm.phone', 40, 64, false),
    says('Peter and Laura Smith', 'smith-a.email smith-a.phone smith-a.home', 40, 64, false),
    says('Mark and Carol Whitfield', 'carol.email carol.phone carol.home', 40, 64, false),
    says("Carol's mum", 'carol.email carol.phone carol.home', 0, 64, false),
    says('Familie Whitfield', 'carol.email carol.phone carol.home', 15, 64, false),
    says('The Whitfield Family', 'carol.email carol.phone', 15, 64, false),
    says('株式会社山田商事', 'trader.email trader.phone', 40, 64, false),
  ],
  'an address alone (I)': [
    says('Gustav Ehrenreich', 'book.home nobody@nowhere.example +4721234567', 60, 70, false),
    says('Beatrix Lindqvist', 'victim.home', 60, 70, false),
    says('Laura Smith', 'smith-a.home nobody@nowhere.example', 60, 70, false),
  ],
  'a contact of a firm (J)': [
    says('Quentin Abernathy', 'firm.phone', 25, 45, false),
    says('Quentin Abernathy', 'firm.email', 25, 45, false),
    says('Laura Smith', 'firm.phone', 25, 45, false),
  ],
  'another record of one person (a)': [
    says('Pieter Smit', 'jan-1.email jan-1.phone', 85, 100, false),
    says('Jan Pieter Smit', 'jan-1.email jan-1.phone', 85, 100, false),
    says('Jan Smit', 'jan-1.email jan-1.phone', 85, 100, false),
  ],
};

describe.each(Object.entries(SITUATIONS))('%s', (_, cases) => {
  test.each(cases)('$name with $sent is judged $band', async ({ name, sent, band, flag }) => {
    const answer = await ask(name, contacts(...sent.split(' ')));
    const { score, isPossibleCatfish, trustScore } = answer;
    const isFair = score >= band[0] && score <= band[1] && (flag ?? isPossibleCatfish) === isPossibleCatfish;
    expect(isFair ? [] : [score, isPossibleCatfish, trustScore.reasons]).toEqual([]);
  });
});

test.each([
  ['512 S Main St', 'different or unverified'],
  ['512 South Main Street', 'different or unverified'],
  ['512 North Main Street', 'matched'],
  ['512 Main St', 'matched'],
])('a street is another one in the other direction: %s is %s', async (street, status) => {
  const home = at(street, 'Bluffton', 'IN', '46714');
  const { contacts: rows } = await ask('Winona Tuttle', { ...contacts('north.email'), addresses: [home] });
  expect(rows[1]!.identity === null).toBe(status !== 'matched');
});

test('a phone that somebody has now is not told as one of long ago', async () => {
  const { insights } = await ask('Quentin Abernathy', contacts('current.phone'));
  expect(insights.join(' ')).not.toContain('new subscribers');
});

test('a suffix that contradicts is told as such, and not as another given name', async () => {
  const { insights, summary } = await ask('Walter Brandt III', contacts('junior.email', 'junior.phone'));
  expect([summary, ...insights].join(' ')).not.toContain('given name');
  expect(insights).toContainEqual(expect.stringContaining('the suffix (Jr, Sr, III) does not'));
});

test('a contact of a namesake is told as one, in reasons and insights', async () => {
  const { insights, trustScore } = await ask('Monika Keller', contacts('keller-a.email', 'keller-b.phone'));
  expect(trustScore.reasons[0]).toContain('another person of the same name');
  expect(insights).toContainEqual(
    expect.stringContaining('The phone belongs to another person of the same name'),
  );
});
