// A client that a generator of others makes from /openapi.json, and a way to have it ask what tests ask as plain HTTP.
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

interface Got {
  status: number;
  headers: Headers;
  data: unknown;
}
/** The functions of a generated client: parts of the path, then the body, then parameters by name, then options. */
export type Generated = Record<string, (...args: unknown[]) => Promise<Got>>;

/** Runs a tool of the development's packages. */
export const run = (tool: string, args: string[], cwd: string) =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules', tool), ...args], { cwd, stdio: 'pipe' });

/** Has `oazapfts` make a client from a description, for all tests of a file; returns the folder it is in, as client.ts. */
export function generate(description: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'openapi.json'), description);
  run('oazapfts/dist/cli.js', ['openapi.json', 'client.ts'], folder);
  return folder;
}

export const imported = async (folder: string, file: string) =>
  import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>;

/** Something that is asked, as a client has it. */
interface Asked {
  call: Described;
  parts: string[];
  query: URLSearchParams;
}

/** Which operation of a description a request is for; null where it is for none, and so no client can send it. */
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

/** A test's server, asked by a generated client. What no client can send is not asked at all: it throws. */
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

/** What of a request no typed value is: it takes the place of what the client made, on its way. */
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

/** The value that a client would write as this text. */
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
