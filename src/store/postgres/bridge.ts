// PostgreSQL with the interface of an SQLite connection: each statement blocks until it is answered, so that
// both engines share the code for operators' work. The calling thread sleeps meanwhile, so it must not be one
// that serves calls.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { getModuleFile } from '../../platform/assets.ts';
import type { SqlConnection } from '../store.ts';
import type {
  BlockingConnectionCommand,
  BlockingConnectionThreadData,
  BlockingConnectionReply,
  BlockingConnectionRequest,
} from './bridge-thread.ts';

export interface BlockingPostgresConnection extends SqlConnection {
  close(): void;
}

/** Maximum wait for the answer to one statement, in milliseconds. Queries of operators take less time. */
const MAX_WAIT_MS = 120_000;
/** Number of the PostgreSQL advisory lock for changes (the letters "BONS"). Only one writer at a time holds it, as in SQLite. */
const CHANGE_LOCK = 0x42_4f_4e_53;

const BEGIN = { deferred: 'BEGIN ISOLATION LEVEL REPEATABLE READ', immediate: 'BEGIN' };
type Mode = keyof typeof BEGIN;
type Answer = Exclude<BlockingConnectionReply, { failed: unknown }>;

class StatementError extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}

/**
 * Opens a PostgreSQL connection whose functions block the thread. If a statement has no answer after `maxWaitMs`, it fails with store_unavailable,
 * and the next statement uses a new connection.
 */
export function openBlockingPostgresConnection(
  url: string,
  maxWaitMs = MAX_WAIT_MS,
): BlockingPostgresConnection {
  const { port1, port2 } = new MessageChannel();
  const answerCount = new Int32Array(new SharedArrayBuffer(4));
  const data: BlockingConnectionThreadData = { url, answerCount, port: port2 };
  const file = getModuleFile('store/postgres/bridge-thread');
  new Worker(file, { workerData: data, transferList: [port2] }).unref();
  let depth = 0;
  let lastId = 0;

  function ask(
    request: Pick<BlockingConnectionRequest, 'text'> & Partial<BlockingConnectionRequest>,
  ): Answer {
    const id = ++lastId;
    const part = depth > 0 ? 'inside' : 'alone';
    port1.postMessage({
      params: [],
      part,
      isScript: false,
      ...request,
      id,
    } satisfies BlockingConnectionRequest);
    const reply = waitForReply(id);
    if ('failed' in reply) throw new StatementError(reply.failed);
    return reply;
  }

  /** Waits for the reply to a request. Ignores replies to earlier requests, which came too late. */
  function waitForReply(id: number): BlockingConnectionReply {
    for (;;) {
      const before = Atomics.load(answerCount, 0);
      const reply: BlockingConnectionReply | undefined = receiveMessageOnPort(port1)?.message;
      if (reply?.id === id) return reply;
      if (!reply && Atomics.wait(answerCount, 0, before, maxWaitMs) === 'timed-out') {
        // The connection may be dead, or in a transaction whose BEGIN is answered late.
        port1.postMessage('renew' satisfies BlockingConnectionCommand);
        throw new BonafideError(
          'store_unavailable',
          'The store’s PostgreSQL does not answer in time. Check that it is running and reachable.',
        );
      }
    }
  }

  /** Runs work in a transaction, or in a savepoint if a transaction is open. */
  function runTransaction<T>(mode: Mode, work: () => T): T {
    const isOutermost = depth === 0;
    const savepoint = `s${depth}`;
    if (isOutermost) ask({ text: BEGIN[mode], part: 'begin' });
    else ask({ text: `SAVEPOINT ${savepoint}` });
    depth++;
    try {
      if (isOutermost && mode === 'immediate') ask({ text: `SELECT pg_advisory_xact_lock(${CHANGE_LOCK})` });
      const result = work();
      const { command } = ask({ text: isOutermost ? 'COMMIT' : `RELEASE ${savepoint}` });
      // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
      if (isOutermost && command !== 'COMMIT') throw new Error('The transaction was undone.');
      return result;
    } catch (error) {
      rollBack(isOutermost ? 'ROLLBACK' : `ROLLBACK TO ${savepoint}`);
      throw error;
    } finally {
      depth--;
    }
  }

  function rollBack(text: string): void {
    try {
      ask({ text });
    } catch {
      // After a lost connection the server has already rolled back.
    }
  }

  const transaction = (work: (...args: unknown[]) => unknown) => {
    const deferred = (...args: unknown[]) => runTransaction('deferred', () => work(...args));
    const immediate = (...args: unknown[]) => runTransaction('immediate', () => work(...args));
    return Object.assign((...args: unknown[]) => deferred(...args), {
      deferred,
      immediate,
      exclusive: immediate,
    });
  };
  const bridge = {
    prepare: (text: string) => createStatement(text, ask),
    transaction,
    exec(text: string) {
      ask({ text, isScript: true });
      return bridge;
    },
    close() {
      port1.postMessage('close' satisfies BlockingConnectionCommand);
      port1.close();
    },
  };
  return bridge as unknown as BlockingPostgresConnection;
}

type RowForm = 'objects' | 'arrays' | 'first columns';

/**
 * Creates a prepared statement. `raw` and `pluck` select the form of the returned rows, as in better-sqlite3. PostgreSQL prepares each text once per
 * connection.
 */
function createStatement(sql: string, ask: (request: { text: string; params: unknown[] }) => Answer) {
  const { text, toParameters } = toNumberedStatement(sql);
  let form: RowForm = 'objects';
  const all = (...values: unknown[]) => toRows(ask({ text, params: toParameters(values) }), form);
  const statement = {
    raw: () => ((form = 'arrays'), statement),
    pluck: () => ((form = 'first columns'), statement),
    all,
    get: (...values: unknown[]) => all(...values)[0],
    iterate: (...values: unknown[]) => all(...values).values(),
    run: (...values: unknown[]) => ({ changes: ask({ text, params: toParameters(values) }).count }),
  };
  return statement;
}

function toRows({ columns, rows }: Answer, form: RowForm): unknown[] {
  const arrays = rows.map((row) => row.map(toBuffer));
  if (form === 'arrays') return arrays;
  if (form === 'first columns') return arrays.map(([first]) => first);
  return arrays.map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

/** Converts bytes to a Buffer. A Buffer that is sent between threads arrives as a plain Uint8Array. */
const toBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/** Matches the placeholders `?` and `@name`, and quoted texts and names, which may contain these characters. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|@(\w+)/g;

interface NumberedStatement {
  text: string;
  /**
   * Returns the values for the placeholders in their order. `values` are arguments as for SQLite: single values, one list, or one object with named
   * values.
   */
  toParameters(values: readonly unknown[]): unknown[];
}

const NUMBERED = new Map<string, NumberedStatement>();

/** Converts a statement with placeholders of SQLite (`?`, `@name`) to one with those of PostgreSQL (`$1`). */
export function toNumberedStatement(sql: string): NumberedStatement {
  const cached = NUMBERED.get(sql);
  if (cached) return cached;
  const names: string[] = [];
  let unnamed = 0;
  const text = sql.replaceAll(TOKENS, (token, name: string | undefined) => {
    if (token === '?') return `$${++unnamed}`;
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const toParameters = (values: readonly unknown[]) =>
    names.length > 0 ? pickByName(names, values[0]) : values.flat().map((value) => value ?? null);
  const statement = { text, toParameters };
  NUMBERED.set(sql, statement);
  return statement;
}

const pickByName = (names: readonly string[], values: unknown): unknown[] =>
  names.map((name) => (values as Record<string, unknown>)[name] ?? null);
