// The thread that links all records of a graph anew where that is due.
import { workerData } from 'node:worker_threads';
import { openRecordGraph } from '../../graph/engines.ts';
import { settle } from '../../people/linking/linking.ts';
import { loadNameTables } from '../../names/index.ts';
import { giveWay } from '../../platform/threads/priority.ts';
import type { FeedOptions } from './feed.ts';

const { dataDir, secret, graph: setting, nameTables }: FeedOptions = workerData;
for (const file of nameTables) loadNameTables(file);
giveWay();
const graph = openRecordGraph({ dataDir, secret, graph: setting, create: false });
try {
  await settle(graph);
} finally {
  await graph.close();
}
