// Reported cases of scores that were too high: impostors who passed.
import { ANNABEL, bodyOf, NAMELESS, OFFICE, ROBERT, SMITHS, STRANGER, TOWER } from './people.ts';
import type { Seen, Wanted } from './row.ts';

const ONE_KIND: Wanted = { score: [40, 84], neverPriority: ['AUTO_APPROVE'] };

export const TOO_SOFT: readonly Seen[] = [
  {
    title: 'any name with the contacts of a record without one',
    body: bodyOf(STRANGER, NAMELESS),
    was: '90, VERIFIED, AUTO_APPROVE, and the narrative says that name and contacts do not go together',
    wants: { score: [0, 64], neverPriority: ['AUTO_APPROVE'], message: /^(?!VERIFIED|LIKELY)/ },
  },
  {
    title: 'name and one address',
    body: bodyOf('Robert Hale', ROBERT, ['addresses']),
    was: '86, VERIFIED',
    wants: ONE_KIND,
  },
  {
    title: 'name and one e-mail',
    body: bodyOf('Annabel Forrester', ANNABEL, ['emails']),
    was: '92, VERIFIED',
    wants: ONE_KIND,
  },
  {
    title: 'name and one phone',
    body: bodyOf('Annabel Forrester', ANNABEL, ['phones']),
    was: '91, VERIFIED',
    wants: ONE_KIND,
  },
  {
    title: 'building without unit and the office phone',
    body: { name: 'Ada Abernathy', phones: [OFFICE], addresses: [TOWER] },
    was: '90, VERIFIED',
    wants: ONE_KIND,
  },
  {
    title: 'Roberta Hale on Robert’s e-mail',
    body: { name: 'Roberta Hale', emails: ['robert.hale@own.example'] },
    was: '92, VERIFIED',
    wants: { score: [0, 64], neverPriority: ['AUTO_APPROVE'] },
  },
  {
    title: 'Apt 99 of a building, by a tenant of Apt 1',
    body: { name: 'Quentin Lindqvist', addresses: [{ ...TOWER, street2: 'Apt 99' }] },
    was: '85, Primary Match',
    wants: { score: [0, 64], addresses: ['Unverified'] },
  },
  {
    title: 'annabel.ff@ for annabel.f@',
    body: { name: 'Annabel Forrester', emails: ['annabel.ff@post.example'] },
    was: '84, Secondary Match, validated',
    wants: { score: [0, 64], emails: ['Unverified'], message: /^NO RECORD: / },
  },
  {
    title: 'fifteen contacts of five namesakes',
    body: {
      name: 'John Smith',
      emails: SMITHS.flatMap((one) => one.emails ?? []),
      phones: SMITHS.flatMap((one) => one.phones ?? []),
      addresses: SMITHS.flatMap((one) => one.addresses ?? []),
    },
    was: '0, no flag',
    wants: { score: [0, 64], flag: true, risk: ['HIGH'] },
  },
];
