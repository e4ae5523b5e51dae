import * as judging from '../../../schema/admin/graph/judgements.ts';
import * as schema from '../../../schema/admin/graph/people.ts';
import * as upkeep from '../../../schema/admin/graph/upkeep.ts';
import { administrative } from './parts.ts';

const errors = ['graph_timeout', 'graph_unavailable', 'graph_bad_response'] as const;
const shared = { errors: [...errors] };

export const FIND = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/find',
  id: 'findPeople',
  summary: 'Whose records hold a value',
  about: 'In a body, so that no value is in an address. `bonafide graph find`.',
  body: schema.sought,
  examples: { email: { summary: 'By e-mail', value: { emails: ['jane.quimby@example.com'] } } },
  answers: schema.foundPeople,
});

const one = { ...shared, method: 'GET', of: 'identity' } as const;

export const SHOW = administrative({
  ...one,
  path: 'graph/identities/:id',
  id: 'showIdentity',
  summary: 'An identity',
  about: 'Its names and records. `bonafide graph show`.',
  answers: schema.identityCard,
});

export const EXPORT = administrative({
  ...one,
  path: 'graph/identities/:id/export',
  id: 'exportIdentity',
  summary: 'What is held on a person',
  about: 'Everything, to be given to that person. `bonafide graph export`.',
  answers: schema.held,
});

export const WHY = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/why',
  id: 'whyOne',
  summary: 'Why two records are one person, or not',
  about: 'Every record is read for it. `bonafide graph why`.',
  body: schema.pair,
  examples: { two: { summary: 'Two records', value: { a: 'crm:1', b: 'crm:2' } } },
  answers: schema.whyOne,
});

export const FORGET = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/forget',
  id: 'forgetPeople',
  summary: 'Forget people',
  about:
    'Without `confirm` it tells what would go. With the number of records that this told, they are taken out of every file for good. `bonafide graph forget`.',
  body: schema.forgetAsked,
  examples: {
    first: { summary: 'What would go', value: { identities: [1] } },
    old: { summary: 'What nobody has seen for long', value: { older_than: '36500d', confirm: 0 } },
  },
  answers: schema.forgotten,
});

export const COMPACT = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/compact',
  id: 'compactGraph',
  summary: 'Write the graph’s files anew',
  about:
    'So that they hold what is there and nothing older; a forgetting that was cut short is completed. `bonafide graph compact`.',
  answers: upkeep.compacted,
});

export const VERIFY = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/verify',
  id: 'verifyGraph',
  summary: 'Check what must hold of the graph',
  about: 'All records are linked anew for it, and nothing is published. `bonafide graph verify`.',
  answers: upkeep.verified,
});

export const JOIN = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/join',
  id: 'joinIdentities',
  summary: 'Judge that identities are one person',
  about: 'It outlasts imports, until it is undone. `bonafide graph join`.',
  body: judging.joinAsked,
  examples: { two: { summary: 'Two of them', value: { identities: [1, 2], why: 'they told us' } } },
  answers: judging.judged,
});

export const SPLIT = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/split',
  id: 'splitRecords',
  summary: 'Judge that records are somebody else’s',
  about: 'They are one person, and the other records of their identity another. `bonafide graph split`.',
  body: judging.splitAsked,
  examples: { one: { summary: 'One record', value: { records: ['crm:2'] } } },
  answers: judging.judged,
});

export const JUDGEMENTS = administrative({
  ...shared,
  method: 'GET',
  path: 'graph/judgements',
  id: 'listJudgements',
  summary: 'What was judged',
  about: 'By whom, when and why. `bonafide graph judgements`.',
  answers: judging.judgements,
});

export const UNDO = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/judgements/:id/undo',
  of: 'judgement',
  id: 'undoJudgement',
  summary: 'Take a judgement back',
  about: 'Earlier ones, the sources and the evidence decide again. `bonafide graph judgements --undo`.',
  answers: judging.judged,
});

export const REMOVE_SOURCE = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/sources/remove',
  id: 'removeSource',
  summary: 'Take all records of a source out',
  about: 'This cannot be taken back. `bonafide graph sources remove`.',
  of: 'source',
  body: upkeep.sourceAsked,
  examples: { one: { summary: 'By its name', value: { source: 'crm' } } },
  answers: upkeep.sourceRemoved,
});

export const UNDO_IMPORT = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/import/undo',
  of: 'import',
  id: 'undoImport',
  summary: 'Take the last import back',
  about:
    'Of a file: what it put goes, and what it replaced comes back. What has changed since stays. `bonafide graph import --undo`.',
  answers: upkeep.importUndone,
});
