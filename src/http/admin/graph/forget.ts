// Forgetting.
import * as v from 'valibot';
import { recordIdsSchema, recordNameEntries, withRecords, valuesSchema } from './people.ts';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import {
  boolean,
  identityNumber as numbered,
  list,
  namedObject,
  object,
  nullable,
  strings,
  timestamp,
  integer,
  oneOf,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

const ids = (about: string) => v.optional(v.pipe(v.array(numbered), v.maxLength(100), v.description(about)));

export const forgetRequestSchema = namedObject(
  'ForgetAsked',
  {
    identities: ids('All records of these.'),
    records: v.optional(v.pipe(recordIdsSchema, v.description('These records, `SOURCE:ID`.'))),
    emails: valuesSchema('All records of the identity that has this e-mail.'),
    phones: valuesSchema('All records of the identity that has this phone.'),
    older_than: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,5}d$/),
        v.description('In their place: all records last seen so many days ago, `1826d`.'),
      ),
    ),
    clock_is_right: v.optional(
      boolean(
        'With `older_than`: most of the graph goes, though by the server’s clock nobody on record was seen for a year.',
      ),
    ),
    again: v.optional(
      boolean(
        'In their place: who was forgotten before and is there again, as after restoring an older backup.',
      ),
    ),
    confirm: v.optional(integer('How many records go. Without it nothing is changed.')),
    allow_return: v.optional(boolean('A later import may bring them back.')),
  },
  'Who or what is forgotten.',
);

const receipt = object(
  {
    what: oneOf(['erasure'], 'Of what it is the receipt.'),
    finished: boolean(
      'False: it was cut short, and is completed by the next command that forgets or compacts.',
    ),
    time: timestamp('When it was begun.'),
    records: integer('Records that are gone.'),
    sources: v.pipe(v.record(v.string(), v.number()), v.description('How many of which source.')),
    identities: list(numbered, 'Identities of which nothing is left.'),
    searched: integer('How many byte strings that were theirs were looked for in every file.'),
    traces: strings('Files that still hold something.'),
    unsearched: v.optional(
      strings(
        'What could not be searched: backups, what is encrypted, under another secret or in use by another process, what may not be read.',
      ),
    ),
    rewritten: boolean('The files were written anew.'),
    logs_empty: boolean('The databases’ logs were emptied.'),
    beyond: v.optional(
      v.pipe(v.string(), v.description('Where bytes of them may be for a while that no command takes out.')),
    ),
    marks: strings('Keyed digests that keep them out.'),
  },
  'The receipt.',
);

export const forgetResultSchema = namedObject(
  'Forgotten',
  {
    records: integer('Records that go, or went.'),
    people: list(
      object(
        {
          identity: nullable(v.number(), 'The identity.'),
          names: strings('Its names.'),
          records: list(object(recordNameEntries, 'A record.'), 'Which of its records.'),
          others: integer('Records of it that stay.'),
        },
        'Of whom.',
      ),
      'Where people were named.',
    ),
    receipt: nullable(receipt, 'Null where nothing was changed.'),
  },
  'What would go, or is gone.',
);

export const FORGET_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/forget', 'forgetPeople', {
    errors: GRAPH_ERRORS,
    summary: 'Forget people',
    about:
      'Without `confirm` it tells what would go. With the number of records that this told, they are taken out of every file for good. `bonafide graph forget`.',
    body: forgetRequestSchema,
    examples: {
      first: { summary: 'What would go', value: { identities: [1] } },
      old: { summary: 'What nobody has seen for long', value: { older_than: '36500d', confirm: 0 } },
    },
    answers: forgetResultSchema,
    handle: async ({ body, people }) => {
      const { older_than: days, allow_return: allowReturn, clock_is_right: isClockRight, ...rest } = body;
      const olderThanMs = days === undefined ? undefined : Number.parseInt(days, 10) * DAY_MS;
      const it = await people('forget', { ...rest, olderThanMs, allowReturn, isClockRight });
      return {
        ...it,
        people: it.people.map(withRecords),
      };
    },
  }),
];

const DAY_MS = 86_400_000;
