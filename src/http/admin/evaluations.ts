import * as v from 'valibot';
import type { EvaluationState } from '../../admin/operator-service.ts';
import { LABELLED_CASES_BODY_FORMAT, readBody } from '../body.ts';
import type { Route } from '../openapi/operation.ts';
import * as s from '../schema/builders.ts';
import { evaluationComparisonSchema, evaluationReportSchema } from './evaluation-report.ts';
import { fileNameParameterSchema, regionSchema } from './graph/imports.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const casesFileSchema = s.openApiText(
  'LabelledCases',
  'The file, CSV or JSON Lines as on the page [Evaluating](/docs/evaluating), compressed or not.',
);

const evaluationId = s.string('Id of the evaluation.', { pattern: /^evl_\w{16}$/ });

const column = s.object('A column.', {
  header: s.string('Header of the column.'),
  field: s.nullableString('Field that the column was read as.'),
});
const progress = s.object('Progress.', {
  done: s.integer('Cases that are checked.'),
  cases: s.integer('All cases.'),
});
const failure = s.object('Why it failed.', {
  code: s.string('Stable error code.'),
  detail: s.string('What is wrong, and what to do.'),
});
export const evaluationSchema = s.openApiObject('Evaluation', 'An evaluation of labelled cases.', {
  id: evaluationId,
  name: s.string('Name of the file.'),
  state: s.oneOf(['checking', 'done', 'failed', 'dropped'], '`checking` ends by itself.'),
  progress: s.nullable(progress, 'Null before the file is read, and at the end.'),
  columns: s.list(column, 'Columns of a table; empty for JSON Lines.'),
  evaluation: s.nullable(evaluationReportSchema, 'Null until the evaluation is done.'),
  comparison: s.nullable(evaluationComparisonSchema, 'With `before`, when the evaluation is done.'),
  failed: s.nullable(failure, 'Null if nothing failed.'),
});

const answersEvaluation = { answers: evaluationSchema, errors: ['graph_unavailable'] as const };
const onEvaluation = { ...answersEvaluation, noun: 'evaluation' };

export const EVALUATION_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST evaluations', 'sendCases', {
    ...answersEvaluation,
    summary: 'Evaluate labelled cases',
    about: `A file of [labelled cases](/docs/evaluating), up to ${LABELLED_CASES_BODY_FORMAT.kib / 1024} MiB (\`application/octet-stream\`) and 50,000 cases. Each case is checked like a request, and counts against no quota. Poll the evaluation until it is \`done\`. Nothing of the file is written to disk; the result is kept for an hour.`,
    command: 'evaluate',
    query: s.optional({
      name: fileNameParameterSchema,
      map: s.string(
        'Fields of columns, such as `name=Kunde,email=Mail`; by default they follow from the headers.',
        { max: 2000 },
      ),
      region: regionSchema,
      before: v.pipe(
        evaluationId,
        v.description('Id of an earlier evaluation that is done, to compare with.'),
      ),
    }),
    rawBody: { schema: casesFileSchema, format: LABELLED_CASES_BODY_FORMAT },
    examples: {
      csv: {
        summary: 'Two cases',
        value:
          'case_id,genuine,name,email\na-1,yes,Ada Quill,ada@example.com\na-2,no,Ben Osei,ada@example.com\n',
      },
    },
    status: 201,
    async handle({ query: { name = '', ...query }, event, actor }, service) {
      const bytes = await readBody(event, LABELLED_CASES_BODY_FORMAT);
      const cases = { ...query, bytes, name: name.trim() || 'file', actor };
      return toEvaluationJson(await service.handleEvaluation({ act: 'add', ...cases }));
    },
  }),
  declareAdminRoute('GET evaluations/:id', 'showEvaluation', {
    ...onEvaluation,
    summary: 'Show an evaluation',
    about:
      'Progress, and the results of `bonafide evaluate --json` without the answer to each case. With `format=html`, the report that the command writes.',
    query: { format: v.optional(s.oneOf(['json', 'html'], 'Format of the answer; JSON by default.')) },
    types: ['text/html'],
    async handle({ id, query: { format = 'json' } }, service) {
      if (format === 'json') return toEvaluationJson(await service.handleEvaluation({ act: 'show', id }));
      const text = await service.getEvaluationHtml(id);
      return { text, type: 'text/html; charset=utf-8', headers: [REPORT_POLICY] };
    },
  }),
  declareAdminRoute('POST evaluations/:id/drop', 'dropEvaluation', {
    ...onEvaluation,
    summary: 'Drop an evaluation',
    about: 'A running evaluation is stopped.',
    handle: async ({ id }, service) => toEvaluationJson(await service.handleEvaluation({ act: 'drop', id })),
  }),
];

/** Content security policy of the HTML report of an evaluation. The report runs no scripts and loads no other file. */
const REPORT_POLICY: [string, string] = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
];

const toEvaluationJson = ({ failed, found, ...view }: EvaluationState) => ({
  ...view,
  columns: found?.columns ?? [],
  evaluation: found?.evaluation ?? null,
  comparison: found?.comparison ?? null,
  failed: failed && { code: failed.code, detail: failed.message },
});
