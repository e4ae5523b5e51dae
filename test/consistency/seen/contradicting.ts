// Reported cases of contradictions: answers with two sentences that could not both be true.
import { ANNABEL, bodyOf, DANA, GUINEVERE, JOSE, KATE, ROBERT, STRANGER, UNHEARD } from './people.ts';
import type { Seen } from './row.ts';

const UNDECIDED = ['AUTO_APPROVE', 'AUTO_REJECT'];

const WHOSE: Seen[] = [
  {
    title: 'a name on record elsewhere with two contacts of another person',
    body: { name: 'Viola Vandermolen', emails: ANNABEL.emails ?? [], phones: ANNABEL.phones ?? [] },
    was: 'history null, matched_name null and skipped while an identity is dominant',
    wants: {
      score: [0, 39],
      flag: true,
      history: true,
      name: /^Different/,
      names: { skipped: false },
      not: /VERIFIED MATCH: (?:Email|Phone)/,
    },
  },
  {
    title: 'own e-mail, and two phones of others',
    body: {
      name: 'Annabel Forrester',
      emails: ANNABEL.emails ?? [],
      phones: [...(KATE.phones ?? []), ...(JOSE.phones ?? [])],
    },
    was: '“the contacts belong to identities that do not bear this name” beside a contact that does',
    wants: { not: /contacts[^.]*belong to (?:an )?identit(?:y|ies) that do(?:es)? not bear/i },
  },
  {
    title: 'a name whose bearer shares most contacts with another',
    body: {
      name: 'Dana Hale',
      emails: ['family@hale.example', 'robert.hale@own.example'],
      addresses: DANA.addresses ?? [],
    },
    was: '“the contacts belong to identities that do not bear this name” beside two that do',
    wants: {
      not: /do(?:es)? not bear (?:this|the submitted) name|contacts and the name do not go together/i,
    },
  },
  {
    title: 'another name of the person',
    body: bodyOf('Guinevere Thackeray', GUINEVERE),
    was: 'Secondary Match, and name matching no_match at 8',
    wants: {
      score: [85, 100],
      name: /^(?:Primary|Secondary)/,
      names: { skipped: false, same: true, matched: /Thackeray/ },
    },
  },
  {
    title: 'own three contacts and one phone of somebody else',
    body: {
      ...bodyOf('Annabel Forrester', ANNABEL),
      phones: [...(ANNABEL.phones ?? []), ...(KATE.phones ?? [])],
    },
    was: 'AUTO_APPROVE beside risk MEDIUM; “other identities” for one',
    wants: {
      flag: false,
      neverPriority: UNDECIDED,
      risk: ['MEDIUM'],
      not: /other identities|different identities/,
    },
  },
  {
    title: 'a stranger’s e-mail',
    body: { name: STRANGER, emails: KATE.emails ?? [] },
    was: 'VERIFIED MATCH',
    wants: { score: [0, 64], history: true, not: /VERIFIED MATCH: Email/, neverPriority: UNDECIDED },
  },
  {
    title: 'nothing on record',
    body: { name: STRANGER, emails: [UNHEARD] },
    was: 'SUSPICIOUS',
    wants: {
      score: [25, 64],
      flag: false,
      message: /^NO RECORD: /,
      not: /SUSPICIOUS/,
      history: false,
      risk: ['LOW'],
      neverPriority: UNDECIDED,
    },
  },
  {
    title: 'a name alone',
    body: { name: 'Annabel Forrester' },
    was: '—',
    wants: { score: [25, 64], message: /^NAME ONLY: /, history: false, neverPriority: UNDECIDED },
  },
];

const FIGURES: Seen[] = [
  {
    title: 'two e-mails of one kind: one final score, and the bound that applied',
    body: { name: 'Robert Hale', emails: ROBERT.emails ?? [] },
    was: 'finals 84, 87 and 87, explained by “without a matching name” though it matched',
    wants: { score: [40, 84], explanation: /one kind/, not: /without a matching name/i },
  },
  {
    title: 'reasons that add up, of nine contacts',
    body: {
      name: 'Robert Hale',
      emails: [...(ROBERT.emails ?? []), ...(DANA.emails ?? []), UNHEARD],
      phones: [...(ROBERT.phones ?? []), ...(DANA.phones ?? []), ...(KATE.phones ?? [])],
      addresses: [...(ROBERT.addresses ?? []), ...(KATE.addresses ?? [])],
    },
    was: 'reasons that do not add up to the sum',
    wants: { score: [0, 100] },
  },
  {
    title: 'six spellings of one phone, five of one e-mail and a sixth',
    body: {
      name: 'Annabel Forrester',
      emails: [
        'annabel.f@post.example',
        'ANNABEL.F@post.example',
        ' annabel.f@post.example',
        'Annabel.F@Post.example',
        'a1@x.example',
        'a2@x.example',
      ],
      phones: [
        '5032342002',
        '(503) 234-2002',
        '503-234-2002',
        '503.234.2002',
        '503 234 2002',
        '503/234/2002',
      ],
    },
    was: '—',
    wants: { emails: ['Primary', 'Unverified', 'Unverified'], phones: ['Primary'] },
  },
  {
    title: 'an extension is no part of the number',
    body: { name: 'Annabel Forrester', phones: ['+1 503 234 2002 ext. 12'] },
    was: '—',
    wants: { phones: ['Primary'] },
  },
];

const NAME_TEXTS: Seen[] = [
  {
    title: 'Annabel Forrestar, a slip of the name',
    body: bodyOf('Annabel Forrestar', ANNABEL),
    was: 'a typo labelled transliteration',
    wants: { names: { same: true, variation: 'typo' } },
  },
  {
    title: 'a middle name that is missing',
    body: bodyOf("Katherine O'Donnell", KATE),
    was: '“missing on one side” without which',
    wants: { names: { explanation: /missing in the submitted name/ }, not: /on one side/ },
  },
  {
    title: 'everything matched',
    body: bodyOf('Annabel Forrester', ANNABEL),
    was: '“narrow basis, a further contact would widen it”; “Its records” after a contact',
    wants: {
      score: [85, 100],
      not: /narrow|widen|\bIts records/i,
      risk: ['LOW'],
      neverPriority: ['MANUAL_REVIEW'],
    },
  },
];

export const CONTRADICTING: readonly Seen[] = [...WHOSE, ...FIGURES, ...NAME_TEXTS];
