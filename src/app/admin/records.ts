// Records that are sent over HTTP: the one thread that writes the graph stores them, and the audit log gets the sums of their counts.
import type { OperatorService, PutRecordsResult } from '../../admin/operator-service.ts';
import { type Feed, openFeed } from '../../import/feed/feed.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import type { Log } from '../../observe/log.ts';
import { requireDataFiles, refuseDemoDataFolder } from '../data/folder-checks.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

/** Interval (ms) of audit entries for records that arrive by API. One entry counts all records of one API key. */
const AUDIT_EVERY_MS = 60_000;

export function createPutRecordsService({
  config,
  log,
  data,
  storeWorker,
  closeLater,
}: OperatorServiceDeps): Pick<OperatorService, 'putRecords'> {
  const { dataDir, region } = config;
  const { graph, watch, watchThread } = data;
  const feed = closeLater(openFeed(config));
  void linkPendingRecords(feed, graph, log);
  const counts = new Map<string, { calls: number; put: number; deleted: number; refused: number }>();
  const count = (actor: string, { put, deleted, refused }: PutRecordsResult) => {
    const of = counts.get(actor) ?? { calls: 0, put: 0, deleted: 0, refused: 0 };
    of.calls++;
    of.put += put;
    of.deleted += deleted;
    of.refused += refused.length;
    counts.set(actor, of);
  };
  const note = async () => {
    const all = [...counts];
    counts.clear();
    for (const [actor, detail] of all) {
      await storeWorker
        .run('note', { act: 'graph.records', target: '', detail }, actor)
        .catch((error: unknown) => log.error('records are not in the audit log', error));
    }
  };
  const timer = closeLater(setInterval(note, AUDIT_EVERY_MS).unref(), clearInterval);
  closeLater(timer, note);
  return {
    async putRecords(sent, actor) {
      requireDataFiles(watch);
      refuseDemoDataFolder(dataDir);
      const result = await feed.write({ ...sent, region, now: Date.now() });
      watchThread?.wake();
      count(actor, result);
      return result;
    },
  };
}

/**
 * Links the records that were pending when a server process was killed. An unavailable graph is ignored here, because it is reported elsewhere.
 */
async function linkPendingRecords(feed: Feed, graph: IdentityGraph, log: Log): Promise<void> {
  try {
    if ((await graph.linking?.isSettled()) !== false) return;
  } catch {
    return;
  }
  log.info('linking all records again: the last server ended before it had done so');
  if (await feed.settle()) log.info('all records are linked');
  else log.warn('pending records could not be linked. Run: bonafide graph link');
}
