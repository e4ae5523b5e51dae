import * as schema from '../../../schema/admin/evaluations.ts';
import { CASES_BODY } from '../../../body.ts';
import { administrative } from './parts.ts';

const shared = { answers: schema.evaluationView, errors: ['graph_unavailable'] as ['graph_unavailable'] };
const one = { ...shared, of: 'evaluation' } as const;

export const TAKE = administrative({
  ...shared,
  method: 'POST',
  path: 'evaluations',
  id: 'sendCases',
  summary: 'Evaluate labelled cases',
  about: `A file of [labelled cases](/docs/evaluating), up to ${CASES_BODY.kib / 1024} MiB (\`application/octet-stream\`) and 50,000 cases. Each is checked as a request would be, and counts nothing; ask for it until it is \`done\`. Nothing of the file is written anywhere; the result is there for an hour. \`bonafide evaluate\`.`,
  query: {
    name: schema.casesName,
    map: schema.casesMap,
    region: schema.casesRegion,
    before: schema.earlier,
  },
  own: { schema: schema.casesBytes, kind: CASES_BODY },
  examples: {
    csv: {
      summary: 'Two cases',
      value:
        'case_id,genuine,name,email\na-1,yes,Ada Quill,ada@example.com\na-2,no,Ben Osei,ada@example.com\n',
    },
  },
  status: 201,
});

export const SHOW = administrative({
  ...one,
  method: 'GET',
  path: 'evaluations/:id',
  id: 'showEvaluation',
  summary: 'How an evaluation stands',
  about:
    'How many cases are checked, and what came of it: the figures of `bonafide evaluate --json`, without the answer to each case. As the report that the command writes, too.',
  query: { format: schema.reportFormat },
  types: ['text/html'],
});

export const DROP = administrative({
  ...one,
  method: 'POST',
  path: 'evaluations/:id/drop',
  id: 'dropEvaluation',
  summary: 'Drop an evaluation',
  about: 'One that is at work is stopped.',
});
