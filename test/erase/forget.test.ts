import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forget } from '../../src/erase/forget.ts';
import { keepReceipt, type Receipt, readReceipt, receiptsIn } from '../../src/erase/receipt.ts';
import type { KeepingGraph } from '../../src/graph/graph.ts';
import type { GraphErasing } from '../../src/graph/parts/erasing.ts';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { importRows, operate, type Row, strangers } from '../kit/graphs/graph.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const GONE: Row = { record_id: 'gone', name: 'Wilhelmina Quackenbush', emails: ['w@quackenbush.example'] };
const NAMES = [{ source: 'crm', recordId: 'gone' }];

async function folderOf(): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), GONE]]);
  return folder;
}

/** A graph whose process ends where `part` of an erasure is begun, as far as its files can tell. */
const endingAt = (graph: KeepingGraph, part: keyof GraphErasing): KeepingGraph => {
  const erasing: GraphErasing = Object.create(graph.erasing ?? null);
  const ended = () => {
    throw new Error('ended');
  };
  Object.defineProperty(erasing, part, { value: ended });
  return Object.create(graph, { erasing: { value: erasing } });
};

const cutShort = (folder: string, part: keyof GraphErasing) =>
  operate(folder, (graph) =>
    expect(forget(endingAt(graph, part), NAMES, { dataDir: folder, now: NOW })).rejects.toThrow('ended'),
  );

const receiptOf = (folder: string): Receipt => readReceipt(receiptsIn(folder)[0] ?? '');

test('a forgetting that is cut short has left a receipt, which the next command that forgets or compacts completes', async () => {
  for (const command of [['compact'], ['forget', '--again', '--yes']]) {
    const folder = await folderOf();
    await cutShort(folder, 'emptyLogs');
    const begun = receiptOf(folder);
    expect(begun).toMatchObject({ finished: false, records: 1, sources: { crm: 1 }, identities: [21] });
    expect(begun.marks.length).toBeGreaterThan(1);
    const { stderr } = await runHere(['graph', ...command, '--data-dir', folder]);
    expect(stderr).toContain('A forgetting that was cut short is complete now: 1 records');
    expect(receiptOf(folder)).toEqual({ ...begun, finished: true, rewritten: true, logs_empty: true });
    const acts = await runHere(['audit', 'show', '--json', '--data-dir', folder]);
    expect(acts.stdout).toContain('"graph.forget"');
  }
});

test('one that fails before anything has gone leaves none', async () => {
  const folder = await folderOf();
  await cutShort(folder, 'bar');
  expect(receiptsIn(folder)).toEqual([]);
  expect(await operate(folder, (graph) => graph.records.count())).toBe(21);
});

test('one that is killed before anything has gone is done by the next that asks who is there again', async () => {
  const folder = await folderOf();
  const other = join(freshFolder(), 'copy');
  cpSync(folder, other, { recursive: true });
  chmodSync(other, 0o700);
  await cutShort(folder, 'emptyLogs');
  const begun = receiptOf(folder);
  keepReceipt(other, begun);
  const { stdout } = await runHere(['graph', 'forget', '--again', '--yes', '--json', '--data-dir', other]);
  expect(JSON.parse(stdout)).toMatchObject({ finished: true, records: 1, identities: [21] });
  expect(receiptsIn(other).map((file) => readReceipt(file).finished)).toEqual([true]);
});

test('a receipt tells of no contact, even where a source is called like one', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), { ...GONE, source: 'w@quackenbush.example' }]]);
  const forgotten = await runHere(['graph', 'forget', '--identity', '21', '--yes', '--data-dir', folder]);
  expect(forgotten.code).toBe(0);
  expect(readFileSync(receiptsIn(folder)[0] ?? '', 'utf8')).not.toContain('quackenbush');
});
