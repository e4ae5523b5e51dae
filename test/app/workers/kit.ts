// A server with two workers and a folder with one key, started as an operator starts it.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { PlanTermsInput } from '../../../src/accounts/billing/terms.ts';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore, getStoreFile } from '../../../src/store/sqlite/open.ts';
import { importPeople, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startLauncher } from '../../kit/server.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

const BODY = JSON.stringify(JANE);
const PLANTED = new URL('planted.mjs', import.meta.url).href;

interface Asked {
  /** Name of a plan of `plans`, whose key is sent; undefined for a key without a plan. */
  plan?: string;
  idempotencyKey?: string;
}

/** Starts the server, with settings as environment variables. Each plan gets an account and a key. */
export async function startWorkers(
  plans: Record<string, Partial<PlanTermsInput>> = {},
  settings: Record<string, string> = {},
) {
  const folder = freshFolder();
  await importPeople(folder);
  const keys = keysOf(folder, plans);
  const planted = freshFolder();
  const args = ['--data-dir', folder, '--workers', '2', '--log', 'json'];
  const env = { ...settings, NODE_OPTIONS: `--import ${PLANTED}`, PLANTED: planted };
  const server = await startLauncher(getLauncher(), args, { cwd: folder, env });
  const headersOf = ({ plan = '', idempotencyKey }: Asked) => ({
    'x-api-key': keys[plan] ?? '',
    'content-type': 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  });
  /** Sends a check over a new connection: the system chooses the worker by the connection. */
  const ask = async (asked: Asked = {}) => {
    const headers = { ...headersOf(asked), connection: 'close' };
    const response = await fetch(`${server.url}/v1/validate`, { method: 'POST', headers, body: BODY });
    const { request_id: id } = (await response.json()) as { request_id: string };
    return { status: response.status, id };
  };
  return {
    ...server,
    folder,
    ask,
    get: (path: string) => fetch(server.url + path, { headers: { ...headersOf({}), connection: 'close' } }),
    /** Starts a call whose body is incomplete: it is in flight until `finish`. */
    begin: (asked: Asked = {}) => beginCall(server.url, headersOf(asked)),
    administer: administering(server.url, folder),
    throwIn: (worker: number) => writeFileSync(`${planted}/throw-${worker}`, ''),
    counted: () => countedIn(folder),
  };
}

function keysOf(folder: string, plans: Record<string, Partial<PlanTermsInput>>): Record<string, string> {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const past = Date.now() - 1000;
  const keys = { '': createKey(store, { name: 'alone', scopes: ['validate', 'metrics'] }, past).key };
  const ofPlans = Object.entries(plans).map(([plan, terms]) => {
    createPlan(store, plan, terms, past);
    const account = createAccount(store, { name: plan, plan }, past).id;
    return [plan, createKey(store, { name: plan, scopes: ['validate'], account }, past).key];
  });
  store.close();
  return { ...keys, ...Object.fromEntries(ofPlans) };
}

/** Returns a function that sends an administrative request over a new connection to any worker; paths are relative to `/admin/v1/`. */
function administering(url: string, folder: string) {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const { key } = createKey(store, { name: 'operator', scopes: ['admin'] }, Date.now());
  store.close();
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/admin/v1/${path}`, {
      method,
      headers: { 'x-api-key': key, connection: 'close', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, any> };
  };
}

/** Returns the request ids in the call log, and the number of counted calls. */
function countedIn(folder: string) {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const ids = store.raw.prepare<[], string>('SELECT request_id FROM calls').pluck().all();
  const calls = store.raw.prepare<[], number>('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get();
  store.close();
  return { ids: new Set(ids), calls };
}

function beginCall(url: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /v1/validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 10)}`,
  );
  let answer = '';
  socket.on('data', (text) => (answer += text));
  socket.on('error', () => undefined);
  /** Status of the answer; null if the connection was closed without an answer. */
  const status = new Promise<number | null>((resolve) => {
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0) || null));
  });
  return { status, finish: () => void socket.write(BODY.slice(10)) };
}
