// Threads that make reports on the graph.
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openGraphReportWorker } from '../../../src/admin/graph/report-worker.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, strangers } from '../../kit/graphs/graph.ts';

it('reports that are requested together share one thread, and later ones find it loaded', async () => {
  const dataDir = freshFolder();
  const graph = openSqliteGraph({ dataDir });
  await importInto(graph, [strangers(20)]);
  await graph.close();
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const settings = { secret: undefined, graph: undefined, store: undefined, nameTables: [] };
  const reports = openGraphReportWorker(
    { dataDir, region: 'US', backupsTo: undefined, ...settings },
    600_000,
  );
  onTestFinished(reports.close);
  const [stats, , again] = await Promise.all([
    reports.makeReport('stats'),
    reports.makeReport('survey'),
    reports.makeReport('stats'),
    reports.makeReport('sources'),
  ]);
  expect(stats).toBe(again);
  await reports.makeReport('stats');
  expect(started).toHaveLength(1);
  reports.discardReports();
  const waiting = (['stats', 'survey', 'sources'] as const).map((name) => reports.makeReport(name));
  const ended = Promise.allSettled(waiting);
  await reports.close();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(started).toHaveLength(1);
});
