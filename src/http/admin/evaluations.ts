// Evaluations.
import * as v from 'valibot';
import type { EvaluationView } from '../../admin/operator-service.ts';
import { CASES_BODY, readBody } from '../body.ts';
import { comparisonSchema, evaluationReportSchema } from './evaluation-report.ts';
import { fileNameQuery } from './graph/imports.ts';
import { list, namedObject, object, nullable, string, integer, oneOf } from '../schema/parts.ts';
import { adminRoute, type AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

export const casesFileSchema = v.pipe(
  v.string(),
  v.title('LabelledCases'),
  v.description(
    'The file as it is: CSV or JSON Lines, as the page [Evaluating](/docs/evaluating) has it, packed or not.',
  ),
);

export const columnMapQuery = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(2000),
    v.description('What columns hold, such as `name=Kunde,email=Mail`; else their headers say it.'),
  ),
);

export const regionQuery = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[A-Z]{2}$/),
    v.description('Country (ISO 3166) in which numbers and addresses are read that name none.'),
  ),
);

const evaluationId = v.pipe(v.string(), v.regex(/^evl_\w{16}$/), v.description('Its id.'));

export const earlierEvaluationQuery = v.optional(
  v.pipe(evaluationId, v.description('The id of an earlier evaluation that is done, to compare with.')),
);

export const reportFormatQuery = v.optional(
  oneOf(['json', 'html'], 'The form of the answer; JSON where it is not said.'),
);

export const evaluationSchema = namedObject(
  'Evaluation',
  {
    id: evaluationId,
    name: string('What the file is called.'),
    state: oneOf(['checking', 'done', 'failed', 'dropped'], '`checking` goes on by itself.'),
    progress: nullable(
      object({ done: integer('Cases that are checked.'), cases: integer('All of them.') }, 'How far it is.'),
      'Null before the file is read, and at the end.',
    ),
    columns: list(
      object(
        { header: string('Its header.'), field: nullable(v.string(), 'What it was taken for.') },
        'A column.',
      ),
      'The columns of a table; none where lines say themselves what they hold.',
    ),
    evaluation: nullable(evaluationReportSchema, 'Null until it is done.'),
    comparison: nullable(comparisonSchema, 'With `before`, once it is done.'),
    failed: nullable(
      object(
        { code: string('A stable code.'), detail: string('What is wrong, and what to do.') },
        'Why it failed.',
      ),
      'Null where nothing did.',
    ),
  },
  'An evaluation of labelled cases.',
);

const shared = { answers: evaluationSchema, errors: ['graph_unavailable'] as const };

const one = { ...shared, of: 'evaluation' };

export const EVALUATION_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST evaluations', 'sendCases', {
    ...shared,
    summary: 'Evaluate labelled cases',
    about: `A file of [labelled cases](/docs/evaluating), up to ${CASES_BODY.kib / 1024} MiB (\`application/octet-stream\`) and 50,000 cases. Each is checked as a request would be, and counts nothing; ask for it until it is \`done\`. Nothing of the file is written anywhere; the result is there for an hour. \`bonafide evaluate\`.`,
    query: {
      name: fileNameQuery,
      map: columnMapQuery,
      region: regionQuery,
      before: earlierEvaluationQuery,
    },
    own: { schema: casesFileSchema, kind: CASES_BODY },
    examples: {
      csv: {
        summary: 'Two cases',
        value:
          'case_id,genuine,name,email\na-1,yes,Ada Quill,ada@example.com\na-2,no,Ben Osei,ada@example.com\n',
      },
    },
    status: 201,
    handle: async ({ query: { name = '', ...asked }, event, actor }, service) => {
      const bytes = await readBody(event, CASES_BODY);
      const sent = { ...asked, bytes, name: name.trim() || 'file', actor };
      return viewOf(await service.handleEvaluation({ act: 'add', ...sent }));
    },
  }),
  adminRoute('GET evaluations/:id', 'showEvaluation', {
    ...one,
    summary: 'How an evaluation stands',
    about:
      'How many cases are checked, and what came of it: the figures of `bonafide evaluate --json`, without the answer to each case. As the report that the command writes, too.',
    query: { format: reportFormatQuery },
    types: ['text/html'],
    handle: async ({ id, query: { format = 'json' } }, service) =>
      format === 'html'
        ? {
            text: await service.getEvaluationHtml(id),
            type: 'text/html; charset=utf-8',
            headers: [PAGE_POLICY],
          }
        : viewOf(await service.handleEvaluation({ act: 'show', id })),
  }),
  adminRoute('POST evaluations/:id/drop', 'dropEvaluation', {
    ...one,
    summary: 'Drop an evaluation',
    about: 'One that is at work is stopped.',
    handle: async ({ id }, service) => viewOf(await service.handleEvaluation({ act: 'drop', id })),
  }),
];

/** A page of its own, which shows nothing but itself. */
const PAGE_POLICY: [string, string] = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
];

const viewOf = ({ failed, found, ...rest }: EvaluationView) => ({
  ...rest,
  columns: found?.columns ?? [],
  evaluation: found?.evaluation ?? null,
  comparison: found?.comparison ?? null,
  failed: failed && { code: failed.code, detail: failed.message },
});
