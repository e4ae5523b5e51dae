import type { EvaluationView } from '../../admin/evaluations/evaluation.ts';
import { CASES_BODY, readBytes } from '../body.ts';
import * as EVALUATIONS from '../openapi/operations/admin/evaluations.ts';
import { at } from './route.ts';
import type { AdminRoute } from './route.ts';

/** A page of its own, which shows nothing but itself. */
const PAGE_POLICY: [string, string] = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
];

export const EVALUATION_ROUTES: AdminRoute[] = [
  at(EVALUATIONS.TAKE, async ({ query: { name = '', ...asked }, event, actor }, { machine }) => {
    const bytes = await readBytes(event, CASES_BODY);
    const sent = { ...asked, bytes, name: name.trim() || 'file', actor };
    return viewOf(await machine.evaluations.ask({ act: 'take', ...sent }));
  }),
  at(EVALUATIONS.SHOW, async ({ id, query: { format = 'json' } }, { machine }) =>
    format === 'html'
      ? {
          text: await machine.evaluations.report(id),
          type: 'text/html; charset=utf-8',
          headers: [PAGE_POLICY],
        }
      : viewOf(await machine.evaluations.ask({ act: 'look', id })),
  ),
  at(EVALUATIONS.DROP, async ({ id }, { machine }) =>
    viewOf(await machine.evaluations.ask({ act: 'drop', id })),
  ),
];

const viewOf = ({ failed, found, ...rest }: EvaluationView) => ({
  ...rest,
  columns: found?.columns ?? [],
  evaluation: found?.evaluation ?? null,
  comparison: found?.comparison ?? null,
  failed: failed && { code: failed.code, detail: failed.message },
});
