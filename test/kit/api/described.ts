// Every answer that a test gets is held against the description of the API: its status, its headers, its body.
import type { H3 } from 'h3';
import { expect, onTestFinished } from 'vitest';
import type { TextResponse } from '../../../src/http/response.ts';
import { buildApiDescription } from '../../../src/http/openapi/document.ts';
import { ROUTES } from '../../../src/http/server.ts';
import { type Document, validatorOf, type Validator } from '../openapi.ts';

interface Described {
  document: Document;
  validator: Validator;
  /** The paths of the description, those without a variable part first. */
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

/** What is wrong with an answer, as sentences: nothing where the description allows it. */
export function faultsOf(
  method: string,
  pathname: string,
  response: Response & Partial<TextResponse>,
): string[] {
  const { document, validator, paths } = described();
  const body = response.payload ?? '';
  // The router takes a slash at the end for none.
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
  // An escape that cannot be read is told before the path is looked at.
  if (response.status === 400 && !operation?.responses[400]) return problem(400);
  if (path === '') return problem(404);
  if (method === 'OPTIONS')
    return response.status === 204 ? [] : [`OPTIONS ${path} answered ${response.status}`];
  // HEAD has no body, and so no more than a status to be looked at.
  if (method === 'HEAD')
    return (operation?.responses[response.status] ?? response.status === (operation ? 404 : 405))
      ? []
      : [`HEAD ${path} answered ${response.status}`];
  if (!operation) return problem(405);
  if (response.status === 404 && !operation.responses[404]) return problem(404);
  return validator.faults({ method: asked, path, response, body });
}

/** Has the running test fail where the app answers anything that is not described. */
export function keepToDescription(app: H3): void {
  const answer = app.fetch.bind(app);
  const faults = new Set<string>();
  app.fetch = async (request) => {
    const response = await answer(request);
    const { pathname } = new URL(request.url);
    for (const fault of faultsOf(request.method, pathname, response)) faults.add(fault);
    return response;
  };
  onTestFinished(() => expect([...faults]).toEqual([]));
}
