// The thread that writes records into a server's graph as they come: one group after the other, each of what has come meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { loadNameTables } from '../../names/index.ts';
import { giveWay } from '../../platform/threads/priority.ts';
import type { FeedOptions, FeedReply, FeedRequest } from './feed.ts';
import { openFeedWriter } from './writer.ts';
import type { FeedCall } from './lines.ts';

if (parentPort === null) throw new Error('Records are taken in by a thread of its own.');
const port = parentPort;
const place: FeedOptions = workerData;
for (const file of place.nameTables) loadNameTables(file);
giveWay();
const intake = openFeedWriter(place);

port.on('message', (told: FeedRequest) => {
  if (told === 'settle')
    void intake.settle().then((settled) => port.postMessage({ settled } satisfies FeedReply));
  else if (told) void answer(told);
  else void intake.close().finally(() => port.close());
});

async function answer({ id, ...sent }: { id: number } & FeedCall): Promise<void> {
  const tell = (told: FeedReply) => port.postMessage(told);
  try {
    tell({ id, taken: await intake.take(sent) });
  } catch (error) {
    const { code, message } = error instanceof BonafideError ? error : UNKNOWN;
    tell({ id, failed: { code, message } });
  }
}

/** What failed otherwise has no sentence for anybody. */
const UNKNOWN = new BonafideError('graph_unavailable', 'Records cannot be taken in.');
