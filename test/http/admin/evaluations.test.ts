// Evaluations of labelled cases over HTTP: results, billing, privacy.
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createCheckerWithoutServer } from '../../../src/app/local-checks.ts';
import { loadConfig } from '../../../src/config.ts';
import { readCaseFile } from '../../../src/evaluate/cases.ts';
import { evaluateCases } from '../../../src/evaluate/check-cases.ts';
import { json } from '../../kit/app.ts';
import { adminApp } from './kit.ts';

// The thread has a low priority: on a busy machine it takes long.

const FILE = { 'content-type': 'application/octet-stream' };
const MARK = 'zqxmarked';
const CASES = `case_id,genuine,name,email,phone
a-1,yes,Jane Quimby,jane.quimby@example.com,415 555 0134
a-2,yes,Robert Vandermeer,rob.vandermeer@example.org,
a-3,no,Robert Vandermeer,jane.quimby@example.com,
a-4,no,${MARK} Nobody,,415 555 0134
a-5,no,Ann Other,not an address,
`;

async function evaluating() {
  const it = await adminApp();
  const send = (body: string, query = '') => it.ask('POST', `evaluations?name=cases.csv${query}`, body, FILE);
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        const view = await it.get(`evaluations/${id}`);
        if (view.state === 'checking') throw new Error(view.state);
        return view;
      },
      { timeout: 120_000, interval: 30 },
    );
  const run = async (body: string, query?: string) => {
    const response = await send(body, query);
    expect(response.status).toBe(201);
    return ended((await json(response)).id);
  };
  return { ...it, send, run };
}

test('the results are those of the command; no call is billed, and nothing of the file is stored', async () => {
  const { run, folder, get, everyByte, logged } = await evaluating();
  const view = await run(CASES);
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder } });
  const stream = Readable.from([Buffer.from(CASES)]);
  const { cases } = await readCaseFile({ name: 'cases.csv', stream });
  const checks = createCheckerWithoutServer(config);
  const { answers: _, ...told } = await evaluateCases(cases, checks, () => undefined);
  await checks.close();
  expect(view).toMatchObject({ state: 'done', progress: null, failed: null, comparison: null });
  expect(view.evaluation).toEqual(JSON.parse(JSON.stringify(told)));
  expect(view.evaluation.cases).toEqual({ genuine: 2, not_genuine: 2, apart: 0, refused: 1 });
  expect(view.columns.map(({ field }: { field: string }) => field)).toEqual([
    'case_id',
    'genuine',
    'name',
    'email',
    'phone',
  ]);
  expect((await get('requests')).items).toEqual([]);
  expect((await get('audit')).items[0]).toMatchObject({ act: 'evaluation.run', detail: { cases: 4 } });
  expect(JSON.stringify(view) + everyByte() + logged()).not.toContain(MARK);
});

test('two evaluations are compared, one is shown as HTML, and a dropped one is gone', async () => {
  const { run, ask } = await evaluating();
  const first = await run(CASES);
  const second = await run(CASES.replace('415 555 0134\na-2', '\na-2'), `&before=${first.id}`);
  expect(second.comparison).toMatchObject({ shared: 4, moved: 1, worse: [{ id: 'a-1' }] });
  const page = await ask('GET', `evaluations/${second.id}?format=html`);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('Before and after');
  expect(await json(ask('POST', `evaluations/${first.id}/drop`))).toMatchObject({ state: 'dropped' });
  expect((await ask('GET', `evaluations/${first.id}`)).status).toBe(404);
  const lost = await json(ask('POST', `evaluations?before=${first.id}`, CASES, FILE));
  expect(lost.errors).toMatchObject([{ code: 'unknown_evaluation' }]);
});

test('an unusable file is refused with the line number; one file of bounded size is evaluated at a time', async () => {
  const { run, send, ask } = await evaluating();
  const failed = async (body: string) => (await run(body)).failed;
  expect(await failed(`name,email\n${MARK},x@example.com\n`)).toMatchObject({
    code: 'invalid_arguments',
    detail: expect.stringMatching(
      /^cases\.csv: 1 line is not a valid case\. Correct or remove:\n {2}line 2: It has no `genuine`/,
    ),
  });
  const statuses = await Promise.all([send(CASES), send(CASES)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([201, 503]);
  const large = { ...FILE, 'content-length': String(2 ** 25) };
  expect((await ask('POST', 'evaluations', CASES, large)).status).toBe(413);
  expect((await ask('POST', 'evaluations', CASES, { 'content-type': 'text/csv' })).status).toBe(415);
});
