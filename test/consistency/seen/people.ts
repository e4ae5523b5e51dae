// People of the reported cases: a small invented graph.
import type { Body, Place } from '../answer.ts';
import type { Source } from '../random/world.ts';

export const TOWER: Place = { street: '900 Harbor Tower Road', city: 'Tampa', state: 'FL', zip: '33602' };
export const KENT: Place = { street: '31 Kent Lane', city: 'Salem', state: 'OR', zip: '97301' };
const DATES = { first_seen: '2012-03-01', last_seen: '2024-03-01' };
export const OFFICE = '+1 206 234 0150';
/** Name and e-mail without a record. */
export const STRANGER = 'Xiomara Zabriskie';
export const UNHEARD = 'new.tenant@own-mail.example';

const own = (name: string, n: number, address?: Place): Source => ({
  record_id: `p${n}`,
  source: 'crm',
  identity: `p${n}`,
  name,
  emails: [
    `${name
      .normalize('NFD')
      .replace(/[^a-z]/gi, '')
      .toLowerCase()}@own.example`,
  ],
  phones: [`+1 503 234 20${String(n).padStart(2, '0')}`],
  addresses: [address ?? { street: `${100 + n} Larch Street`, city: 'Eugene', state: 'OR', zip: '97401' }],
  ...DATES,
});

const OFFICE_NAMES = [
  'Ada Abernathy',
  'Boris Calloway',
  'Clara Drummond',
  'Dmitri Eastlake',
  'Elspeth Fairbanks',
  'Farid Grimaldi',
  'Greta Hawksworth',
  'Hugo Ingersoll',
  'Imogen Jurgensen',
  'Jamal Kowalczyk',
];
const TENANTS = ['Quentin Lindqvist', 'Rosalind Montefiore', 'Stellan Nakagawa', 'Tamsin Oberholzer'];
const MORE = [
  'Ottilie Pemberton',
  'Pavel Quarrington',
  'Mabel Rasmussen',
  'Nadir Silverstone',
  'Keiko Thackeray',
  'Lorenz Underhill',
  'Viola Vandermolen',
  'Wanda Whitlock',
];

export const KATE = own("Katherine Elizabeth O'Donnell", 1);
export const ANNABEL: Source = { ...own('Annabel Forrester', 2), emails: ['annabel.f@post.example'] };
export const JOSE = own('José Hernández', 3);
export const DANGELO = own("Marco D'Angelo", 4);
export const OBRIEN = own("Maeve O'Brien", 9);
export const ROBERT: Source = {
  ...own('Robert Hale', 5, KENT),
  emails: ['robert.hale@own.example', 'family@hale.example'],
};
export const DANA: Source = {
  ...own('Dana Hale', 6, KENT),
  emails: ['dana.hale@own.example', 'family@hale.example'],
};
export const GUINEVERE = own('Guinevere Silverstone', 7);
export const WILHELMNIA = own('Wilhelmnia Yorkshre', 8);
/** Person who has been on record for a few days. */
export const NEWCOMER: Source = {
  ...own('Perpetua Lovelace', 10),
  first_seen: '2024-02-25',
  last_seen: '2024-03-01',
};
export const NAMELESS: Source = {
  record_id: 'nameless',
  source: 'crm',
  identity: 'nameless',
  emails: ['nobody.known@post.example'],
  phones: ['+1 646 234 0170'],
  addresses: [{ street: '20 Mill Road', city: 'Albany', state: 'NY', zip: '12207' }],
  ...DATES,
};
export const SMITHS: Source[] = Array.from({ length: 5 }, (_, i) => ({
  ...own('John Smith', 20 + i),
  emails: [`smith.${i}@mail${i}.example`],
}));
export const ABROAD: Source[] = [
  {
    ...own('Eleanor Bosworth', 30, {
      street: '14 Tannery Row',
      city: 'London',
      zip: 'SE16 4NB',
      country: 'GB',
    }),
    phones: ['+44 20 7946 0231'],
  },
  {
    ...own('Lachlan Witherspoon', 31, {
      street: '7 Wattle Street',
      city: 'Sydney',
      state: 'NSW',
      zip: '2000',
      country: 'AU',
    }),
    phones: ['+61 2 5550 4321'],
  },
  {
    ...own('Thiago Albuquerque', 32, {
      street: 'Rua das Laranjeiras 40',
      city: 'São Paulo',
      state: 'SP',
      zip: '01310-100',
      country: 'BR',
    }),
    phones: ['+55 11 3456 7890'],
  },
  {
    ...own('Ananya Deshmukhkar', 33, {
      street: '12 Neem Road',
      city: 'Pune',
      state: 'MH',
      zip: '411001',
      country: 'IN',
    }),
    phones: ['+91 98765 43210'],
  },
];

export const RECORDS: Source[] = [
  KATE,
  ANNABEL,
  JOSE,
  DANGELO,
  OBRIEN,
  ROBERT,
  DANA,
  GUINEVERE,
  WILHELMNIA,
  NEWCOMER,
  NAMELESS,
  ...SMITHS,
  ...ABROAD,
  { ...own('Guinevere Thackeray', 7), record_id: 'p7-married', source: 'shop', phones: [], addresses: [] },
  ...TENANTS.map((name, i) => own(name, 40 + i, { ...TOWER, street2: `Apt ${i + 1}` })),
  ...OFFICE_NAMES.map((name, i) => ({
    ...own(name, 50 + i),
    phones: [OFFICE],
    ...(i ? {} : { addresses: [{ ...TOWER, street2: 'Apt 7' }] }),
  })),
  ...MORE.map((name, i) => own(name, 70 + i)),
].map((one) => (one.identity === 'p7' ? { ...one, emails: GUINEVERE.emails ?? [] } : one));

export const bodyOf = (
  name: string,
  from: Source,
  kinds = ['emails', 'phones', 'addresses'] as ('emails' | 'phones' | 'addresses')[],
): Body => ({
  name,
  ...Object.fromEntries(kinds.map((kind) => [kind, from[kind] ?? []])),
});
