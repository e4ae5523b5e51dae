// Checks over HTTP at a constant rate, alone and beside changes of the graph; and records fed over HTTP until checks see them.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { bonafide, startServing } from '../speed/process.ts';
import { drive } from '../speed/client.ts';
import type { Target } from '../speed/client.ts';
import { quantile } from './figures.ts';
import type { SizeFigures } from './figures.ts';
import { importing } from './made.ts';
import type { Made } from './made.ts';

export interface ServedOptions {
  bodies: object[];
  /** Length of each part of the measurement. */
  seconds: number;
  /** Checks per second, and fed records per second. */
  checks: number;
  feed: number;
}

const CONNECTIONS = 4;
const WARM_UP_SECONDS = 5;

export async function serveAll(
  made: Made,
  options: ServedOptions,
): Promise<Pick<SizeFigures, 'served' | 'feed'>> {
  const { folder, more } = made;
  const created = await bonafide(
    'keys',
    'create',
    '--name',
    'bench',
    '--scopes',
    'validate,admin',
    '--json',
    '--data-dir',
    folder,
  );
  const { key } = JSON.parse(created) as { key: string };
  const server = await startServing(folder, []);
  const target: Target = {
    url: server.url,
    path: '/v1/validate',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    bodies: options.bodies.map((body) => JSON.stringify(body)),
  };
  const during = async (seconds: number) => {
    const { latencies, failed } = await drive(target, {
      connections: CONNECTIONS,
      seconds,
      perSecond: options.checks,
    });
    if (failed > 0) throw new Error(`${failed} checks failed`);
    return [...latencies];
  };
  const of = (values: number[]) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });
  await drive(target, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const alone = of(await during(options.seconds));
  const lines = readFileSync(more, 'utf8').trimEnd().split('\n');
  const [feed, feeding] = await Promise.all([
    feedTo({ url: server.url, key, lines }, options),
    during(options.seconds),
  ]);
  const { ended } = importing(folder, more);
  const imported = ended.then(() => true);
  const beside: number[] = [];
  do beside.push(...(await during(1)));
  while (!(await Promise.race([imported, pause(0, false)])));
  await server.stop();
  return { served: { alone, feeding: of(feeding), importing: of(beside) }, feed };
}

interface FedTo {
  url: string;
  key: string;
  lines: string[];
}

/** Sends one record per call at fixed times, whether or not earlier calls were answered. */
async function feedTo(
  { url, key, lines }: FedTo,
  { seconds, feed }: ServedOptions,
): Promise<SizeFigures['feed']> {
  const latencies: number[] = [];
  let linked = 0;
  const send = async (line: string) => {
    const began = performance.now();
    const response = await fetch(`${url}/admin/v1/records`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: line,
    });
    const answer = (await response.json()) as { linked?: boolean };
    if (response.status !== 200) return;
    latencies.push(performance.now() - began);
    linked += Number(answer.linked);
  };
  await send(lines[0] ?? '');
  latencies.pop();
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (const [i, line] of lines.slice(1, 1 + seconds * feed).entries()) {
    const early = began + (i * 1000) / feed - performance.now();
    if (early > 0) await pause(early);
    calls.push(send(line).catch(() => undefined));
  }
  await Promise.all(calls);
  const perSecond = (latencies.length * 1000) / (performance.now() - began);
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    asked: feed,
    perSecond,
    linked,
    calls: calls.length,
  };
}
