// One connection to PostgreSQL, asked by a thread that waits for each answer: see bridge.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { connectPostgres } from './client.ts';
import { getErrorCode } from './errors.ts';

export interface BridgeData {
  url: string;
  /** Counts answers; whoever waits sleeps on it. */
  answered: SharedArrayBuffer;
  port: MessagePort;
}

export interface BridgeRequest {
  /** Of the question; its answer has the same. */
  id: number;
  text: string;
  params: unknown[];
  /** What it is of a transaction. */
  part: 'begin' | 'inside' | 'alone';
  /** Several statements without parameters. */
  several: boolean;
}

export type BridgeReply = { id: number } & (
  | { columns: string[]; rows: unknown[][]; count: number; command: string }
  | { failed: { code: string; message: string } }
);

if (parentPort === null) throw new Error('The bridge works in a thread of its own.');
const { url, answered, port }: BridgeData = workerData;
const count = new Int32Array(answered);

/** How many connections were lost: a transaction that began on one that is lost must not go on on the next. */
let lost = 0;
let begunAt = 0;
const sql = connectPostgres({ url, connections: 1, onLost: () => lost++ });

port.on('message', async (asked: BridgeRequest | null) => {
  if (asked === null) {
    port.close();
    return sql.end();
  }
  port.postMessage({ id: asked.id, ...(await answerTo(asked)) } satisfies BridgeReply);
  Atomics.add(count, 0, 1);
  Atomics.notify(count, 0);
});

async function answerTo({ text, params, part, several }: BridgeRequest) {
  if (part === 'inside' && lost !== begunAt)
    return { failed: { code: 'CONNECTION_CLOSED', message: 'The connection was lost.' } };
  try {
    if (several) {
      await sql.unsafe(text).simple();
      return { columns: [], rows: [], count: 0, command: '' };
    }
    if (part === 'begin') begunAt = lost;
    const rows = await sql.unsafe(text, params as never[], { prepare: true }).values();
    const columns = (rows.columns ?? []).map(({ name }) => name);
    return { columns, rows: [...rows] as unknown[][], count: rows.count ?? 0, command: rows.command ?? '' };
  } catch (error) {
    return { failed: { code: getErrorCode(error), message: error instanceof Error ? error.message : '' } };
  }
}
