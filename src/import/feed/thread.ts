// Threads of a feed: one thread writes records to a server's graph, and a second thread links all records.
import { workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { openRecordStoringGraph } from '../../graph/engines.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { completePendingLinking } from '../../people/linking.ts';
import { serveThreadCalls } from '../../platform/threads/calls.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import type { FeedOperations, FeedOptions } from './feed.ts';
import { type RecordFeedWriter, openRecordFeedWriter } from './writer.ts';

const options: FeedOptions = workerData;
for (const file of options.nameTables) loadOperatorNameTable(file);
lowerThreadPriority();
let writer: RecordFeedWriter | undefined;
const openWriter = () => (writer ??= openRecordFeedWriter(options));

const OPERATIONS: FeedOperations = {
  async write(call) {
    try {
      return await openWriter().write(call);
    } catch (error) {
      // The text of any other error may contain submitted values.
      throw error instanceof BonafideError
        ? error
        : new BonafideError(
            'graph_unavailable',
            'The records could not be written to the graph because of an unexpected error. Send them again. If it fails again, run bonafide doctor.',
          );
    }
  },
  settle: () => openWriter().settle(),
  async linkAll() {
    const { dataDir, secret, graph: setting } = options;
    const graph = openRecordStoringGraph({ dataDir, secret, graph: setting, create: false });
    try {
      await completePendingLinking(graph);
    } finally {
      await graph.close();
    }
  },
  close: async () => writer?.close(),
};

// Calls that arrive during a write are written together afterwards.
serveThreadCalls((name, input) => OPERATIONS[name as keyof FeedOperations](input as never), {
  concurrent: true,
});
