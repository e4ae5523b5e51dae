// Manual links.
import * as v from 'valibot';
import { parseNumberId, recordIdsSchema } from './people.ts';
import { toWire } from '../../../admin/wire.ts';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import {
  identityNumber as numbered,
  list,
  namedObject,
  object,
  nullable,
  string,
  timestamp,
  integer,
  oneOf,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

const reason = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(500),
    v.description(
      'The reason, without a name; one that holds an e-mail or a phone is refused. Kept encrypted until one of them is forgotten.',
    ),
  ),
  '',
);

export const joinRequestSchema = namedObject(
  'JoinAsked',
  {
    identities: v.pipe(
      v.array(numbered),
      v.minLength(2),
      v.maxLength(100),
      v.description('These are one person.'),
    ),
    why: reason,
  },
  'Identities that are one person.',
);

export const splitRequestSchema = namedObject(
  'SplitAsked',
  {
    records: v.pipe(
      recordIdsSchema,
      v.minLength(1),
      v.description('These are another person than the rest of their identity.'),
    ),
    why: reason,
  },
  'Records that are somebody else’s.',
);

const kind = oneOf(['split', 'join'], 'What was judged.');

export const manualLinkSchema = namedObject(
  'Judged',
  {
    id: integer('The judgement’s number.', 1),
    kind,
    records: integer('Records that it is about.'),
    identities: list(numbered, 'The identities that they have by it.'),
  },
  'A judgement and what came of it.',
);

export const manualLinkListSchema = namedObject(
  'Judgements',
  {
    items: list(
      object(
        {
          id: integer('Its number.', 1),
          kind,
          who: string('Who judged.'),
          why: string('Why.'),
          time: timestamp('When.'),
          undone: nullable(timestamp(''), 'When it was undone; null while it stands.'),
          records: list(v.number(), 'How many records each group of it has.'),
        },
        'A judgement.',
      ),
      'The oldest first.',
    ),
  },
  'What a person judged about who is who.',
);

export const MANUAL_LINK_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/join', 'joinIdentities', {
    errors: GRAPH_ERRORS,
    summary: 'Judge that identities are one person',
    about: 'It outlasts imports, until it is undone. `bonafide graph join`.',
    body: joinRequestSchema,
    examples: { two: { summary: 'Two of them', value: { identities: [1, 2], why: 'they told us' } } },
    answers: manualLinkSchema,
    handle: ({ body, people }) => people('join', body),
  }),
  adminRoute('POST graph/split', 'splitRecords', {
    errors: GRAPH_ERRORS,
    summary: 'Judge that records are somebody else’s',
    about: 'They are one person, and the other records of their identity another. `bonafide graph split`.',
    body: splitRequestSchema,
    examples: { one: { summary: 'One record', value: { records: ['crm:2'] } } },
    answers: manualLinkSchema,
    handle: ({ body, people }) => people('split', body),
  }),
  adminRoute('GET graph/judgements', 'listJudgements', {
    errors: GRAPH_ERRORS,
    summary: 'What was judged',
    about: 'By whom, when and why. `bonafide graph manual-links`.',
    answers: manualLinkListSchema,
    handle: async ({ people }) => {
      const all = await people('judgements', undefined);
      const items = all.map(({ groups, ...link }) => ({
        ...toWire(link, 'time', 'undone'),
        records: groups.map(({ length }) => length),
      }));
      return { items };
    },
  }),
  adminRoute('POST graph/judgements/:id/undo', 'undoJudgement', {
    errors: GRAPH_ERRORS,
    of: 'judgement',
    summary: 'Take a judgement back',
    about: 'Earlier ones, the sources and the evidence decide again. `bonafide graph manual-links --undo`.',
    answers: manualLinkSchema,
    handle: ({ id, people }) => people('undo', parseNumberId(id, 'judgement')),
  }),
];
