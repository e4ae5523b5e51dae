import * as v from 'valibot';
import { fromSnakeCaseJson } from '../../../admin/wire.ts';
import { GRAPH_ERROR_CODES, type Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';
import {
  recordIdsSchema,
  recordReferenceFieldSchemas,
  createSearchValueListSchema,
  toPersonJson,
} from './people.ts';

const forgetRequestSchema = s.openApiObject(
  'ForgetAsked',
  'People or records to be forgotten.',
  s.optional({
    identities: s.list(s.identityNumberSchema, 'All records of these identities.', { max: 100 }),
    records: v.pipe(recordIdsSchema, v.description('These records, `SOURCE:ID`.')),
    emails: createSearchValueListSchema('All records of the identity that has this e-mail.'),
    phones: createSearchValueListSchema('All records of the identity that has this phone.'),
    older_than: s.string(
      'Instead of the fields above: all records last seen longer ago than this, such as `1826d`.',
      { pattern: /^\d{1,5}d$/, form: 'a number of days such as 1826d' },
    ),
    clock_is_right: s.boolean(
      'With `older_than`: true removes more than half of the graph although by the server’s clock nobody was seen for a year.',
    ),
    again: s.boolean(
      'Instead of the fields above: people who were forgotten before and are on record again, as after restoring an older backup.',
    ),
    confirm: s.integer('Number of records to be removed. Without it nothing is changed.'),
    allow_return: s.boolean('True if a later import may bring the people back.'),
  }),
);

const receipt = s.object('Receipt of the erasure.', {
  what: s.oneOf(['erasure'], 'Kind of receipt.'),
  finished: s.boolean('False if it was interrupted: the next command that forgets or compacts completes it.'),
  time: s.timestamp('When it was started.'),
  records: s.integer('Records that were removed.'),
  sources: s.record(v.number(), 'Records that were removed, by source.'),
  identities: s.list(s.identityNumberSchema, 'Identities of which no record is left.'),
  watches: v.optional(s.integer('Deleted watches with values of the people.')),
  job_lines: v.optional(s.integer('Deleted lines of jobs with values of the people.')),
  searched: s.integer('Number of byte strings of theirs that every file was searched for.'),
  traces: s.stringList('Files that still contain one of these byte strings.'),
  unsearched: v.optional(
    s.stringList(
      'Files that could not be searched: backups, encrypted files, files in use by another process or without permission.',
    ),
  ),
  rewritten: s.boolean('True if the files were rewritten.'),
  logs_empty: s.boolean('True if the logs of the databases were emptied.'),
  beyond: v.optional(s.string('Where their bytes may remain for a while, out of reach of any command.')),
  marks: s.stringList('Keyed digests on the suppression list, which keep them out.'),
});

const personForgotten = s.object('A person.', {
  identity: s.nullableNumber('Identity number.'),
  names: s.stringList('Its names.'),
  records: s.list(s.object('A record.', recordReferenceFieldSchemas), 'Its records that are removed.'),
  others: s.integer('Number of its records that stay.'),
});
export const forgetResultSchema = s.openApiObject(
  'Forgotten',
  'Records that would be removed, or were removed.',
  {
    records: s.integer('Records that would be removed, or were removed.'),
    people: s.list(personForgotten, 'The people, if the request named people.'),
    receipt: s.nullable(receipt, 'Null if nothing was changed.'),
  },
);

export const FORGET_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST graph/forget', 'forgetPeople', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Forget people',
    about:
      'Without `confirm`, the answer says which records would be removed, and nothing is changed. With their number in `confirm`, they are removed from every file for good.',
    command: 'graph forget',
    body: forgetRequestSchema,
    examples: {
      first: { summary: 'What would be removed', value: { identities: [1] } },
      old: { summary: 'Records that nobody has seen for long', value: { older_than: '36500d', confirm: 0 } },
    },
    answers: forgetResultSchema,
    async handle({ body, people }) {
      const { olderThan, clockIsRight: isClockRight, ...request } = fromSnakeCaseJson(body);
      const olderThanMs = olderThan === undefined ? undefined : Number.parseInt(olderThan, 10) * DAY_MS;
      const result = await people('forget', { ...request, olderThanMs, isClockRight });
      return { ...result, people: result.people.map(toPersonJson) };
    },
  }),
];

const DAY_MS = 86_400_000;
