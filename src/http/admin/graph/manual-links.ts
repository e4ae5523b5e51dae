// Administrative routes about manual links: decisions of an operator that records belong to one person, or do not.
import * as v from 'valibot';
import { toSnakeCaseJson } from '../../../admin/wire.ts';
import { GRAPH_ERROR_CODES, type Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';
import { parseNumericId, recordIdsSchema } from './people.ts';

const reason = v.optional(
  s.string(
    'The reason, without names; a reason with an e-mail or a phone is refused. It is stored encrypted until one of the people is forgotten.',
    { max: 500 },
  ),
  '',
);
const joinRequestSchema = s.openApiObject('JoinAsked', 'Identities that are one person.', {
  identities: s.list(s.identityNumberSchema, 'These identities are one person.', { min: 2, max: 100 }),
  why: reason,
});
const splitRequestSchema = s.openApiObject('SplitAsked', 'Records of another person.', {
  records: v.pipe(
    recordIdsSchema,
    v.minLength(1),
    v.description('These records are another person than the other records of their identity.'),
  ),
  why: reason,
});

const kind = s.oneOf(['split', 'join'], 'The decision: `split` or `join`.');
export const manualLinkSchema = s.openApiObject('Judged', 'A manual link and its effect.', {
  id: s.integer('Number of the manual link.', 1),
  kind,
  records: s.integer('Number of records that it is about.'),
  identities: s.list(s.identityNumberSchema, 'Identities of these records after it.'),
});

const listedLink = s.object('A manual link.', {
  id: s.integer('Number of the manual link.', 1),
  kind,
  who: s.string('Who decided.'),
  why: s.string('The reason.'),
  time: s.timestamp('When it was decided.'),
  undone: s.nullableTimestamp('When it was undone; null if it applies.'),
  records: s.list(v.number(), 'Number of records of each group.'),
});
export const manualLinkListSchema = s.openApiObject('Judgements', 'Manual links.', {
  items: s.list(listedLink, 'Oldest first.'),
});

export const MANUAL_LINK_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST graph/join', 'joinIdentities', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Join identities',
    about: 'The identities are one person, also after later imports, until this is undone.',
    command: 'graph join',
    body: joinRequestSchema,
    examples: { two: { summary: 'Two identities', value: { identities: [1, 2], why: 'they told us' } } },
    answers: manualLinkSchema,
    handle: ({ body, people }) => people('join', body),
  }),
  declareAdminRoute('POST graph/split', 'splitRecords', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Split records off their identity',
    about: 'The records are one person, and the other records of their identity are another.',
    command: 'graph split',
    body: splitRequestSchema,
    examples: { one: { summary: 'One record', value: { records: ['crm:2'] } } },
    answers: manualLinkSchema,
    handle: ({ body, people }) => people('split', body),
  }),
  declareAdminRoute('GET graph/judgements', 'listJudgements', {
    errors: GRAPH_ERROR_CODES,
    summary: 'List manual links',
    about: 'Who decided what, when and why.',
    command: 'graph manual-links',
    answers: manualLinkListSchema,
    async handle({ people }) {
      const links = await people('judgements', undefined);
      const items = links.map(({ groups, ...link }) => ({
        ...toSnakeCaseJson(link, 'time', 'undone'),
        records: groups.map(({ length }) => length),
      }));
      return { items };
    },
  }),
  declareAdminRoute('POST graph/judgements/:id/undo', 'undoJudgement', {
    errors: GRAPH_ERROR_CODES,
    noun: 'judgement',
    summary: 'Undo a manual link',
    about: 'Earlier manual links, the sources and the evidence decide again.',
    command: 'graph manual-links --undo',
    answers: manualLinkSchema,
    handle: ({ id, people }) => people('undo', parseNumericId(id, 'judgement')),
  }),
];
