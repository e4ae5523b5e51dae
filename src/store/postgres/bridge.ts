// PostgreSQL in the form of SQLite's connection: each statement is waited for, so that what an operator does is written once for both. The
// thread that asks sleeps until the answer is there: it must not be one that serves calls.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { codeFile } from '../../platform/assets.ts';
import { BonafideError } from '../../errors.ts';
import type { SqlConnection } from '../store.ts';
import type { BridgeData, BridgeReply, BridgeRequest } from './bridge-thread.ts';

export interface Bridge extends SqlConnection {
  close(): void;
}

/** Longer than any look of an operator's takes. */
const MOST_WAIT_MS = 120_000;
/** Whoever changes the store has it to itself, as with SQLite: the letters "BONS". */
const CHANGES = 0x42_4f_4e_53;

const BEGIN = { deferred: 'BEGIN ISOLATION LEVEL REPEATABLE READ', immediate: 'BEGIN' };
type Mode = keyof typeof BEGIN;
type Answer = Exclude<BridgeReply, { failed: unknown }>;

/** What the engine told, with its code. */
class StatementError extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}

/** @param mostWaitMs how long an answer is waited for, milliseconds */
export function openBridge(url: string, mostWaitMs = MOST_WAIT_MS): Bridge {
  const { port1: own, port2: port } = new MessageChannel();
  const answered = new SharedArrayBuffer(4);
  const count = new Int32Array(answered);
  const data: BridgeData = { url, answered, port };
  const worker = new Worker(codeFile('store/postgres/bridge-thread'), {
    workerData: data,
    transferList: [port],
  });
  worker.unref();
  let depth = 0;
  let last = 0;

  function ask(
    asked: Omit<BridgeRequest, 'part' | 'id'>,
    part: BridgeRequest['part'] = depth > 0 ? 'inside' : 'alone',
  ): Answer {
    const id = ++last;
    own.postMessage({ ...asked, part, id } satisfies BridgeRequest);
    const answer = answerTo(id);
    if ('failed' in answer) throw new StatementError(answer.failed);
    return answer;
  }

  /** Answers to earlier questions, whose askers had gone by then, are passed over. */
  function answerTo(id: number): BridgeReply {
    for (;;) {
      const before = Atomics.load(count, 0);
      const answer: BridgeReply | undefined = receiveMessageOnPort(own)?.message;
      if (answer?.id === id) return answer;
      if (!answer && Atomics.wait(count, 0, before, mostWaitMs) === 'timed-out')
        throw new BonafideError('store_unavailable', 'The store’s PostgreSQL does not answer in time.');
    }
  }
  const plain = (text: string, part?: BridgeRequest['part']) =>
    ask({ text, params: [], several: false }, part);

  /** The whole of it, on one connection; what a commit answers that was no commit is an error. */
  function outermost<T>(mode: Mode, work: () => T): T {
    plain(BEGIN[mode], 'begin');
    depth = 1;
    try {
      if (mode === 'immediate') plain(`SELECT pg_advisory_xact_lock(${CHANGES})`);
      const done = work();
      if (plain('COMMIT').command !== 'COMMIT') throw new Error('The transaction was undone.');
      return done;
    } catch (error) {
      undo('ROLLBACK');
      throw error;
    } finally {
      depth = 0;
    }
  }

  function inner<T>(work: () => T): T {
    const name = `s${depth++}`;
    try {
      plain(`SAVEPOINT ${name}`);
      const done = work();
      plain(`RELEASE ${name}`);
      return done;
    } catch (error) {
      undo(`ROLLBACK TO ${name}`);
      throw error;
    } finally {
      depth--;
    }
  }

  /** A connection that is gone has undone it. */
  function undo(text: string): void {
    try {
      plain(text);
    } catch {
      // What led here is told.
    }
  }

  const transaction = (work: (...args: unknown[]) => unknown) => {
    const run =
      (mode: Mode) =>
      (...args: unknown[]) => {
        const whole = () => work(...args);
        return depth === 0 ? outermost(mode, whole) : inner(whole);
      };
    const [deferred, immediate] = [run('deferred'), run('immediate')];
    return Object.assign((...args: unknown[]) => deferred(...args), {
      deferred,
      immediate,
      exclusive: immediate,
    });
  };
  const prepare = (text: string) => statementOf(text, (asked) => ask({ ...asked, several: false }));
  const bridge = new Connection(prepare, transaction, (text) => {
    ask({ text, params: [], several: true });
  });
  return Object.assign(bridge as unknown as SqlConnection, {
    close: () => {
      own.postMessage(null);
      own.close();
    },
  });
}

/** A class of its own: the query builder takes a plain object for its settings. */
class Connection {
  readonly prepare: (text: string) => object;
  readonly transaction: (work: (...args: unknown[]) => unknown) => unknown;
  readonly exec: (text: string) => this;
  constructor(
    prepare: Connection['prepare'],
    transaction: Connection['transaction'],
    exec: (text: string) => void,
  ) {
    this.prepare = prepare;
    this.transaction = transaction;
    this.exec = (text) => (exec(text), this);
  }
}

type Form = 'objects' | 'arrays' | 'firsts';

/** A statement; `raw` and `pluck` choose the form of its rows. It is prepared once at the engine, by its text. */
function statementOf(source: string, ask: (asked: { text: string; params: unknown[] }) => Answer) {
  const { text, toParameters: paramsOf } = translatePlaceholders(source);
  let form: Form = 'objects';
  const all = (...given: unknown[]) => rowsIn(ask({ text, params: paramsOf(given) }), form);
  const statement = {
    raw: () => ((form = 'arrays'), statement),
    pluck: () => ((form = 'firsts'), statement),
    all,
    get: (...given: unknown[]) => all(...given)[0],
    iterate: (...given: unknown[]) => all(...given).values(),
    run: (...given: unknown[]) => ({ changes: ask({ text, params: paramsOf(given) }).count }),
  };
  return statement;
}

function rowsIn({ columns, rows }: Answer, form: Form): unknown[] {
  const whole = rows.map((row) => row.map(asBuffer));
  if (form === 'arrays') return whole;
  if (form === 'firsts') return whole.map(([first]) => first);
  return whole.map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

/** Bytes lose what Node adds to them on their way between threads. */
const asBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/** What a statement may say that is no placeholder, and both kinds of placeholder. */
const WORDS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|@(\w+)/g;

interface Placed {
  text: string;
  /** The values in their order, of what SQLite would be given: one after the other, an array of them, or an object by name. */
  toParameters(given: readonly unknown[]): unknown[];
}

const KNOWN = new Map<string, Placed>();

/** A statement with placeholders as SQLite has them, `?` and `@name`, as PostgreSQL has them: `$1`. */
export function translatePlaceholders(source: string): Placed {
  const known = KNOWN.get(source);
  if (known) return known;
  const names: string[] = [];
  let unnamed = 0;
  const text = source.replaceAll(WORDS, (word, name: string | undefined) => {
    if (word === '?') return `$${++unnamed}`;
    if (name === undefined) return word;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const made: Placed = {
    text,
    toParameters: names.length > 0 ? (given) => byName(names, given[0]) : inOrder,
  };
  KNOWN.set(source, made);
  return made;
}

const byName = (names: readonly string[], given: unknown): unknown[] =>
  names.map((name) => (given as Record<string, unknown>)[name] ?? null);

const inOrder = (given: readonly unknown[]): unknown[] =>
  given.flatMap((one) => (Array.isArray(one) ? one : [one])).map((value) => value ?? null);
