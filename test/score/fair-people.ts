// People of the fair situations, and the contacts that a request sends.
import { openGraphForChecks, type SentContacts } from '../kit/graphs/checks.ts';
import { type Row, strangers } from '../kit/graphs/graph.ts';

export const at = (street: string, city: string, state: string, zip: string) => ({
  street,
  city,
  state,
  zip,
});
const HOME = {
  elm: at('418 Elm Hollow Rd', 'Dayton', 'OH', '45402'),
  pine: at('77 Pine Ridge Ct', 'Dayton', 'OH', '45402'),
  oak: at('12 Oakfield Ln', 'Salem', 'OR', '97301'),
  ash: at('9 Ashgrove St', 'Boise', 'ID', '83702'),
  birch: at('55 Birchwood Ave', 'Tulsa', 'OK', '74103'),
  fir: at('301 Firethorn Way', 'Mesa', 'AZ', '85201'),
  yew: at('8 Yewdale Blvd', 'Fargo', 'ND', '58102'),
  lime: at('640 Limestone Dr', 'Reno', 'NV', '89501'),
  akureyri: { street: 'Hafnarstræti 90', city: 'Akureyri', zip: '600', country: 'IS' },
  perm: { street: 'улица Мира 8', city: 'Пермь', zip: '614000', country: 'RU' },
  toledo: { street: 'Calle Ancha 7', city: 'Toledo', zip: '45002', country: 'ES' },
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

const withContacts = (id: string, name: string, [email, phone]: [string, string], rest: Partial<Row> = {}) =>
  person(id, name, { emails: [email], phones: [phone], ...rest });

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
  withContacts('elder', 'Otis Fairbank', ['otis@fairbank.example', '+1 937 234 0103'], {
    birth_date: '1944-05-05',
  }),
  withContacts('younger', 'Otis Fairbank Jr', ['otisjr@mail.example', '+1 937 234 0104'], {
    birth_date: '1971-01-09',
  }),
  person('keller-a', 'Monika Keller', {
    emails: ['m.keller@post.example'],
    phones: ['+1 503 234 0105'],
    addresses: [at('14 Vine Ct', 'Salem', 'OR', '97302')],
    birth_date: '1955-04-01',
  }),
  withContacts('keller-b', 'Monika Keller', ['monikak@mail.example', '+1 503 234 0106'], {
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
  withContacts('smith-a', 'Laura Smith', ['laura.s@post.example', '+1 918 234 0109'], {
    addresses: [HOME.birch],
  }),
  withContacts('smith-b', 'Peter Smith', ['psmith@mail.example', '+1 480 234 0110'], {
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
  withContacts('firm', 'Northgate Plumbing LLC', ['office@northgate.example', '+1 651 234 0117']),
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
    last_seen: '2025-08-01',
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
  person('partner-a', 'Odile Marchand', {
    emails: ['odile.m@post.example'],
    phones: ['+1 802 234 0137'],
    addresses: [at('23 Tanner Row', 'Barre', 'VT', '05641')],
  }),
  person('partner-b', 'Bastien Lacroix', {
    emails: ['b.lacroix@post.example'],
    phones: ['+1 802 234 0138'],
    addresses: [at('23 Tanner Row', 'Barre', 'VT', '05641')],
  }),
  withContacts('trader', '株式会社山田商事', ['info@yamada.example', '+81 3 1234 0136']),
  withContacts('patronym', 'Александр Сергеевич Орлов', ['falcon@post.example', '+1 208 234 0177']),
  withContacts('elizabeth', 'Elizabeth Harrow', ['eharrow@post.example', '+1 208 234 0178']),
  withContacts('kin-firm', 'Oxenholme Joinery LLC', ['hello@oxenholme.example', '+1 720 234 0198']),
  person('kin-owner', 'Ottilie Oxenholme', { phones: ['+1 720 234 0197'] }),
  withContacts('awilson', 'Andrew Wilson', ['awilson@post.example', '+1 720 234 0120']),
  withContacts('initial', 'H Oyelaran', ['horse77@post.example', '+1 512 234 0140']),
  withContacts('initial-spelt', 'B Castelnuovo', ['bruno.castelnuovo@post.example', '+1 512 234 0141']),
  withContacts('two-given', 'Ngọc Yến Quách', ['lotus@post.example', '+1 512 234 0142']),
  ...[
    'Nadia Ferro',
    'Rolf Hagen',
    'Ines Duarte',
    'Piotr Zawada',
    'Greta Holm',
    'Amir Sadeghi',
    'Lena Voss',
  ].map((name, i) =>
    person(`desk-${i}`, name, {
      emails: ['desk@marlow.example', `desk${i}@post.example`],
      phones: ['+1 512 234 0139'],
    }),
  ),
  withContacts('arab', 'خالد بن سعيد القحطاني', ['k.qahtani@post.example', '+966 50 234 0141']),
  withContacts('english', 'Betty Jeon', ['betty.jeon@post.example', '+1 512 234 0161']),
  withContacts('korean', 'Youngsun Jeon', ['jeon77@post.example', '+1 512 234 0161']),
  withContacts('father', 'Evan James Wetherby', ['ejw@post.example', '+1 405 234 0171']),
  withContacts('son', 'James Evan Wetherby', ['james.w@post.example', '+1 405 234 0172']),
  withContacts('namesake', 'Rowan Hollingberry', ['rowan.h@post.example', '+1 405 234 0174']),
  withContacts('han', '陈晓明', ['cxm88@post.example', '+86 139 1234 0142']),
  withContacts('single', 'Budiman', ['budiman@post.example', '+62 812 2345 0143']),
  withContacts('middle', 'Jasper Rowan Hollingberry', ['jrh@post.example', '+1 337 234 0144']),
  person('double', 'José Luis Fernández Quiroga', {
    emails: ['jlfq@post.example'],
    phones: ['+34 612 345 145'],
    addresses: [{ street: 'Calle Mayor 18', city: 'Toledo', zip: '45001', country: 'ES' }],
  }),
  person('einar', 'Sigurður Einarsson', {
    emails: ['siggi@post.example'],
    phones: ['+354 611 0146'],
    addresses: [{ street: 'Laugavegur 40', city: 'Reykjavík', zip: '101', country: 'IS' }],
  }),
  person('gunnar', 'Gunnar Bjarnason', {
    emails: ['gunnar.b@post.example'],
    phones: ['+354 611 0148'],
    addresses: [HOME.akureyri],
  }),
  person('thora', 'Þóra Gunnarsdóttir', { emails: ['thora@post.example'], addresses: [HOME.akureyri] }),
  withContacts('mother', 'María del Carmen García Quiroga', ['mcgq@post.example', '+34 612 345 149'], {
    addresses: [HOME.toledo],
  }),
  person('daughter', 'Lucía Fernández García', {
    emails: ['lucia.fg@post.example'],
    addresses: [HOME.toledo],
  }),
  ...['Алексей Петров', 'Ольга Петрова', 'Сергей Иванов', 'Светлана Иванова'].map((name, i) =>
    withContacts(`perm-${i}`, name, [`perm${i}@post.example`, `+7 916 234-02-5${i}`], {
      addresses: [HOME.perm],
    }),
  ),
  withContacts('other-petrova', 'Дарья Петрова', ['dasha@post.example', '+7 916 234-01-55']),
  withContacts('abebe', 'Abebe Bekele Tessema', ['abebe.bt@post.example', '+251 91 234 0150']),
  withContacts('hana', 'Hana Abebe Bekele', ['hana.ab@post.example', '+251 92 234 0151']),
  withContacts('rossi', 'Giuseppe Rossi', ['beppe@post.example', '+39 333 234 0152']),
  withContacts('sean', 'Sean Gallaherty', ['sean.g@post.example', '+1 218 234 0171']),
  withContacts('evan', 'Evan Brannigan', ['evan.b@post.example', '+1 218 234 0172'], {
    birth_date: '1980-01-01',
  }),
  withContacts('ian', 'Ian Brannigan', ['ian.b@post.example', '+1 218 234 0173'], {
    birth_date: '1985-05-05',
  }),
  ...[
    ['anna', 'Anna Müller', '+1 218 234 0174'],
    ['fatima', 'Fatima El Khatib', '+1 218 234 0175'],
    ['mai', 'Nguyễn Thị Mai', '+1 218 234 0176'],
    ['beulah', 'Beulah Stanhope', '+1 218 234 0177'],
  ].map(([id = '', name = '', phone = ''], i) =>
    withContacts(id, name, [`${id}@post.example`, phone], {
      addresses: [at(`${12 + i} Meadowlark Ct`, 'Eugene', 'OR', '97401')],
    }),
  ),
  withContacts('tikhon', 'Бережков Тихон Маркович', ['t.berezhkov@post.example', '+7 916 234-01-51']),
  withContacts('inna', 'Бережкова Инна Львовна', ['inna.b@post.example', '+7 916 234-01-52']),
  withContacts('pottery', 'Achterberg Ceramics', ['kiln@post.example', '+1 845 234 0147']),
  ...['Nerys Caddick', 'Emrys Tudor', 'Bronwen Pugh'].map((name, i) =>
    person(`role-${i}`, name, {
      emails: ['info@caddick.example', `role${i}@post.example`],
      phones: [`+44 7911 23014${i}`],
    }),
  ),
  ...['Brent Halvorsen', 'Shanice Applewhite', 'Igor Melnichuk', 'Carmela Dimaggio', 'Wendell Oxley'].map(
    (name, i) =>
      person(`ring-${i}`, name, {
        emails: [`ring${i}@post.example`],
        phones: ['+1 786 234 0150'],
        addresses: [at(`${10 + i} Biscayne Ave`, 'Miami', 'FL', `3313${i}`)],
      }),
  ),
  ...strangers(90).map((row) => ({ ...row, identity: row.record_id, last_seen: '2025-08-01' })),
];

const row = (id: string) => PEOPLE.find(({ record_id }) => record_id === id)!;
/** Returns contacts of people: `wife.email`, `wife.phone`, `wife.phone2`, `wife.home`. */
export function contacts(...parts: string[]): SentContacts {
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

export const openFairWorld = () => openGraphForChecks(PEOPLE);
