// People of the checks in test/check.test.ts and their records.
import { type Row, strangers } from '../graphs/graph.ts';

export const home = (street: string) => ({ street, city: 'Boise', state: 'ID', zip: '83702' });

/** People of these checks. The graph has two hundred strangers in addition. */
export const PEOPLE: Row[] = [
  {
    record_id: 'margaret',
    name: 'Margaret Ostrander',
    emails: ['margaret@ostrander.example', 'mo@work.example'],
    phones: ['+1 208 234 0145'],
    addresses: [home('77 Juniper Terrace')],
    first_seen: '2012-01-01',
    last_seen: '2024-01-01',
  },
  // Her husband, with the same address and phone.
  {
    record_id: 'theodore',
    name: 'Theodore Ostrander',
    emails: ['theodore@ostrander.example'],
    phones: ['+1 208 234 0145'],
    addresses: [home('77 Juniper Terrace')],
  },
  {
    record_id: 'hugo',
    name: 'Hugo Delacroix-Boone',
    emails: ['hugo@delacroix.example'],
    phones: ['+1 503 234 0188'],
    addresses: [home('5 Quarry Road')],
  },
  {
    record_id: 'nikolai',
    name: 'Екатерина Вознесенская',
    emails: ['voznesenskaya@post.example'],
    phones: ['+1 646 234 0166'],
  },
  { record_id: 'nameless', emails: ['nameless@post.example'], phones: ['+1 646 234 0177'] },
  ...strangers(240)
    .slice(200)
    .map((row): Row => ({ ...row, phones: ['+1 206 234 0199'] })),
  ...strangers(200),
];
