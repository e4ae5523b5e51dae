// A fresh app in a temporary folder, with real store, graph and features, without a port.
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, onTestFinished, vi } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { ConfigSources } from '../../src/config.ts';
import { importRecords } from '../../src/import.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { openLog } from '../../src/observe/log.ts';
import type { Scope } from '../../src/accounts/model.ts';
import { generateWebhookSecret } from '../../src/accounts/billing/webhook.ts';
import { endOfTurn } from '../../src/platform/turn.ts';
import { createKey } from '../../src/store/keys.ts';
import { keepToDescription } from './api/described.ts';
import { freshFolder } from './folder.ts';
import { sharedFolder } from './graphs/graph.ts';

/** Jane has two records and two phones; Robert has one record, with the phone of another person. */
export const PEOPLE = [
  {
    record_id: '1',
    source: 'crm',
    name: 'Jane Quimby',
    emails: ['jane.quimby@example.com'],
    phones: ['+1 415 555 0134'],
    addresses: [{ street: '12 Larch Street', city: 'Springfield', state: 'IL', zip: '62701' }],
    first_seen: '2019-01-02',
    last_seen: '2024-03-01',
  },
  {
    record_id: '2',
    source: 'crm',
    name: 'Robert Vandermeer',
    emails: ['rob.vandermeer@example.org'],
    phones: ['+1 212 555 0177'],
    addresses: [{ street: '9 Quarry Road', city: 'Albany', state: 'NY', zip: '12207' }],
    first_seen: '2020-05-06',
    last_seen: '2024-02-02',
  },
];

/** A check of Jane with her own name and contacts. */
export const JANE = {
  name: 'Jane Quimby',
  emails: ['jane.quimby@example.com'],
  phones: ['(415) 555-0134'],
  addresses: [{ street: '12 Larch Street', city: 'Springfield', state: 'IL', zip: '62701' }],
};

export interface TestApp {
  app: App;
  folder: string;
  /** Returns what was logged since the test began. */
  logged(): string;
  /** Number of recorded calls when the test began. */
  callsBefore: number;
  key(scopes?: Scope[]): string;
  /** Key of requests that name no other key; it has the scopes validate and raw. */
  usual: string;
  /** Sends a request through the whole app, without a port. */
  send(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  /** Sends a body as JSON (a string is sent as it is) by POST, with a key that may validate. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Returns the names of the files in the data folder. */
  files(): string[];
  /** Returns the content of every file in the data folder, except for the secret. */
  everyByte(): string;
}

/** Returns the body of an answer as any: tests compare it. */
export const json = async (response: Response | Promise<Response>) =>
  JSON.parse(await (await response).text());

let imported: Promise<string> | undefined;

/**
 * Imports records into the graph of a data folder. The usual records are imported once, and copied into each
 * new folder.
 */
export async function importPeople(folder: string, people: object[] = PEOPLE): Promise<void> {
  const isUsual = people === PEOPLE && readdirSync(folder).length === 0 && !vi.isFakeTimers();
  if (!isUsual) return importInto(folder, people);
  cpSync(await (imported ??= importedPeople()), folder, { recursive: true });
}

async function importedPeople(): Promise<string> {
  // Vitest ends its workers by a signal, so that they cannot remove files.
  const folder = mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'people-'));
  await importInto(folder, PEOPLE);
  return folder;
}

async function importInto(folder: string, people: object[]): Promise<void> {
  const lines = people.map((row) => `${JSON.stringify(row)}\n`).join('');
  const graph = openSqliteGraph({ dataDir: folder });
  await importRecords({
    graph,
    inputs: [{ name: 'people', stream: Readable.from([Buffer.from(lines)]), bytes: null }],
    region: 'US',
    journal: { files: 1 },
  });
  await graph.close();
}

/** Returns a function that sends a body as JSON by POST; a string is sent as it is. */
export const postBy =
  (send: TestApp['send']): TestApp['post'] =>
  (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

/** Returns the setting `webhook` of a receiver that does not answer. */
export function createWebhookSetting(): string {
  const secretFile = join(freshFolder(), 'webhook-secret');
  writeFileSync(secretFile, generateWebhookSecret(), { mode: 0o600 });
  return `url=http://127.0.0.1:9,secretFile=${secretFile}`;
}

interface AppOptions {
  people?: object[];
  settings?: ConfigSources['flags'];
}

/** Opens an app in a folder. Returns a function that gives a test its view of the app, and one that closes the app. */
async function openIn(folder: string, { people = PEOPLE, settings = {} }: AppOptions) {
  await importPeople(folder, people);
  const config = await loadConfig({
    env: {},
    cwd: folder,
    flags: { dataDir: folder, port: '0', warmUp: '0s', ...settings },
  });
  let logged = '';
  const log = openLog('json', (text) => (logged += text));
  const app = await openApp(config, log);
  const expectDescribed = keepToDescription(app.http);
  const key = (scopes: Scope[] = ['validate', 'raw']) =>
    createKey(app.store, { name: 'test', scopes }, Date.now()).key;
  const readLog = () => (log.flush(), logged);
  const viewOfTest = (loggedBefore = readLog().length): TestApp => {
    onTestFinished(expectDescribed);
    const usual = key();
    const callsBefore = countAllCalls(app);
    const send: TestApp['send'] = async (path, { key = usual, headers, ...init } = {}) => {
      // As over a port, each request starts in a turn of its own: requests of one turn share the callers of keys.
      await endOfTurn();
      return app.http.fetch(
        new Request(`http://localhost${path}`, {
          ...init,
          headers: { ...(key === null ? {} : { 'x-api-key': key }), ...(headers as Record<string, string>) },
        }),
      );
    };
    return {
      app,
      folder,
      logged: () => readLog().slice(loggedBefore),
      callsBefore,
      key,
      usual,
      send,
      post: postBy(send),
      files: () => readdirSync(folder),
      everyByte: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name !== 'secret')
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
          .join('\n'),
    };
  };
  return { viewOfTest, close: () => app.close() };
}

export async function freshApp(options: AppOptions = {}): Promise<TestApp> {
  const { viewOfTest, close } = await openIn(freshFolder(), options);
  onTestFinished(close);
  // The log of the test includes the lines from the start of its app.
  return viewOfTest(0);
}

/**
 * Returns a function that gives the tests of a file one app, each test with a usual key, a log and a count of calls of its own. For tests that do
 * not change settings, people, or objects that other tests list.
 */
export function sharedApp(options: AppOptions = {}): () => Promise<TestApp> {
  const folder = sharedFolder();
  let opened: ReturnType<typeof openIn> | undefined;
  afterAll(async () => (await opened)?.close());
  return async () => (await (opened ??= openIn(folder, options))).viewOfTest();
}

/** Creates a key of an account, for checks, and returns its text. */
export const keyOfAccount = ({ app }: TestApp, account: string): string =>
  createKey(app.store, { name: 'k', scopes: ['validate'], account }, Date.now()).key;

/** Posts a JSON body with a key. */
export const postWith = (test: TestApp, key: string, body: object, path = '/v1/watches') =>
  test.send(path, {
    key,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** Returns the number of calls that were recorded since the test began. */
export const countCalls = ({ app, callsBefore }: TestApp) => countAllCalls(app) - callsBefore;

const countAllCalls = ({ store }: App) =>
  store.raw.prepare<[], number>('SELECT count(*) FROM calls').pluck().get() ?? 0;
