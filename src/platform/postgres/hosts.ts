// Chooses the host of a connection, if an address has several hosts or requires a host that accepts writes.
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresAddress, PostgresHost, PostgresTargetServer } from './address.ts';

/** Role and history of a PostgreSQL host, by which the host of a connection is chosen. */
export interface PostgresHostState {
  isStandby: boolean;
  /** True if transactions are read-only, as on a standby. */
  isReadOnly: boolean;
  /** Timeline of a primary, a number that increases at each promotion; 0 for a standby. */
  timeline: number;
  /** Identifier that a primary and its standbys have in common. */
  system: string;
}

/** Reads the state of one server. Rejects if it does not answer. */
export type PostgresHostStateReader = (host: PostgresHost) => Promise<PostgresHostState>;

/** Time (ms) in which a server must answer. */
const ANSWER_MS = 2000;
/** Time (ms) that the search waits for other hosts after the first usable host has answered. */
const GRACE_MS = 300;
/** Time (ms) after which an unusable server is asked again, while another server has not answered yet. */
const ASK_AGAIN_MS = 150;

/** Error code if hosts answer, but none is usable. It looks like the codes of the driver. */
export const NO_USABLE_HOST_ERROR_CODE = 'CONNECTION_NO_PRIMARY';

const noHostError = () =>
  Object.assign(new Error('No host of the address takes writes.'), { code: NO_USABLE_HOST_ERROR_CODE });
const silentError = () => Object.assign(new Error('No host answers.'), { code: 'CONNECT_TIMEOUT' });

/**
 * Highest timeline that this thread has seen, by system identifier. A primary with a lower timeline was replaced in a failover, and its data is
 * outdated.
 */
const highestTimelines = new Map<string, number>();

/**
 * Finds the first usable host of an address. All hosts are asked at the same time, and again while one has not answered. Of two primaries, the
 * one with the higher timeline is used. Errors: code CONNECTION_NO_PRIMARY if hosts answer but none is usable; otherwise the error of a host.
 */
export async function findUsableHost(
  { hosts, target }: Pick<PostgresAddress, 'hosts' | 'target'>,
  ask: PostgresHostStateReader,
): Promise<PostgresHost> {
  const [only] = hosts;
  if (only && hosts.length === 1 && target === 'any') return only;
  const usable: { host: PostgresHost; order: number; timeline: number }[] = [];
  const errors: unknown[] = [];
  let hasRefused = false;
  /** Asks one host for its state. Resolves to false if it is not usable. */
  const askOne = async (host: PostgresHost, order: number): Promise<boolean> => {
    try {
      const state = await ask(host);
      if (isUsable(state, target)) return usable.push({ host, order, timeline: state.timeline }) > 0;
      hasRefused = true;
    } catch (error) {
      errors.push(error);
    }
    return false;
  };
  await new Promise<void>((resolve) => {
    let silent = hosts.length;
    const timers = [setTimeout(end, ANSWER_MS)];
    function end(): void {
      silent = 0;
      timers.forEach(clearTimeout);
      resolve();
    }
    const askRepeatedly = async (host: PostgresHost, order: number, isFirst = true): Promise<void> => {
      const isChosen = await askOne(host, order);
      if (isFirst && --silent === 0) return end();
      if (silent <= 0) return;
      if (isChosen) return void timers.push(setTimeout(end, GRACE_MS));
      await pause(ASK_AGAIN_MS);
      if (silent > 0) await askRepeatedly(host, order, false);
    };
    hosts.forEach((host, order) => void askRepeatedly(host, order));
  });
  // A standby has timeline 0. For the target `any`, the order of the hosts decides between a standby and a
  // primary.
  const latest = Math.max(...usable.map(({ timeline }) => timeline));
  const [best] = usable
    .filter(({ timeline }) => timeline === latest || timeline === 0)
    .toSorted((a, b) => a.order - b.order);
  if (best) return best.host;
  if (hasRefused) throw noHostError();
  throw errors.find(isServerError) ?? errors[0] ?? silentError();
}

/** True for an error that the server itself reported, such as a refused login. Such an error is thrown rather than that of a refused connection. */
const isServerError = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown } | null)?.code ?? ''));

function isUsable(
  { isStandby, isReadOnly, timeline, system }: PostgresHostState,
  target: PostgresTargetServer,
): boolean {
  const highest = highestTimelines.get(system) ?? 0;
  if (timeline > highest) highestTimelines.set(system, timeline);
  if (!isStandby && timeline < highest) return false;
  if (target === 'any') return true;
  return !isStandby && !(target === 'read-write' && isReadOnly);
}

/** Opens the connection to a host. TCP_NODELAY is set, because each small statement would otherwise wait up to 40 ms. */
export function openSocketToHost({ host, port }: PostgresHost): Socket {
  if (host.startsWith('/')) return createConnection(`${host}/.s.PGSQL.${port}`);
  // The driver writes before the socket is connected; Node sends these bytes after connecting. The driver
  // reads the property `host` for the server name of TLS.
  return Object.assign(createConnection({ host, port, noDelay: true }), { host });
}

/**
 * Waits until a socket is connected. On failure, the socket is destroyed. Errors: those of the connection; code CONNECT_TIMEOUT after `ms`
 * milliseconds. (The driver, postgres 3.4.9, hangs on the next connection after one that failed before the driver wrote to it: `closed` in
 * src/connection.js does not reset `nextWriteTimer`.)
 */
export async function waitUntilConnected(socket: Socket, ms: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(silentError()), ms);
  try {
    await once(socket, 'connect');
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Creates a socket that fails with `error` after the driver has written to it. It reports errors of opening a socket, which the driver would not
 * notice.
 */
export function createFailingSocket(error: unknown): Duplex {
  const fail = () => void socket.destroy(error as Error);
  const socket = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      done();
      setImmediate(fail);
    },
  });
  return socket;
}
