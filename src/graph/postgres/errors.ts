import { BonafideError, type ErrorCode } from '../../errors.ts';

export const RETRY_AFTER_MS = 1000;

/** Gives what the driver and the server say a code and a sentence; their own words may repeat a value. */
export async function translated<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asGraphError(error);
  }
}

/** Conditions by their SQLSTATE, or the first two characters of it (postgresql.org/docs/15/errcodes-appendix.html). */
const CONDITIONS: Record<string, ErrorCode> = {
  '57014': 'graph_timeout',
  '55P03': 'database_busy',
  '25006': 'read_only',
  '53100': 'disk_full',
  XX: 'graph_bad_response',
};

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  graph_timeout: 'The graph’s database took too long.',
  database_busy: 'Somebody else is changing the graph’s records. Try again later.',
  read_only: 'The graph’s database takes no changes: it is a copy that follows another, or is set so.',
  disk_full: 'The disk of the graph’s database is full.',
  graph_bad_response: 'The graph’s database is damaged; its own log says more.',
};

export function asGraphError(error: unknown): BonafideError {
  if (error instanceof BonafideError) return error;
  const state = String((error as { code?: unknown } | null)?.code ?? '');
  const code = CONDITIONS[state] ?? CONDITIONS[state.slice(0, 2)];
  if (code) return new BonafideError(code, SENTENCES[code] ?? '');
  return new BonafideError('graph_unavailable', `${reasonOf(state)} (${state || 'no code'})`, {
    retryAfterMs: RETRY_AFTER_MS,
    isLost: !isOfServer(state),
  });
}

/** Is the connection gone that this came from? */
export const isLost = (error: unknown): boolean =>
  error instanceof BonafideError && error.details.isLost === true;

/** Did the server itself say it, on a connection that goes on? The driver's own codes are longer, or those of the system. */
const isOfServer = (state: string) => /^[0-9A-Z]{5}$/.test(state) && !/^(?:08|57P|E)/.test(state);

function reasonOf(state: string): string {
  if (state.startsWith('28')) return 'The graph’s database does not let us in: check graph.database';
  if (state === '3D000') return 'The database that graph.database names is not there';
  if (state === '42501') return 'The role that graph.database names may not do that; see the page postgres';
  if (/^(?:3F000|42P01|42703)$/.test(state))
    return 'The graph’s tables are not there, or not as this version makes them: import records first';
  if (isOfServer(state) && !state.startsWith('53')) return 'The graph’s database refused a statement';
  if (/^CONNECT(?:_TIMEOUT|ION_DESTROYED)$/.test(state))
    return 'The graph’s database says nothing, or is none: check what listens at the address in graph.database';
  return 'The graph’s database cannot be reached: check that it runs, and graph.database';
}
