import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleGraphAnswers, findChangedGraphAnswers } from '../../../src/maintenance/sqlite/answers.ts';
import { requireCopyEqualsOriginal } from '../../../src/maintenance/sqlite/check-copy.ts';
import { countRows } from '../../../src/maintenance/sqlite/facts.ts';
import { filledFolder } from '../kit.ts';

async function graphOf(records: number) {
  const folder = await filledFolder(records);
  const db = new Database(join(folder, 'graph.db'));
  onTestFinished(() => void db.close());
  return { folder, db };
}

test('a graph answers to its values without its secret: who has each, and when they were seen', async () => {
  const { db } = await graphOf(20);
  const answers = sampleGraphAnswers(db);
  expect(answers).toHaveLength(Number(db.prepare('SELECT count(*) FROM posting').pluck().get()));
  expect(answers.every(({ answer }) => JSON.parse(answer).values[0].length > 0)).toBe(true);
  expect(findChangedGraphAnswers(db, answers)).toEqual([]);
});

test('of many values a thousand are asked', async () => {
  const { db } = await graphOf(400);
  expect(sampleGraphAnswers(db)).toHaveLength(1000);
});

test.each([
  ['says another number of records', 'UPDATE identity SET records = records + 1 WHERE id = 3'],
  ['seals another name', 'UPDATE identity SET profile = zeroblob(60) WHERE id = 3'],
  [
    'gives a value to another identity',
    'UPDATE posting SET ids = (SELECT ids FROM posting ORDER BY key LIMIT 1)',
  ],
])('a copy that %s is found by its answers, with the counts it should have', async (_, sql) => {
  const { folder, db } = await graphOf(20);
  const [answers, counts] = [sampleGraphAnswers(db), countRows(db)];
  db.exec(sql);
  expect(findChangedGraphAnswers(db, answers).length).toBeGreaterThan(0);
  const store = new Database(join(folder, 'store.db'));
  const records = new Database(join(folder, 'records.db'));
  const told = {
    'graph.db': { counts, answers },
    'records.db': { counts: countRows(records) },
    'store.db': { counts: countRows(store) },
  };
  records.close();
  store.close();
  await expect(requireCopyEqualsOriginal(folder, told)).rejects.toMatchObject({
    code: 'damaged_backup',
    message: expect.stringContaining('gives other answers than the original'),
  });
});
