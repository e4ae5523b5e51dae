import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PEOPLE_OPERATIONS } from '../../../src/admin/graph/people-operations.ts';
import type { OperatorService } from '../../../src/admin/operator-service.ts';
import { startOldGraphRecordRemoval } from '../../../src/app/admin/retention.ts';
import { loadConfig, DEFAULT_GRAPH_SETTINGS } from '../../../src/config.ts';
import { listReceiptFilePaths } from '../../../src/people/erase/receipts.ts';
import { markErasurePending, readPendingErasure } from '../../../src/store/events/events.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { createWatchAndJobEraser } from '../../../src/watches/forget.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, strangers } from '../../kit/graphs/graph.ts';

const LOG = { info: vi.fn<(text: string) => void>(), error: vi.fn<(text: string) => void>() };

test('a server that is to keep records for an age looks once a day for what is older, and again soon where that failed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const people = vi.fn<(...asked: unknown[]) => Promise<{ records: number }>>(async () => ({ records: 2 }));
  const it = startOldGraphRecordRemoval({
    config: { graph: { ...DEFAULT_GRAPH_SETTINGS, keep: 'sealed+5y' } },
    log: LOG,
    people: people as unknown as OperatorService['runOnPeople'],
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(people).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(people.mock.calls[0]?.slice(0, 2)).toEqual(['retain', { olderThan: '5y' }]);
  expect(LOG.info).toHaveBeenCalledWith(expect.stringContaining('2 records were last seen more than 5y ago'));
  await vi.advanceTimersByTimeAsync(86_400_000 - 120_000);
  expect(people).toHaveBeenCalledTimes(1);
  people.mockRejectedValueOnce(new Error('busy'));
  await vi.advanceTimersByTimeAsync(180_000);
  expect(people).toHaveBeenCalledTimes(2);
  expect(LOG.error).toHaveBeenCalledWith(expect.stringContaining('busy'));
  await vi.advanceTimersByTimeAsync(3_700_000);
  expect(people).toHaveBeenCalledTimes(3);
  vi.setSystemTime(Date.now() - 31 * 86_400_000);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(people).toHaveBeenCalledTimes(4);
  it.close();
  await vi.advanceTimersByTimeAsync(2 * 86_400_000);
  expect(people).toHaveBeenCalledTimes(4);
});

test('one that is to keep them for ever does not', () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => timers.mockRestore());
  startOldGraphRecordRemoval({
    config: { graph: undefined },
    log: LOG,
    people: (() => undefined) as unknown as OperatorService['runOnPeople'],
  }).close();
  expect(timers).not.toHaveBeenCalled();
});

test('what was last seen before that is forgotten, with a receipt; whoever is seen again may come again', async () => {
  const folder = freshFolder();
  const old: Row = { record_id: 'old', name: 'Ann Lindqvist', last_seen: '2015-01-01' };
  const recent: Row = { record_id: 'recent', name: 'Otto Stay', last_seen: '2025-01-01' };
  await importRows(folder, [[...strangers(5), old, recent]]);
  const watchEraser = createWatchAndJobEraser({ dataDir: folder, region: 'US' });
  const asking = { dataDir: folder, region: 'US', actor: 'server', now: Date.UTC(2026, 0, 2), watchEraser };
  const retain = () =>
    operate(folder, (graph) => PEOPLE_OPERATIONS.retain(graph, { olderThan: '5y' }, asking));
  expect(await retain()).toMatchObject({ result: { records: 1 }, note: { act: 'graph.forget' } });
  expect(listReceiptFilePaths(folder)).toHaveLength(1);
  expect(await retain()).toEqual({ result: { records: 0 } });
  // Rows of watches whose bytes an earlier erasure left are erased, although no record is too old.
  const { raw } = openSqliteStore({ file: join(folder, 'store.db') });
  markErasurePending(raw, asking.now);
  expect(await retain()).toEqual({ result: { records: 0 } });
  expect(readPendingErasure(raw)).toBeNull();
  raw.close();
  expect(await importRows(folder, [[{ ...old, last_seen: '2025-12-01' }]])).toMatchObject({ added: 1 });
});

test('by a clock that is years ahead most of a graph is not forgotten: that is refused, with what to do', async () => {
  const folder = freshFolder();
  const rows = strangers(9).map((row, i) => ({ ...row, last_seen: i < 5 ? '2021-05-01' : '2026-03-01' }));
  await importRows(folder, [rows]);
  const asking = { dataDir: folder, region: 'US', actor: 'server' };
  const retain = (now: number) =>
    operate(folder, (graph) => PEOPLE_OPERATIONS.retain(graph, { olderThan: '5y' }, { ...asking, now }));
  await expect(retain(Date.UTC(2036, 0, 2))).rejects.toMatchObject({
    code: 'doubtful_clock',
    message: expect.stringMatching(
      /shows 2036-01-02, but no record was seen after 2026-03-01\. With this date, 9 of the 9 records .+ --clock-is-right\.$/,
    ),
  });
  expect(listReceiptFilePaths(folder)).toEqual([]);
  // A source with a record of the past year shows that the clock is right. A few records may always go.
  expect(await retain(Date.UTC(2026, 5, 2))).toMatchObject({ result: { records: 5 } });
});

test('the age is part of the setting graph, and what is no age is refused', async () => {
  const read = (keep: string) =>
    loadConfig({ env: { BONAFIDE_GRAPH: `keep=${keep}` }, cwd: freshFolder() }).then(
      ({ graph }) => graph?.keep,
    );
  for (const keep of ['fingerprints', 'sealed', '5y', 'sealed+90d', 'fingerprints+18m', '5y+sealed'])
    expect(await read(keep)).toBe(keep);
  for (const keep of ['none', '5', '0y', 'sealed+', '5y+', '5y+sealed+2y', '5y+2y', 'sealed+5y+2y'])
    await expect(read(keep)).rejects.toMatchObject({ code: 'invalid_config' });
});
