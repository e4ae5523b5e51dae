// One connection to PostgreSQL, asked by a thread that waits for each answer: see bridge.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { connectTo } from './client.ts';
import { codeOf } from './trouble.ts';

export interface BridgeData {
  url: string;
  /** Counts answers; whoever waits sleeps on it. */
  answered: SharedArrayBuffer;
  port: MessagePort;
}

export interface ToBridge {
  /** Of the question; its answer has the same. */
  id: number;
  text: string;
  params: unknown[];
  /** What it is of a transaction. */
  part: 'begin' | 'inside' | 'alone';
  /** Several statements without parameters. */
  several: boolean;
}

export type FromBridge = { id: number } & (
  | { columns: string[]; rows: unknown[][]; count: number; command: string }
  | { failed: { code: string; message: string } }
);

if (parentPort === null) throw new Error('The bridge works in a thread of its own.');
const { url, answered, port }: BridgeData = workerData;
const count = new Int32Array(answered);

/** How many connections were lost: a transaction that began on one that is lost must not go on on the next. */
let lost = 0;
let begunAt = 0;
const sql = connectTo({ url, connections: 1, onLost: () => lost++ });

port.on('message', async (asked: ToBridge | null) => {
  if (asked === null) {
    port.close();
    return sql.end();
  }
  port.postMessage({ id: asked.id, ...(await answerTo(asked)) } satisfies FromBridge);
  Atomics.add(count, 0, 1);
  Atomics.notify(count, 0);
});

async function answerTo({ text, params, part, several }: ToBridge) {
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
    return { failed: { code: codeOf(error), message: error instanceof Error ? error.message : '' } };
  }
}
