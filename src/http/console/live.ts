// `/console/live`: what the server has counted, told as it goes on (server-sent events): one event in two seconds, however much comes in.
import type { H3Event } from 'h3';
import { requireAdmin } from '../../accounts/access.ts';
import { contextOf } from '../response.ts';
import { authenticated } from '../auth.ts';
import type { AuthDeps } from '../auth.ts';
import { KEY_ERRORS, openRoute } from '../openapi/operation.ts';
import { ProblemError } from '../problems.ts';

const EVERY_MS = 2000;
/** Consoles that are told at a time. */
const MOST = 20;

export interface LiveDeps extends AuthDeps {
  /** Open consoles, which receive metrics. */
  live: LiveMetrics;
}

type Tell = (event: string) => void;

/** Who is told, and the one clock for all of them. */
export interface LiveMetrics {
  add(tell: Tell): () => void;
  count(): number;
  /** Ends every stream: a server that stops would wait for them. */
  close(): void;
}

export function openLiveMetrics(text: () => Promise<string>): LiveMetrics {
  const told = new Set<Tell>();
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  const tellAll = async () => {
    if (busy) return;
    busy = true;
    try {
      const event = `data: ${JSON.stringify(parseMetrics(await text(), Date.now()))}\n\n`;
      for (const tell of told) tell(event);
    } catch {
      // Who listens sees that nothing comes.
    } finally {
      busy = false;
    }
  };
  const leave = (tell: Tell) => {
    told.delete(tell);
    if (told.size === 0) clearInterval(timer);
  };
  return {
    add(tell) {
      if (told.size === 0) timer = setInterval(() => void tellAll(), EVERY_MS).unref();
      told.add(tell);
      void tellAll();
      return () => leave(tell);
    },
    count: () => told.size,
    close() {
      for (const tell of told) {
        tell('');
        leave(tell);
      }
    },
  };
}

/** What the pages draw of all figures: counters since the start, and what is going on. */
export function parseMetrics(text: string, now: number) {
  const checks: Record<string, number> = {};
  const problems: Record<string, number> = {};
  const add = (to: Record<string, number>, name: string | undefined, value: number) => {
    if (name !== undefined) to[name] = (to[name] ?? 0) + value;
  };
  let inFlight = 0;
  for (const line of text.split('\n')) {
    const [, family = '', labels = '', value = ''] = /^(bonafide_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (family === 'bonafide_checks_total') add(checks, /band="(\w+)"/.exec(labels)?.[1], Number(value));
    else if (family === 'bonafide_problems_total')
      add(problems, /code="(\w+)"/.exec(labels)?.[1], Number(value));
    else if (family === 'bonafide_calls_in_flight') inFlight = Number(value);
  }
  return { time: new Date(now).toISOString(), checks, problems, in_flight: inFlight };
}

export const LIVE_ROUTE = openRoute<LiveDeps>({
  tag: 'Console',
  path: '/console/live',
  id: 'followServer',
  summary: 'What is going on',
  about:
    'Counters since the start and calls in flight, as server-sent events: one in two seconds, however much comes in. Takes a session, or a key with the scope `admin`.',
  answers: [{ status: 200, about: 'Events, until the connection ends.', types: ['text/event-stream'] }],
  errors: ['forbidden', 'overloaded', ...KEY_ERRORS],
  handle: serveLive,
});

async function serveLive(event: H3Event, deps: LiveDeps): Promise<Response> {
  requireAdmin(await authenticated(event, deps));
  if (deps.live.count() >= MOST)
    throw new ProblemError({
      code: 'overloaded',
      detail: 'Too many pages are told already.',
      headers: [['retry-after', '10']],
    });
  const encoder = new TextEncoder();
  let leave: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      leave = deps.live.add((text) => {
        // Who does not read gets no more: the next event says all that this one would have.
        if (text === '') controller.close();
        else if ((controller.desiredSize ?? 0) > -8) controller.enqueue(encoder.encode(text));
      });
    },
    cancel: () => leave(),
  });
  event.req.signal.addEventListener('abort', () => leave(), { once: true });
  const exchange = contextOf(event);
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': exchange.requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
