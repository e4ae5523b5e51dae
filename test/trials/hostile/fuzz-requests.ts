// Requests from a grammar: no answer of 500 and above, no value in an error, no long hold of the event loop.
import { join } from 'node:path';
import { SlownessRecord } from '../kit/slowness.ts';
import { ask, openLines } from '../kit/ask.ts';
import type { Told } from '../kit/ask.ts';
import { baseIn, copyOf, createKeys } from '../kit/people.ts';
import { serve, weigh } from '../kit/server.ts';
import { audit } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';
import { MARK, request } from './grammar.ts';

export const fuzzedRequests: Trial[] = [
  { name: 'fuzz-requests', about: 'requests from a grammar of strange bodies, paths and headers', run },
];

const CONNECTIONS = 16;
/** Number of bytes above the largest answer to an ordinary check. */
const LARGEST = 100_000;
/**
 * Maximum time in milliseconds that a request may hold the event loop, on a machine of usual speed. The goal is 10; other work on the machine adds to
 * it.
 */
const HELD_MS = 40;
/** Number of requests between two measurements of the machine's speed. */
const REQUESTS_BETWEEN = 100;

async function run(stage: Stage): Promise<void> {
  const { tally, random } = stage;
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'data'));
  // Keys and addresses take turns: one of them would be slowed down after 600 refusals, and its requests would test nothing more.
  const keys = createKeys(folder).filter((_, i) => i % 4 > 1);
  // Enough time to warm up with a name in each script on a slow machine: the first name in a script loads a table, which holds the event
  // loop for a tenth of a second.
  const env = { BONAFIDE_WARM_UP: '10s', BONAFIDE_TRUSTED_PROXIES: '127.0.0.1' };
  const server = await serve(folder, { env });
  weigh(tally, server);
  const agent = openLines(CONNECTIONS);
  const acknowledged = new Set<string>();
  const slowness = new SlownessRecord();
  slowness.measure();
  let left = stage.times(500, 100_000, 300_000);
  const client = async () => {
    while (left-- > 0) {
      if (left % REQUESTS_BETWEEN === 0) slowness.measure();
      const sent = request(keys[left % keys.length] ?? '', random);
      sent.headers['x-forwarded-for'] = `10.1.${(left >> 8) & 255}.${left & 255}`;
      const repeat = `npm run trials -- --only fuzz-requests (${sent.method} ${sent.path} ${show(sent.body)})`;
      const told = await ask(server.port, sent, agent).catch((error: Error) => error);
      did(tally, 'requests');
      if (told instanceof Error) fault(tally, { seen: `no answer: ${told.message}`, repeat });
      else look(stage, told, repeat);
      if (
        !(told instanceof Error) &&
        told.status === 200 &&
        sent.path.startsWith('/v1/validate') &&
        sent.method === 'POST'
      )
        acknowledged.add(told.id);
      const { busyMs } = server.holds();
      if (busyMs > HELD_MS * slowness.median().processor && busyMs > tally.busyMs)
        fault(tally, {
          seen: `the event loop was held for more than ${HELD_MS} ms of a usual machine`,
          repeat: `${repeat}, or one beside it: ${busyMs.toFixed(0)} ms at ${slowness.median().processor.toFixed(1)} times the usual time`,
        });
      tally.busyMs = Math.max(tally.busyMs, busyMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  weigh(tally, server);
  await server.stop();
  audit(tally, folder, { acknowledged, repeat: 'npm run trials -- --only fuzz-requests' });
}

const show = (body: Buffer | undefined) => JSON.stringify(body?.toString().slice(0, 120) ?? '');

function look({ tally }: Stage, { status, id, text, headers }: Told, repeat: string): void {
  if (status >= 500) {
    tally.fiveHundreds++;
    fault(tally, { seen: `answered ${status}`, repeat });
  }
  if (!id.startsWith('req_')) fault(tally, { seen: `an answer of ${status} without a request id`, repeat });
  if (text.length > LARGEST) fault(tally, { seen: 'an answer of more than 100 kB', repeat });
  if (status === 200) return;
  if (text.includes(MARK)) fault(tally, { seen: `an error (${status}) that echoes what was sent`, repeat });
  const type = String(headers['content-type'] ?? '');
  if (text && status >= 400 && !type.startsWith('application/problem+json'))
    fault(tally, { seen: `an error (${status}) that is no problem+json`, repeat });
}
