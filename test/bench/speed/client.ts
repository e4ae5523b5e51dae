// A client with a low cost: it prepares whole requests, and sends them over persistent connections.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Target {
  url: string;
  path: string;
  headers: Record<string, string>;
  bodies: string[];
  /** Bytes that are sent after each body. */
  rest?: Buffer | undefined;
  /** Returns headers of one request in addition to `headers`, by the number of the request. */
  headersOf?: (i: number) => Record<string, string>;
}

export interface Load {
  connections: number;
  seconds: number;
  /** Calls per second over all connections; unlimited if undefined. */
  perSecond?: number;
  /** Expected status; 200 if undefined. */
  status?: number;
}

export interface Answered {
  calls: number;
  seconds: number;
  /** Number of calls that were answered with another status. */
  failed: number;
  /** Milliseconds of every call, sorted. */
  latencies: Float64Array;
  /** Mean size of an answer's body in bytes. */
  bytes: number;
}

/** Sends the bodies in rotation until the time is over. Each connection sends the next body when it has an answer. */
export async function drive(target: Target, load: Load): Promise<Answered> {
  const { hostname, port } = new URL(target.url);
  const requests = target.bodies.map((body, i) => requestOf(target, body, i));
  const tally = { status: load.status ?? 200, latencies: [] as number[], failed: 0, bytes: 0, next: 0 };
  const begin = performance.now();
  const until = begin + load.seconds * 1000;
  const take = () => (performance.now() < until ? requests[tally.next++ % requests.length]! : null);
  const due = () => (load.perSecond === undefined ? 0 : begin + (tally.next * 1000) / load.perSecond);
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      converse(() => connect(Number(port), hostname), { take, due, rest: target.rest }, tally),
    ),
  );
  const latencies = Float64Array.from(tally.latencies).sort();
  return {
    calls: latencies.length,
    seconds: (performance.now() - begin) / 1000,
    failed: tally.failed,
    latencies,
    bytes: latencies.length === 0 ? 0 : tally.bytes / latencies.length,
  };
}

function requestOf({ url, path, headers, headersOf }: Target, body: string, i: number): Buffer {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const all = { host: new URL(url).host, ...length, ...headers, ...headersOf?.(i) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

interface Tally {
  status: number;
  latencies: number[];
  failed: number;
  bytes: number;
}

interface Work {
  /** Returns the next request, or null when the time is over. */
  take(): Buffer | null;
  /** Returns the time when the next request may be sent, by `performance.now`. */
  due(): number;
  rest?: Buffer | undefined;
}

/** Sends one call at a time over one connection. Opens a new one after `Connection: close`; else rejects if the server closes it. */
function converse(open: () => Socket, { take, due, rest }: Work, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    let isLast = false;
    let sent = 0;
    let waiting: Buffer[] = [];
    const send = () => {
      const early = due() - performance.now();
      if (early > 0) {
        setTimeout(send, Math.max(1, early));
        return;
      }
      const request = take();
      if (request === null) {
        socket?.end();
        resolve();
        return;
      }
      sent = performance.now();
      socket?.write(request);
      if (rest) socket?.write(rest);
    };
    const start = () => {
      socket?.removeAllListeners('close').removeAllListeners('data');
      socket?.removeAllListeners('error').on('error', () => undefined);
      socket = open();
      isLast = false;
      waiting = [];
      socket.setNoDelay(true);
      socket.on('connect', send);
      // A server that is sent more large bodies than it can wait for resets the connections of some, without an answer.
      socket.on('error', (error) => isLast || (rest ? start() : reject(error)));
      socket.on('close', () => (isLast ? start() : reject(new Error('the server hung up'))));
      socket.on('data', receive);
    };
    const receive = (chunk: Buffer) => {
      waiting.push(chunk);
      const answer = waiting.length === 1 ? chunk : Buffer.concat(waiting);
      const size = sizeOf(answer);
      if (size === null || answer.length < size.head + size.body) return;
      waiting = [];
      tally.latencies.push(performance.now() - sent);
      tally.bytes += size.body;
      if (Number(answer.toString('latin1', 9, 12)) !== tally.status) tally.failed++;
      isLast = /\r\nconnection: close\r\n/i.test(answer.toString('latin1', 0, size.head));
      if (!isLast) return send();
      socket?.end();
      // The old connection goes on sending `rest` until the server closes it.
      if (rest) start();
    };
    start();
  });
}

function sizeOf(answer: Buffer): { head: number; body: number } | null {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end));
  if (!length) throw new Error('an answer without content-length');
  return { head: end + 4, body: Number(length[1]) };
}

/** Text of an answer, and its headers without those that Node adds, names and values in turn. */
export interface Answer {
  text: string;
  headers: string[];
}

/** Returns the answer to one body. Throws if the status is not 200. */
export async function askOnce({ url, path, headers }: Target, body: string): Promise<Answer> {
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
  const own = [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name));
  return { text, headers: own.flat() };
}
