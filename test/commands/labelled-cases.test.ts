// Tests of `bonafide evaluate --outcomes`: scores of the call log are compared with reported outcomes.
import { beforeAll, expect, test } from 'vitest';
import { startCallRecorder } from '../../src/store/sqlite/engine.ts';
import { openSqliteStore, getStoreFile } from '../../src/store/sqlite/open.ts';
import { createRequestId } from '../../src/platform/request-id.ts';
import { sampleCall } from '../kit/call.ts';
import { runHere } from '../kit/cli.ts';
import { sharedFolder } from '../kit/graphs/graph.ts';

const data = sharedFolder();
const MONTHS = [Date.UTC(2026, 9, 5), Date.UTC(2026, 10, 5)];

/**
 * In each month 20 genuine calls with scores 80 to 99, 20 other calls with scores 10 to 29, and calls that no
 * figure counts.
 */
beforeAll(async () => {
  const store = openSqliteStore({ file: getStoreFile(data) });
  const recorder = startCallRecorder(store);
  const keep = async (
    time: number,
    score: number,
    { genuine, test = false }: { genuine?: boolean; test?: boolean },
  ) => {
    const call = sampleCall({ requestId: createRequestId(time), time, score, test, scoringModel: 3 });
    await recorder.write(call);
    if (genuine !== undefined) await recorder.recordOutcome({ ...call, isGenuine: genuine });
  };
  for (const [month, time] of MONTHS.entries())
    for (let i = 0; i < 20; i++) {
      await keep(time + i, 80 + i, { genuine: true });
      await keep(time + i, 10 + i + month, { genuine: false });
      await keep(time + i, 0, {});
      await keep(time + i, 0, { genuine: true, test: true });
    }
  await recorder.close();
  store.close();
});

const evaluating = (...args: string[]) => runHere(['evaluate', '--data-dir', data, '--json', ...args]);
const printed = async (...args: string[]) => JSON.parse((await evaluating(...args)).stdout);

test('reported outcomes are compared with the scores, by month', async () => {
  const all = await printed('--outcomes');
  expect(all).toMatchObject({
    scoring_model: 3,
    cases: { genuine: 40, not_genuine: 40, apart: 0 },
    figures: { auc: { value: 1 }, genuine_from_65: { value: 1 } },
    misses: [],
  });
  const [months] = all.slices;
  expect([months.by, months.groups.map(({ group }: { group: string }) => group)]).toEqual([
    'month',
    ['2026-10', '2026-11'],
  ]);
  expect((await printed('--outcomes', '--month', '2026-10')).cases).toMatchObject({
    genuine: 20,
    not_genuine: 20,
  });
});

test.each([
  [['--outcomes', '--month', '2026-09'], 'No call of this selection has a reported outcome. '],
  [['--outcomes', '--account', 'acc_none'], 'acc_none'],
  [['--month', '2026-10'], 'Give either a file of cases, or --outcomes'],
  [[], 'Give either a file of cases, or --outcomes'],
  [['cases.csv', '--outcomes'], 'Give either a file of cases, or --outcomes'],
])('%j is refused with the reason', async (args, reason) => {
  const { code, stderr } = await evaluating(...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});
