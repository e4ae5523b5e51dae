// A client generated from /openapi.json, and an adapter that sends the requests of tests through it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { postBy } from '../app.ts';
import type { TestApp } from '../app.ts';
import type { Described, Document } from '../openapi.ts';
import { operationsOf } from '../openapi.ts';
import { ROOT } from '../pages.ts';
import { readClient } from './generate.ts';

interface Got {
  status: number;
  headers: Headers;
  data: unknown;
}
/** Functions of a generated client. Arguments: parts of the path, body, parameters by name, options. */
export type Generated = Record<string, (...args: unknown[]) => Promise<Got>>;

/** Runs a tool of the development dependencies. */
export const run = (tool: string, args: string[], cwd: string) =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules', tool), ...args], { cwd, stdio: 'pipe' });

/** Returns a folder for all tests of a file that contains client.ts, the client of this description. */
export function clientFolder(description: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'client.ts'), readClient(description));
  return folder;
}

export const imported = async (folder: string, file: string) =>
  import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>;

/** A request as a generated client needs it. */
interface Asked {
  call: Described;
  parts: string[];
  query: URLSearchParams;
}

/**
 * Returns the operation of a request; null if the description has no such operation, so that no client can
 * send the request.
 */
export function askedOf(document: Document, method: string, path: string): Asked | null {
  const [pathname = '', search = ''] = path.split('?');
  for (const one of operationsOf(document)) {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const [, ...parts] = pattern.exec(pathname) ?? [];
    if (one.method !== method || !pattern.test(pathname)) continue;
    const query = new URLSearchParams(search);
    return { call: one.operation, parts: parts.map((part) => decodeURIComponent(part)), query };
  }
  return null;
}

/** Returns an app whose requests go through a generated client. A request that no client can send throws. */
export function askedBy(client: Generated, document: Document, test: TestApp): TestApp {
  const send: TestApp['send'] = async (path, { key = test.usual, method = 'GET', headers, body } = {}) => {
    const asked = askedOf(document, method, path);
    if (!asked) throw new Error(`No function of a client asks ${method} ${path}.`);
    const bent: Bent = {};
    const args = [...asked.parts, ...bodyOf(asked, body, bent), ...parametersOf(asked, path, bent)];
    const options = {
      headers: { ...(key === null ? {} : { 'x-api-key': key }), ...(headers as Record<string, string>) },
      baseUrl: 'http://localhost',
      fetch: async (url: string, init: RequestInit) =>
        test.app.http.fetch(
          new Request(bent.path === undefined ? url : `http://localhost${bent.path}`, {
            ...init,
            ...('body' in bent ? { body: bent.body ?? null } : {}),
          }),
        ),
    };
    const got = await client[asked.call.operationId]?.(...args, options);
    if (!got) throw new Error(`The client has no function ${asked.call.operationId}.`);
    const text = typeof got.data === 'string' ? got.data : JSON.stringify(got.data);
    return new Response(got.status === 204 ? null : text, { status: got.status, headers: got.headers });
  };
  return { ...test, send, post: postBy(send) };
}

/** Parts of a request that typed arguments cannot express: they replace the client's own parts. */
interface Bent {
  path?: string;
  body?: RequestInit['body'];
}

function bodyOf({ call }: Asked, body: RequestInit['body'] | undefined, bent: Bent): unknown[] {
  if (!call.requestBody) return [];
  const value = typeof body === 'string' ? valueOf(body) : undefined;
  if (value === undefined) bent.body = body;
  return [value ?? {}];
}

/** Returns the value that a client would serialise to this text; undefined if there is none. */
function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function parametersOf({ call, query }: Asked, path: string, bent: Bent): unknown[] {
  const named = call.parameters.filter((one) => one.in !== 'path');
  const known = new Set(named.filter((one) => one.in === 'query').map(({ name }) => name));
  const names = [...query.keys()];
  if (new Set(names).size < names.length || names.some((name) => !known.has(name))) bent.path = path;
  return named.length === 0 ? [] : [Object.fromEntries(query)];
}
