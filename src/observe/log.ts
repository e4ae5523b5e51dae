import { createConsola } from 'consola';
import { BonafideError } from '../errors.ts';
import type { CheckEndpoint } from '../model.ts';
import { formatIsoTime } from '../platform/iso-time.ts';
import { endOfTurn } from '../platform/turn.ts';
import { createOutputSink, type LogHealth, type LogSink } from './sink.ts';

/** Log line of one HTTP request. It never contains the actual path, a query, a header or a submitted value. */
export interface RequestLogLine {
  time: number;
  requestId: string;
  method: string;
  /** Pattern of the route, such as `/v1/requests/:id`; `-` without a matching route. */
  route: string;
  status: number;
  /** Log level; if undefined, it follows from the status. */
  level?: 'info';
  ms: number;
  keyId?: string;
  endpoint?: CheckEndpoint;
  score?: number;
  band?: string;
  verdict?: string;
  /** True for a check with a test key. */
  test?: true;
  /** True for a repeated answer to an Idempotency-Key, which is not counted again. */
  replay?: true;
  /** Error code of the answer; undefined on success. */
  code?: string;
  /** Cause of a server error: a sentence without submitted values. */
  cause?: string;
  /** Trace id from the `traceparent` header. */
  trace?: string;
}

export interface Log {
  request(line: RequestLogLine): void;
  /** Writes a line of level info. `text` must not contain submitted values. */
  info(text: string): void;
  warn(text: string, requestId?: string): void;
  /** Writes a line of level error. `thrown` is logged by `toErrorLogFields`; `requestId` names the affected request. */
  error(text: string, thrown?: unknown, requestId?: string): void;
  flush(): void;
  health(): LogHealth;
}

export type LogFormat = 'json' | 'pretty' | 'silent';

/** Chooses the log format for `auto`: pretty in a terminal, otherwise json. */
export function chooseLogFormat(chosen: LogFormat | 'auto'): LogFormat {
  if (chosen !== 'auto') return chosen;
  return process.stdout.isTTY ? 'pretty' : 'json';
}

type Write = (text: string) => void;

/** Opens a log, which writes all lines of one turn of the event loop together. */
export function openLog(format: LogFormat, to: Write | LogSink = createOutputSink()): Log {
  if (format === 'silent') return SILENT;
  const { write, health } = typeof to === 'function' ? { write: to, health: WELL } : to;
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
  return { ...(format === 'json' ? jsonLines(put) : prettyLines(put)), flush, health };
}

type Lines = Pick<Log, 'request' | 'info' | 'warn' | 'error'>;

function jsonLines(put: Write): Lines {
  const event = (level: string, text: string, more: object = {}) =>
    put(JSON.stringify({ time: new Date().toISOString(), level, message: text, ...more }));
  return {
    request: ({ time, requestId, ...line }) =>
      put(
        JSON.stringify({
          time: formatIsoTime(time),
          level: line.status >= 500 ? 'error' : 'info',
          request_id: requestId,
          ...line,
        }),
      ),
    info: (text) => event('info', text),
    warn: (text, requestId) => event('warn', text, idOf(requestId)),
    error: (text, thrown, requestId) =>
      event('error', text, {
        ...idOf(requestId),
        ...(thrown === undefined ? {} : { thrown: toErrorLogFields(thrown) }),
      }),
  };
}

function prettyLines(put: Write): Lines {
  const stream = { write: (text: string) => (put(text.trimEnd()), true) } as unknown as NodeJS.WriteStream;
  const consola = createConsola({ level: 3, stdout: stream, stderr: stream });
  return {
    request: ({ method, route, status, level, ms, score, band, code, cause, requestId }) => {
      const problem = code && [code, cause].filter(Boolean).join(': ');
      const outcomeText = problem ?? (score === undefined ? '' : `score ${score} ${band}`);
      const text = `${status} ${method} ${route} ${outcomeText} ${ms.toFixed(1)} ms ${requestId}`;
      if (status >= 500 && level !== 'info') consola.error(text);
      else consola.info(text);
    },
    info: (text) => consola.info(text),
    warn: (text, requestId) => consola.warn(withId(text, requestId)),
    error: (text, thrown, requestId) => {
      const lineText = withId(text, requestId);
      consola.error(
        thrown === undefined ? lineText : `${lineText} ${JSON.stringify(toErrorLogFields(thrown))}`,
      );
    },
  };
}

const idOf = (requestId: string | undefined) => (requestId === undefined ? {} : { request_id: requestId });
const withId = (text: string, requestId = '') => `${text} ${requestId}`.trimEnd();

interface ErrorDescription {
  name: string;
  code?: string;
  message?: string;
  at: string[];
}

/** Describes an error by name, code and stack. Only a BonafideError also has its message, because others may contain submitted values. */
export function toErrorLogFields(thrown: unknown): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: typeof thrown, at: [] };
  const places = (thrown.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  const ownMessage = thrown instanceof BonafideError ? { message: thrown.message } : {};
  return { name: thrown.name, code, ...ownMessage, at: places.slice(0, 6).map((line) => line.trim()) };
}

const ignore = () => undefined;
const WELL = (): LogHealth => ({ failing: false, lost: 0 });
const SILENT: Log = {
  request: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  flush: ignore,
  health: WELL,
};
