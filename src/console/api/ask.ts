// How the pages ask the server: the same routes as anybody, with the session in place of a key.

/** One broken rule, at a place in what was sent. */
export interface Broken {
  pointer: string;
  code: string;
  detail: string;
}

/** What went wrong, as the server told it. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: Broken[];

  constructor(told: {
    status: number;
    code: string;
    detail: string;
    requestId?: string | null;
    errors?: Broken[];
  }) {
    super(told.detail);
    this.status = told.status;
    this.code = told.code;
    this.requestId = told.requestId ?? null;
    this.errors = told.errors ?? [];
  }
}

export const MARK = { 'Bonafide-Console': '1' };

let onSignedOut: () => void = () => undefined;
/** Who is told that the session has ended. */
export const whenSignedOut = (work: () => void): void => void (onSignedOut = work);

/** The answer's JSON; null where it has none. Throws a Problem. */
export async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await reach(path, {
    method,
    headers: { ...MARK, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** The answer itself, where it is a good one. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem({
      status: 0,
      code: 'unreachable',
      detail: 'The server does not answer. Is it running?',
    });
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401 && path !== '/console/session') onSignedOut();
  throw problem;
}

async function problemOf(response: Response): Promise<Problem> {
  const told = (await response.json().catch(() => ({}))) as Partial<Problem> & {
    detail?: string;
    request_id?: string;
  };
  return new Problem({
    status: response.status,
    code: told.code ?? 'internal_error',
    detail: told.detail ?? `The server answered ${response.status}.`,
    requestId: told.request_id ?? null,
    errors: told.errors ?? [],
  });
}

export const get = <T>(path: string, signal?: AbortSignal) => ask<T>('GET', path, undefined, signal);
export const post = <T>(path: string, body: unknown = {}) => ask<T>('POST', path, body);

/** A path with a query; what is empty is left out. */
export function withQuery(
  path: string,
  query: Record<string, string | number | boolean | null | undefined>,
): string {
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? path : `${path}?${text}`;
}
