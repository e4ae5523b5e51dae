import * as v from 'valibot';
import { checkAnswerSchema, enhancedCheckAnswerSchema } from './check.ts';
import * as s from './builders.ts';
import { checkRequestSchema, legacyCheckRequestSchema } from './request.ts';

export const jobIdSchema = s.shortString('Id of the job.');

const REFERENCE = 'Your own reference of the line; the results repeat it.';
const reference = v.optional(s.nullable(s.shortString(REFERENCE), REFERENCE));

export const jobRequestSchema = s.openApiObject(
  'JobRequest',
  'Checks to be worked through in the background.',
  {
    requests: s.list(
      v.union([
        v.object({ ...checkRequestSchema.entries, reference }),
        v.object({ ...legacyCheckRequestSchema.entries, reference }),
      ]),
      'Bodies of checks, each optionally with a `reference`.',
      { min: 1, max: 10_000 },
    ),
  },
);

export const jobFileContentSchema = s.string(
  'A file of people to check. Its columns are recognised as `bonafide check --file` does.',
);

const column = s.object('A column.', {
  header: s.string('Header of the column.'),
  field: s.nullableString('Field that the column is read as; null if it is not used.'),
});

export const jobSchema = s.openApiObject('Job', 'A job.', {
  job_id: jobIdSchema,
  state: s.oneOf(
    ['queued', 'running', 'finished', 'cancelled', 'failed'],
    'A job that is `queued` or `running` goes on by itself; `cancelled` is answered when it is deleted.',
  ),
  total: s.integer('Lines of the job.'),
  done: s.integer('Lines that have a result, from the first line on.'),
  failed: s.integer('Lines of those whose result is a problem.'),
  created_at: s.timestamp('When the job was sent.'),
  left: s.integer('Lines that have no result yet; 0 after the end.'),
  seconds: s.number('Seconds from its start to its end, or until now.'),
  endpoint: s.oneOf(['validate', 'enhanced'], 'The check that each line gets.'),
  ai: s.boolean('True if `ai=true` was sent.'),
  name: s.nullableString('Name of the file.'),
  columns: s.list(column, 'Columns of a table; empty for other forms.'),
  ended_at: s.nullableTimestamp('When it ended; null before.'),
  expires_at: s.nullableTimestamp('When it and its results are deleted; null before its end.'),
  problem: s.nullableString(
    'Error code for which a job failed: `invalid_api_key` if its key is no longer valid, `wrong_secret` if the server has another secret.',
  ),
});

export const jobListSchema = s.openApiObject('Jobs', 'One page of your jobs.', {
  jobs: s.list(jobSchema, 'Your jobs, the newest first.'),
  next: s.nullableString('Cursor of the next page; null on the last page.'),
});

export const jobResultSchema = s.openApiObject('JobResult', 'Result of one line.', {
  line: s.integer(
    'Number of the line in the file, of the element of an array, or of the request, from 1.',
    1,
  ),
  reference: v.optional(s.nullableString('Your reference of the line; null if it has none.')),
  status: s.integerBetween(200, 599, '200, or the HTTP status of the problem.'),
  answer: v.optional(
    v.pipe(v.union([checkAnswerSchema, enhancedCheckAnswerSchema]), v.description('Answer of the check.')),
  ),
  problem: v.optional(s.problemSchema),
});
