// The check that every server test makes, applied to wrong answers.
import { expect, test } from 'vitest';
import { freshApp, JANE } from '../../kit/app.ts';
import { faultsOf } from '../../kit/api/described.ts';
import { TextResponse } from '../../../src/http/response.ts';

/** Returns the faults of an answer of the app whose body or status was changed. */
async function changed(
  path: string,
  body: object | null,
  change: (body: Record<string, unknown>) => unknown,
  status = 200,
) {
  const { post, send } = await freshApp();
  const answer = (await (body ? post(path, body) : send(path))) as unknown as TextResponse;
  const text = JSON.stringify(change(JSON.parse(String(answer.payload))));
  const other = new TextResponse(text, status, answer.pairs) as unknown as Response;
  return faultsOf(body ? 'POST' : 'GET', path, other);
}

test.each([
  [
    'a field that is not described',
    (body: object) => ({ ...body, extra: 1 }),
    /must NOT have additional properties/,
  ],
  [
    'a field that is missing',
    (body: object) => ({ ...body, summary: undefined }),
    /required property 'summary'/,
  ],
  [
    'a value of another type',
    (body: object) => ({ ...body, trustworthiness_score: '97' }),
    /must be integer/,
  ],
  ['a word that is not listed', (body: object) => ({ ...body, status: 'FINE' }), /must be equal to one of/],
])('an answer with %s is a fault', async (_, change, fault) => {
  const faults = await changed('/v1/validate', JANE, change);
  expect(faults.join('\n')).toMatch(fault);
});

test('an undescribed status or header is a fault, and an answer of an undescribed address', async () => {
  const same = (body: unknown) => body;
  expect(await changed('/v1/validate', JANE, same)).toEqual([]);
  expect(await changed('/v1/validate', JANE, same, 418)).toEqual(['POST /v1/validate 418 is not described']);
  expect(await changed('/healthz', null, same, 500)).not.toEqual([]);
  const alive = new TextResponse('{"status":"ok"}', 200, [
    ['content-type', 'application/json'],
  ]) as unknown as Response;
  expect(faultsOf('GET', '/nowhere', alive)).toEqual([
    'GET of no operation answered 200, which is no 404 as described',
  ]);
  expect(faultsOf('GET', '/healthz', alive)).toContain('GET /healthz 200 lacks X-Request-Id');
  expect(faultsOf('DELETE', '/healthz', alive)).not.toEqual([]);
});
