// An app with an admin key, and functions for administrative requests.
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, json, sharedApp } from '../../kit/app.ts';
import type { TestApp } from '../../kit/app.ts';

/**
 * Returns a fresh app with functions that send administrative requests; their paths begin below `/admin/v1/`.
 */
export const adminApp = async (options: Parameters<typeof freshApp>[0] = {}) =>
  administered(await freshApp(options));

/** Returns a function that gives the tests of a file one such app; see `sharedApp`. */
export function sharedAdminApp(options: Parameters<typeof freshApp>[0] = {}) {
  const open = sharedApp(options);
  return async () => administered(await open());
}

/** Adds these functions to an existing app. */
export function administered(it: TestApp) {
  const { key, info } = createKey(it.app.store, { name: 'operator', scopes: ['admin'] }, Date.now());
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    it.send(`/admin/v1/${path}`, {
      method,
      key,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
  const get = async (path: string) => json(send('GET', path));
  const post = async (path: string, body?: unknown) => json(send('POST', path, body));
  /** Sends a request that is refused, and returns status, code and broken rules. */
  const refusal = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body);
    const { code, errors = [], detail } = await json(response);
    return {
      status: response.status,
      code,
      detail,
      errors: errors as { pointer: string; code: string; detail: string }[],
    };
  };
  return { ...it, admin: { key, id: info.id }, ask: send, get, do: post, refusal };
}

/** Returns every item of a paged list. `between` is called after each page. */
export async function allOf(
  { get }: Pick<Awaited<ReturnType<typeof adminApp>>, 'get'>,
  path: string,
  between: () => unknown = () => undefined,
) {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 100; pages++) {
    const page: { items: Record<string, unknown>[]; next: string | null } = await get(
      cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`,
    );
    items.push(...page.items);
    if (page.next === null) return items;
    cursor = page.next;
    await between();
  }
  throw new Error('This list has no end.');
}
