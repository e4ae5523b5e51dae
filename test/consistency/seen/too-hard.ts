// Reported cases of scores that were too low: real people who failed.
import {
  ABROAD,
  ANNABEL,
  bodyOf,
  DANGELO,
  JOSE,
  KATE,
  KENT,
  OBRIEN,
  OFFICE,
  TOWER,
  WILHELMNIA,
} from './people.ts';
import { STRANGER, UNHEARD } from './people.ts';
import type { Seen } from './row.ts';

const REAL: [number, number] = [65, 100];
const SURE: [number, number] = [85, 100];
const OPEN: [number, number] = [25, 64];

const NEIGHBOURS: Seen[] = [
  {
    title: 'a new tenant: same building, another unit',
    body: { name: STRANGER, addresses: [{ ...TOWER, street2: 'Apt 9' }] },
    was: '4, catfish',
    wants: {
      score: OPEN,
      flag: false,
      addresses: ['Unverified'],
      message: /^NO RECORD: /,
      neverPriority: ['AUTO_REJECT'],
    },
  },
  {
    title: 'an e-mail of her own, not on record, and an address where others live',
    body: { name: STRANGER, emails: [UNHEARD], addresses: [KENT] },
    was: '4, AUTO_REJECT',
    wants: { score: [40, 64], flag: false, emails: ['Unverified'], neverPriority: ['AUTO_REJECT'] },
  },
  {
    title: 'an e-mail of his own, on record, and the phone of somebody else',
    body: { name: 'Robert Hale', emails: ['robert.hale@own.example'], phones: ['+1 503 234 2002'] },
    was: '23, HIGH RISK',
    wants: { score: [40, 64], flag: true, neverPriority: ['AUTO_REJECT', 'AUTO_APPROVE'], risk: ['HIGH'] },
  },
  {
    title: 'the same by somebody whose name is on record elsewhere',
    body: { name: 'Viola Vandermolen', emails: [UNHEARD], addresses: [KENT] },
    was: '—',
    wants: { score: [40, 64], flag: false, neverPriority: ['AUTO_REJECT'] },
  },
  {
    title: 'a colleague on a switchboard of ten',
    body: { name: STRANGER, emails: [UNHEARD], phones: [OFFICE] },
    was: '4, AUTO_REJECT, beside “shared by 10 identities, so it says little”',
    wants: {
      score: OPEN,
      flag: false,
      neverPriority: ['AUTO_REJECT'],
      risk: ['LOW', 'MEDIUM'],
      says: /shared by 10 identities, so it counts less than an unshared one/,
    },
  },
  {
    title: 'an unlisted relative on the family’s e-mail',
    body: { name: 'Penelope Hale', emails: ['family@hale.example'] },
    was: '2',
    wants: { score: [15, 64], flag: false, neverPriority: ['AUTO_REJECT'] },
  },
];

const spelt = (name: string, was: string): Seen => ({
  title: `${name}, whose record has a middle name`,
  body: bodyOf(name, KATE),
  was,
  wants: { score: SURE, flag: false, name: /^(?:Primary|Secondary)/, names: { skipped: false, same: true } },
});

const SPELLINGS: Seen[] = [
  spelt('Kate O Donnell', '2, AUTO_REJECT; Kate O’Donnell 99'),
  spelt('Kate O´DONNELL', '2, AUTO_REJECT'),
  spelt('kate o’donnell', '—'),
  spelt("O'Donnell, Kate", '—'),
  {
    title: 'Marco D Angelo',
    body: bodyOf('Marco D Angelo', DANGELO),
    was: '2, AUTO_REJECT',
    wants: { score: SURE, flag: false },
  },
  {
    title: 'Maeve O Brien',
    body: bodyOf('Maeve O Brien', OBRIEN),
    was: '2, AUTO_REJECT',
    wants: { score: SURE, flag: false },
  },
  {
    title: 'Annabelle for Annabel, all three contacts hers',
    body: bodyOf('Annabelle Forrester', ANNABEL),
    was: '11',
    wants: { score: REAL, flag: false },
  },
  {
    title: 'Joe Hernandez for José',
    body: bodyOf('Joe Hernandez', JOSE),
    was: '28',
    wants: { score: REAL, flag: false, not: /forms of one name/ },
  },
  {
    title: 'a record that misspells the name',
    body: bodyOf('Wilhelmina Yorkshire', WILHELMNIA),
    was: 'below 40 for one in seven whose records misspell the name, though every contact is theirs',
    wants: { score: REAL, flag: false },
  },
  {
    title: 'a record with one word of the name replaced',
    body: bodyOf('Annabel Castellanos', ANNABEL),
    was: 'below 40 for one in seven; of scores 0 to 9 up to 25 % were real people',
    wants: { score: [10, 64], neverPriority: ['AUTO_REJECT', 'AUTO_APPROVE'] },
  },
];

const NATIONAL = [
  ['Eleanor Bosworth', '020 7946 0231'],
  ['Lachlan Witherspoon', '(02) 5550 4321'],
  ['Thiago Albuquerque', '(11) 3456-7890'],
  ['Ananya Deshmukhkar', '098765 43210'],
] as const;

export const TOO_HARD: readonly Seen[] = [
  ...NEIGHBOURS,
  ...SPELLINGS,
  ...NATIONAL.map(([name, phone], i): Seen => ({
    title: `a national phone as written at home: ${ABROAD[i]?.addresses?.[0]?.country}`,
    body: { name, phones: [phone], addresses: ABROAD[i]?.addresses ?? [] },
    was: 'found in an import, no record in a check',
    wants: { score: REAL, phones: ['Primary'], flag: false },
  })),
];
