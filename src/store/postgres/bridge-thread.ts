// Thread of src/store/postgres/bridge.ts: it has one connection to PostgreSQL; the thread that uses it sleeps
// until each answer.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createPostgresClient } from './client.ts';
import { getPostgresErrorCode } from './errors.ts';

export interface BlockingConnectionThreadData {
  url: string;
  /** Number of answers so far, in shared memory. The thread that waits for an answer sleeps until this number changes. */
  answerCount: Int32Array<SharedArrayBuffer>;
  port: MessagePort;
}

export interface BlockingConnectionRequest {
  id: number;
  text: string;
  params: unknown[];
  /** Place of the statement: it begins a transaction, is inside one, or is outside of any. */
  part: 'begin' | 'inside' | 'alone';
  /** True if the text consists of several statements without parameters. */
  isScript: boolean;
}

/** `renew`: use a new connection, because the present one does not answer. `close`: close the connection and end the thread. */
export type BlockingConnectionCommand = 'renew' | 'close';

export type BlockingConnectionReply = { id: number } & (
  | { columns: string[]; rows: unknown[][]; count: number; command: string }
  | { failed: { code: string; message: string } }
);

if (parentPort === null) throw new Error('The bridge works in a thread of its own.');
const { url, answerCount, port }: BlockingConnectionThreadData = workerData;

/** Number of lost connections so far. If it changes during a transaction, the transaction fails: it must not continue on a new connection. */
let lostConnections = 0;
let lostAtBegin = 0;
const sql = createPostgresClient({ url, connections: 1, onLost: () => lostConnections++ });

port.on('message', async (request: BlockingConnectionRequest | BlockingConnectionCommand) => {
  if (request === 'renew') return sql.renew();
  if (request === 'close') {
    port.close();
    return sql.end();
  }
  port.postMessage({ id: request.id, ...(await run(request)) } satisfies BlockingConnectionReply);
  Atomics.add(answerCount, 0, 1);
  Atomics.notify(answerCount, 0);
});

async function run({ text, params, part, isScript }: BlockingConnectionRequest) {
  if (part === 'inside' && lostConnections !== lostAtBegin)
    return { failed: { code: 'CONNECTION_CLOSED', message: 'The connection was lost.' } };
  try {
    if (isScript) {
      await sql.unsafe(text).simple();
      return { columns: [], rows: [], count: 0, command: '' };
    }
    if (part === 'begin') lostAtBegin = lostConnections;
    const rows = await sql.unsafe(text, params as never[], { prepare: true }).values();
    const columns = (rows.columns ?? []).map(({ name }) => name);
    return { columns, rows: [...rows] as unknown[][], count: rows.count ?? 0, command: rows.command ?? '' };
  } catch (error) {
    return {
      failed: { code: getPostgresErrorCode(error), message: error instanceof Error ? error.message : '' },
    };
  }
}
