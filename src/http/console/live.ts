// Route `/console/live`: sends metrics of the server as server-sent events to every open console, every two seconds.
import type { H3Event } from 'h3';
import { requireAdmin } from '../../accounts/access.ts';
import { authenticate, isCallerStillAdmin, type AuthDeps } from '../auth.ts';
import { AUTHENTICATION_ERROR_CODES, declarePublicRoute } from '../openapi/operation.ts';
import { ProblemError } from '../problems.ts';
import { getRequestContext } from '../response.ts';
import { readSessionToken } from './session.ts';

const INTERVAL_MS = 2000;
/** Interval (ms) at which the server checks that the caller of an open stream is still signed in. */
const AUTHENTICATE_MS = 1000;
const MAX_CONSOLES = 20;
/** Maximum number of open consoles of one API key with its sessions, or of one session by link, so that other callers can open theirs. */
const MAX_CONSOLES_PER_CALLER = 5;

type Listener = (event: string) => void;

export interface LiveMetricsSender {
  /** Adds the listener of a console, and returns a function that removes it. `caller` is the session or API key, for `count`. */
  add(listener: Listener, caller: string): () => void;
  /** Returns the number of open consoles of one caller; without `caller`, of all. */
  count(caller?: string): number;
  /** Ends the event streams of all consoles. Without this, a server that stops would wait for them. */
  close(): void;
}

export interface LiveMetricsDeps extends AuthDeps {
  live: LiveMetricsSender;
}

export function createLiveMetricsSender(readMetrics: () => Promise<string>): LiveMetricsSender {
  /** Listeners of the open consoles, each with its session token or API key id. */
  const listeners = new Map<Listener, string>();
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    try {
      const event = `data: ${JSON.stringify(parseMetricsForConsole(await readMetrics(), Date.now()))}\n\n`;
      for (const listener of listeners.keys()) listener(event);
    } catch {
      // A failed read of the metrics sends no event. The consoles notice that an event is missing.
    } finally {
      isSending = false;
    }
  };
  const remove = (listener: Listener) => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
  return {
    add(listener, caller) {
      if (listeners.size === 0) timer = setInterval(() => void sendAll(), INTERVAL_MS).unref();
      listeners.set(listener, caller);
      void sendAll();
      return () => remove(listener);
    },
    count: (caller) =>
      caller === undefined
        ? listeners.size
        : [...listeners.values()].filter((other) => other === caller).length,
    close() {
      for (const listener of listeners.keys()) {
        listener('');
        remove(listener);
      }
    },
  };
}

/**
 * Parses metrics in the Prometheus text format. Returns the metrics that the console shows: counters since the start of the server, and the
 * number of calls in flight.
 */
export function parseMetricsForConsole(text: string, now: number) {
  const checks: Record<string, number> = {};
  const problems: Record<string, number> = {};
  const add = (counts: Record<string, number>, name: string | undefined, value: number) => {
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + value;
  };
  let inFlight = 0;
  for (const line of text.split('\n')) {
    const [, family = '', labels = '', value = ''] = /^(bonafide_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (family === 'bonafide_checks_total')
      add(checks, /verdict="([\w-]+)"/.exec(labels)?.[1], Number(value));
    else if (family === 'bonafide_problems_total')
      add(problems, /code="(\w+)"/.exec(labels)?.[1], Number(value));
    else if (family === 'bonafide_calls_in_flight') inFlight = Number(value);
  }
  return { time: new Date(now).toISOString(), checks, problems, in_flight: inFlight };
}

export const LIVE_METRICS_ROUTE = declarePublicRoute<LiveMetricsDeps>('GET /console/live', 'followServer', {
  tag: 'Console',
  summary: 'Follow live metrics',
  about:
    'Counters since the start and calls in flight, as server-sent events: one in two seconds. Needs a session, or a key with the scope `admin`.',
  answers: [
    {
      status: 200,
      about: 'Events until the connection, the session or the key ends.',
      types: ['text/event-stream'],
    },
  ],
  errors: ['forbidden', 'overloaded', ...AUTHENTICATION_ERROR_CODES],
  handle: streamMetrics,
});

async function streamMetrics(event: H3Event, deps: LiveMetricsDeps): Promise<Response> {
  const admin = await authenticate(event, deps);
  requireAdmin(admin);
  // The sessions of a key count as the key. Sessions by link have no key: each counts for itself.
  const caller = (admin.key === undefined ? readSessionToken(event.req) : null) ?? admin.keyId;
  const isOwnLimit = deps.live.count(caller) >= MAX_CONSOLES_PER_CALLER;
  if (isOwnLimit || deps.live.count() >= MAX_CONSOLES)
    throw new ProblemError({
      code: 'overloaded',
      detail: isOwnLimit
        ? `This session or key has ${MAX_CONSOLES_PER_CALLER} consoles open already. Close one.`
        : 'Too many consoles are connected to this server. Close one of them, or try again later.',
      headers: [['retry-after', '10']],
    });
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const remove = deps.live.add((text) => {
        if (text === '') return finish();
        // A console that does not read its stream gets no more events; the next event that it reads replaces the missed ones.
        if ((controller.desiredSize ?? 0) > -8) controller.enqueue(encoder.encode(text));
      }, caller);
      let isChecking = false;
      const checkCaller = async () => {
        if (isChecking) return;
        isChecking = true;
        if (!(await isCallerStillAdmin(event, deps))) finish();
        isChecking = false;
      };
      const timer = setInterval(() => void checkCaller(), AUTHENTICATE_MS);
      let isEnded = false;
      end = () => {
        isEnded = true;
        clearInterval(timer);
        remove();
      };
      const finish = () => {
        // The browser may have closed the stream while the server checked its caller. A second `close` would throw.
        if (isEnded) return;
        end();
        controller.close();
      };
    },
    cancel: () => end(),
  });
  event.req.signal.addEventListener('abort', () => end(), { once: true });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': getRequestContext(event).requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
