// Hostile requests to every route, MCP and console included, beside an ordinary caller, who must not notice.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROUTES } from '../../../src/http/server.ts';
import { ask, openLines, type Asked } from '../kit/ask.ts';
import { baseIn, copyOf, createKeys, type Base } from '../kit/people.ts';
import { serve, weigh } from '../kit/server.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';
import { MARK, pick, request, text, type Random } from './grammar.ts';

export const hostileRequests: Trial[] = [
  { name: 'hostile', about: 'hostile requests to every route beside an ordinary caller', run },
];

const REPEAT = 'npm run trials -- --only hostile';
const CONNECTIONS = 16;
const CALLS_PER_SECOND = 50;
/** Maximum growth of the server's memory by the hostile requests, in MB. */
const GROWN_MB = 150;
/** Factor by which a caller's p99 may grow. Below the second constant, in milliseconds, other work of the machine matters more. */
const SLOWER = 2;
const LEAST_P99_MS = 50;

async function run(stage: Stage): Promise<void> {
  const { tally, random } = stage;
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'data'));
  const keys = createKeys(folder);
  const env = { BONAFIDE_WARM_UP: '1s', BONAFIDE_TRUSTED_PROXIES: '127.0.0.1' };
  const server = await serve(folder, { env });
  const seconds = stage.of(500, 10_000);
  const usual = await p99WhileBusy(stage, { port: server.port, base }, () =>
    callOrdinarily(server.port, base, seconds),
  );
  weigh(tally, server);
  const agent = openLines(CONNECTIONS);
  let left = stage.times(500, 200_000);
  const warm = left / 5;
  let before = 0;
  const client = async () => {
    while (left-- > 0) {
      if (left <= warm * 4) before ||= server.memory();
      const sent = hostileRequest(keys, random);
      const repeat = `${REPEAT} (${sent.method} ${sent.path.slice(0, 100)})`;
      const answer = await ask(server.port, sent, agent).catch((error: Error) => error);
      did(tally, 'requests');
      if (answer instanceof Error) {
        if (!/ECONNRESET|EPIPE|hang up/.test(String(answer)))
          fault(tally, { seen: `no answer: ${answer.message}`, repeat });
        continue;
      }
      did(tally, `answers of ${answer.status}`);
      if (answer.status >= 500 && !(answer.status === 503 && answer.text.includes('"overloaded"'))) {
        tally.fiveHundreds++;
        fault(tally, { seen: `answered ${answer.status}: ${answer.text.slice(0, 150)}`, repeat });
      }
      if (answer.status >= 400 && answer.text.includes(MARK))
        fault(tally, {
          seen: `an error (${answer.status}) that echoes what was sent: ${answer.text.slice(0, 150)}`,
          repeat,
        });
    }
  };
  const beside = await p99WhileBusy(stage, { port: server.port, base }, () =>
    Promise.all(Array.from({ length: CONNECTIONS }, client)),
  );
  agent.destroy();
  weigh(tally, server);
  const grown = server.memory() - before;
  if (grown > GROWN_MB) fault(tally, { seen: `${grown.toFixed(0)} MB more than before`, repeat: REPEAT });
  tally.notes.push(
    `an ordinary caller: p99 ${usual.toFixed(1)} ms beside as many ordinary callers, ${beside.toFixed(1)} ms beside hostile ones; memory ${before.toFixed(0)} MB, ${grown.toFixed(0)} MB more at the end`,
  );
  if (stage.size !== 'short' && beside > Math.max(SLOWER * usual, LEAST_P99_MS))
    fault(tally, {
      seen: `an ordinary caller waits ${(beside / usual).toFixed(1)} times as long as beside ordinary callers`,
      repeat: REPEAT,
    });
  await server.stop();
}

/** Sends ordinary calls over as many connections as the hostile requests use, for some milliseconds. */
async function callOrdinarily(port: number, base: Base, ms: number): Promise<void> {
  const agent = openLines(CONNECTIONS);
  const until = performance.now() + ms;
  let next = 0;
  const lane = async () => {
    while (performance.now() < until)
      await ask(port, base.questions[next++ % base.questions.length]!.asked, agent).catch(() => null);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
}

/** Returns the 99th percentile of the answer times of an ordinary caller while `work` runs, in milliseconds. */
async function p99WhileBusy(
  { tally }: Stage,
  { port, base }: { port: number; base: Base },
  work: () => Promise<unknown>,
): Promise<number> {
  const agent = openLines(2);
  const times: number[] = [];
  const stopping = new AbortController();
  const call = async () => {
    for (let i = 0; !stopping.signal.aborted; i++) {
      const question = base.questions[i % base.questions.length]!.asked;
      const began = performance.now();
      const answer = await ask(port, question, agent).catch((error: Error) => error);
      times.push(performance.now() - began);
      if (answer instanceof Error || answer.status !== 200) {
        const seen = answer instanceof Error ? answer.message : String(answer.status);
        fault(tally, { seen: `an ordinary caller got ${seen}`, repeat: REPEAT });
      }
      await pause(1000 / CALLS_PER_SECOND);
    }
  };
  const calling = call();
  await work();
  stopping.abort();
  await calling;
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

const whole = (most: number, random: Random) => Math.floor(random() * most);

/** Replaces characters that node:http does not send in a header. */
const toHeader = (value: string) => value.replace(/[^\t\x20-\x7e]/g, '?');

const HEADER_NAMES = [
  'idempotency-key',
  'accept-version',
  'traceparent',
  'authorization',
  'cookie',
  'accept',
  'origin',
  'sec-fetch-site',
  'bonafide-console',
  'if-none-match',
  'range',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'expect',
  'content-encoding',
  'x-fill',
] as const;
const HEADER_VALUES = [
  '"\\',
  'bonafide_console=',
  'a=b; ',
  'Bearer ',
  ',',
  'gzip',
  '1',
  'v2',
  'bytes=0-',
  '00-',
  MARK,
  '(a+)+',
] as const;

function hostileHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = whole(4, random); i > 0; i--) {
    const piece = pick(HEADER_VALUES, random);
    const most = random() < 0.1 ? 7000 : 30;
    const value = random() < 0.5 ? piece.repeat(1 + whole(most / piece.length, random)) : text(most, random);
    headers[pick(HEADER_NAMES, random)] = toHeader(value).trim() || 'x';
  }
  if (headers.expect === '100-continue') delete headers.expect;
  return headers;
}

const QUERY_NAMES = [
  'ai',
  'response',
  'limit',
  'after',
  'month',
  'q',
  'key',
  'from',
  'to',
  'state',
  'id',
] as const;

function hostileQuery(random: Random): string {
  if (random() < 0.5) return '';
  const part = () => `${pick(QUERY_NAMES, random)}=${encodeURIComponent(text(30, random).toWellFormed())}`;
  const parts = Array.from({ length: 1 + whole(random() < 0.05 ? 200 : 4, random) }, part);
  return `?${parts.join('&').slice(0, 5000)}${random() < 0.05 ? '%' : ''}`;
}

const MCP_METHODS = [
  'initialize',
  'tools/list',
  'tools/call',
  'ping',
  'notifications/x',
  '__proto__',
  '',
] as const;

/** Returns a body of MCP that is nearly valid, or a body of the grammar. */
function mcpBody(body: Buffer | undefined, random: Random): Buffer | undefined {
  if (random() < 0.3) return body;
  const message = { jsonrpc: '2.0', id: whole(9, random), method: pick(MCP_METHODS, random), params: {} };
  const params = body?.toString() ?? '{}';
  return Buffer.from(
    JSON.stringify(message).replace(
      '"params":{}',
      random() < 0.5 ? `"params":{"name":"validate_identity","arguments":${params}}` : `"params":${params}`,
    ),
  );
}

function hostileRequest(keys: readonly string[], random: Random): Asked & { method: string } {
  const key = keys[whole(keys.length, random)] ?? '';
  const usual = request(key, random);
  // Streams do not end by themselves.
  const routes = ROUTES.filter(({ path }) => path !== '/console/live');
  const { method: own, path: template } = routes[whole(routes.length, random)]!;
  const method = random() < 0.9 ? own : usual.method;
  const path = template.replace(/:\w+|\*\*?\w*/g, () =>
    random() < 0.3 ? 'x' : encodeURIComponent(text(20, random).toWellFormed()) || 'y',
  );
  const address = `10.${whole(256, random)}.${whole(256, random)}.${whole(256, random)}`;
  const headers = { ...usual.headers, ...hostileHeaders(random), 'x-forwarded-for': address };
  const isWithBody = method !== 'GET' && method !== 'HEAD';
  const body = template === '/mcp' ? mcpBody(usual.body, random) : usual.body;
  return { method, path: path + hostileQuery(random), headers, ...(isWithBody && body ? { body } : {}) };
}
