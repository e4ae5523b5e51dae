// Calls to the server's HTTP API, with the session cookie in place of an API key.
import type { ListPage, ProblemDocument } from './types.ts';

/** Request header that proves that a console page sent the request. Without it, the server ignores the session cookie. */
const SESSION_HEADER = { 'Bonafide-Console': '1' };

/** Error answer of the server. `status` is 0 if the server did not answer. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: NonNullable<ProblemDocument['errors']>;
  /** JSON body of the answer. A 503 of `/readyz` has the state of the server's parts in place of a problem document. */
  readonly body: object;

  constructor(document: Pick<ProblemDocument, 'code' | 'detail'> & Partial<ProblemDocument>) {
    super(document.detail);
    this.body = document;
    this.status = document.status ?? 0;
    this.code = document.code;
    this.requestId = document.request_id ?? null;
    this.errors = document.errors ?? [];
  }
}

/** Converts a thrown value to an ApiProblem. Unknown errors get the code `page_failed`. */
export const toApiProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem({ code: 'page_failed', detail: 'This page failed. Reload it.' });

let signedOut: () => void = () => undefined;

/** Sets the function that is called when the session has ended. */
export const setSignedOutCallback = (callback: () => void): void => void (signedOut = callback);

/** Sends an HTTP request, and returns the response. Throws an ApiProblem unless the status is 2xx. */
export async function sendRequest(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, {
    credentials: 'same-origin',
    cache: 'no-store',
    ...init,
    headers: { ...SESSION_HEADER, ...init.headers },
  }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem({ code: 'unreachable', detail: 'The server does not answer. Is it running?' });
  });
  if (response.ok) return response;
  const document = (await response.json().catch(() => ({}))) as Partial<ProblemDocument>;
  if (response.status === 401 && path !== '/console/session') signedOut();
  throw new ApiProblem({
    code: 'internal_error',
    detail: `The server answered with status ${response.status}.`,
    ...document,
    status: response.status,
  });
}

async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
  const text = await (await sendRequest(path, init)).text();
  return (text === '' ? null : JSON.parse(text)) as T;
}

const withBody = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

export const getJson = <T>(path: string, signal: AbortSignal | null = null) => json<T>(path, { signal });
export const postJson = <T>(path: string, body: unknown = {}, signal: AbortSignal | null = null) =>
  json<T>(path, { ...withBody('POST', body), signal });
export const patchJson = <T>(path: string, body: unknown) => json<T>(path, withBody('PATCH', body));
export const sendDelete = (path: string) => json<null>(path, { method: 'DELETE' });
export const getBlob = async (path: string): Promise<Blob> => (await sendRequest(path)).blob();

/** Posts a file, and returns the JSON answer. The error for a file larger than `maxBytes` names the command to use instead. */
export function postFileWithSizeLimit<T>(
  path: string,
  file: File,
  limit: { maxBytes: number; command: string },
): Promise<T> {
  if (file.size > limit.maxBytes)
    throw new ApiProblem({
      code: 'body_too_large',
      detail: `The file is larger than ${limit.maxBytes / 2 ** 20} MB. Run this command on the server: ${limit.command}`,
    });
  return json<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  });
}

type QueryValue = string | number | boolean | null | undefined;

/** Appends query parameters to a path. Parameters that are empty, null or undefined are left out. */
export function appendQueryParameters(path: string, query: Record<string, QueryValue>): string {
  const url = new URL(path, 'http://server');
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
  return url.pathname + url.search;
}

/** Maximum number of items of a list that a field offers. */
export const MAX_LIST_ITEMS = 2000;
const PAGE_ITEMS = 200;

/** Loads all pages of a list, one after the other, up to `MAX_LIST_ITEMS` items. */
export async function loadListItems<T>(
  path: string,
  signal: AbortSignal,
  load: (path: string, signal: AbortSignal) => Promise<ListPage<T>> = getJson,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const pagePath: string = appendQueryParameters(path, { limit: PAGE_ITEMS, cursor });
    const page: ListPage<T> = await load(pagePath, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null && items.length < MAX_LIST_ITEMS);
  return items;
}
