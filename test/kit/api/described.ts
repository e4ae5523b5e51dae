// Compares every answer in a test with the API description: its status, headers and body.
import { gunzipSync } from 'node:zlib';
import type { H3 } from 'h3';
import { expect } from 'vitest';
import type { TextResponse } from '../../../src/http/response.ts';
import { buildApiDescription } from '../../../src/http/openapi/document.ts';
import { ROUTES } from '../../../src/http/server.ts';
import { type Document, validatorOf, type Validator } from '../openapi.ts';

interface Described {
  document: Document;
  validator: Validator;
  /** Paths of the description, paths without variable parts first. */
  paths: { path: string; pattern: RegExp }[];
}

let known: Described | undefined;

function described(): Described {
  if (known) return known;
  const document = buildApiDescription(ROUTES) as unknown as Document;
  const paths = Object.keys(document.paths)
    .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return (known = { document, validator: validatorOf(document), paths });
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** Returns the faults of an answer as sentences; an empty list if the description allows the answer. */
export function faultsOf(
  method: string,
  pathname: string,
  response: Response & Partial<TextResponse>,
  unpacked = '',
): string[] {
  const { document, validator, paths } = described();
  const { payload = unpacked } = response;
  const body = typeof payload === 'string' ? payload : unpacked || payload.toString();
  // The router ignores a slash at the end.
  const asIs = pathname.replace(/(?<=.)\/$/, '');
  const { path = '' } = paths.find(({ pattern }) => pattern.test(asIs)) ?? {};
  const methods = document.paths[path] ?? {};
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = methods[asked.toLowerCase()];
  const problem = (status: number) =>
    response.status === status && validator.takes(PROBLEM, JSON.parse(body))
      ? []
      : [
          `${method} ${path || 'of no operation'} answered ${response.status}, which is no ${status} as described`,
        ];
  // A malformed escape is refused before routing.
  if (response.status === 400 && !operation?.responses[400]) return problem(400);
  if (path === '') return problem(404);
  if (method === 'OPTIONS')
    return response.status === 204 ? [] : [`OPTIONS ${path} answered ${response.status}`];
  // An answer to HEAD has no body: only its status is compared.
  if (method === 'HEAD')
    return (operation?.responses[response.status] ?? response.status === (operation ? 404 : 405))
      ? []
      : [`HEAD ${path} answered ${response.status}`];
  if (!operation) return problem(405);
  if (response.status === 404 && !operation.responses[404]) return problem(404);
  return validator.faults({ method: asked, path, response, body });
}

/** Compares every answer of an app with the description. Returns a function that fails if an answer since its last call was not described. */
export function keepToDescription(app: H3): () => void {
  const answer = app.fetch.bind(app);
  const faults = new Set<string>();
  app.fetch = async (request) => {
    const response = await answer(request);
    const { pathname } = new URL(request.url);
    const isCompressed = response.headers.get('content-encoding') === 'gzip';
    const unpacked = isCompressed ? gunzipSync(await response.clone().arrayBuffer()).toString() : '';
    for (const fault of faultsOf(request.method, pathname, response, unpacked)) faults.add(fault);
    return response;
  };
  return () => {
    const found = [...faults];
    faults.clear();
    expect(found).toEqual([]);
  };
}
