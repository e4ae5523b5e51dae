import { createConsola } from 'consola';
import type { Endpoint } from '../model.ts';
import { endOfTurn } from '../platform/turn.ts';

/** What one line says of one HTTP request: never a path as it was sent, a query, a header or a submitted value. */
export interface RequestLine {
  time: number;
  requestId: string;
  method: string;
  /** The route as the server knows it, `/v1/requests/:id`, or `-` where no route fits. */
  route: string;
  status: number;
  ms: number;
  keyId?: string;
  endpoint?: Endpoint;
  score?: number;
  band?: string;
  /** Code of the problem that was answered. */
  code?: string;
  /** Trace id of a valid `traceparent`. */
  trace?: string;
}

export interface Log {
  request(line: RequestLine): void;
  /** `text` is ours: a sentence without values. */
  info(text: string): void;
  warn(text: string): void;
  /** What was thrown is told by its kind, code and place only: its message may hold a submitted value. */
  error(text: string, thrown?: unknown): void;
  flush(): void;
}

export type LogFormat = 'json' | 'pretty' | 'silent';
type Write = (text: string) => void;

/** A log that gathers its lines and writes them once per turn of the event loop. */
export function openLog(format: LogFormat, write: Write = (text) => void process.stdout.write(text)): Log {
  if (format === 'silent') return silent;
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text) write(text);
  };
  const put: Write = (line) => {
    if (lines === '') void endOfTurn().then(flush);
    lines += `${line}\n`;
  };
  return format === 'json' ? jsonLog(put, flush) : prettyLog(put, flush);
}

function jsonLog(put: Write, flush: () => void): Log {
  const event = (level: string, text: string, more: object = {}) =>
    put(JSON.stringify({ time: new Date().toISOString(), level, message: text, ...more }));
  return {
    request: ({ time, requestId, ...line }) =>
      put(
        JSON.stringify({
          time: new Date(time).toISOString(),
          level: line.status >= 500 ? 'error' : 'info',
          request_id: requestId,
          ...line,
        }),
      ),
    info: (text) => event('info', text),
    warn: (text) => event('warn', text),
    error: (text, thrown) => event('error', text, thrown === undefined ? {} : { thrown: describe(thrown) }),
    flush,
  };
}

function prettyLog(put: Write, flush: () => void): Log {
  const stream = { write: (text: string) => (put(text.trimEnd()), true) } as unknown as NodeJS.WriteStream;
  const consola = createConsola({ level: 3, stdout: stream, stderr: stream });
  return {
    request: ({ method, route, status, ms, score, band, code, requestId }) => {
      const said = code ?? (score === undefined ? '' : `score ${score} ${band}`);
      const text = `${status} ${method} ${route} ${said} ${ms.toFixed(1)} ms ${requestId}`;
      if (status >= 500) consola.error(text);
      else consola.info(text);
    },
    info: (text) => consola.info(text),
    warn: (text) => consola.warn(text),
    error: (text, thrown) =>
      consola.error(thrown === undefined ? text : `${text} ${JSON.stringify(describe(thrown))}`),
    flush,
  };
}

/** An error without its message: name, code, and the places it passed through. */
export function describe(thrown: unknown): { name: string; code?: string; at: string[] } {
  if (!(thrown instanceof Error)) return { name: typeof thrown, at: [] };
  const places = (thrown.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  return { name: thrown.name, code, at: places.slice(0, 6).map((line) => line.trim()) };
}

const ignore = () => undefined;
const silent: Log = { request: ignore, info: ignore, warn: ignore, error: ignore, flush: ignore };
