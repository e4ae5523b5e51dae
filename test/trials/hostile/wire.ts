// HTTP clients that break the protocol: slow, half-open, pipelined, oversized, malformed. Other callers must still be answered.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SlownessRecord } from '../kit/slowness.ts';
import { emptyLedger, judge, startLoad } from '../kit/load.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { serve, weigh } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { audit } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const hostileWires: Trial[] = [
  {
    name: 'wire',
    about: 'slow, half-open, pipelined, oversized and malformed HTTP beside honest calls',
    run,
  },
];

const SHORT = new Set(['half-open', 'pipelined', 'malformed']);
const REPEAT = 'npm run trials -- --only wire';
/** Maximum time in milliseconds that an honest caller waits for an answer during an attack, on a machine of usual speed. */
const PATIENCE_MS = 5000;
/** Maximum growth of the server's memory after an attack, in MB. */
const GROWN_MB = 300;
const STOPS_MS = 15_000;
/** Time in milliseconds between two measurements of the machine's speed. */
const BETWEEN_MS = 250;

interface Attack {
  name: string;
  connections: number;
  /** Sends the bytes of one connection, step by step. */
  send(socket: Socket, base: Base): Promise<void> | void;
}

async function run(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  for (const attack of attacks(stage))
    if (stage.size !== 'short' || SHORT.has(attack.name)) await under(stage, base, attack);
}

async function under(stage: Stage, base: Base, attack: Attack): Promise<void> {
  const folder = copyOf(base.folder, join(stage.folder, attack.name));
  const server = await serve(folder);
  const ledger = emptyLedger();
  weigh(stage.tally, server);
  const before = server.memory();
  const load = startLoad({ ports: [server.port], connections: 2, base, ledger, perSecond: 50 });
  const slowness = new SlownessRecord();
  slowness.measure();
  const measuring = setInterval(() => slowness.measure(), BETWEEN_MS);
  await Promise.all(Array.from({ length: attack.connections }, () => connection(server.port, base, attack)));
  did(stage.tally, 'hostile connections', attack.connections);
  await pause(stage.of(200, 3000));
  await load.stop();
  clearInterval(measuring);
  weigh(stage.tally, server);
  const repeat = `${REPEAT} (${attack.name})`;
  judge(stage.tally, ledger, { allowed: [], alive: true, repeat });
  const amiss = (seen: string) => fault(stage.tally, { seen: `${attack.name}: ${seen}`, repeat });
  const { elapsed } = slowness.median();
  if (ledger.slowestMs > PATIENCE_MS * elapsed)
    amiss(
      `an honest call waits ${(ledger.slowestMs / 1000).toFixed(1)} s, with everything at ${elapsed.toFixed(1)} times the usual time`,
    );
  await ends(stage, { server, before, amiss });
  audit(stage.tally, folder, { acknowledged: ledger.acknowledged.keys(), repeat });
}

async function ends(
  stage: Stage,
  of: { server: Server; before: number; amiss: (seen: string) => void },
): Promise<void> {
  const { server, before, amiss } = of;
  const grown = server.memory() - before;
  if (grown > GROWN_MB) amiss(`${grown.toFixed(0)} MB more than before`);
  const stopped = await Promise.race([server.stop(), pause(STOPS_MS * 2)]);
  if (stopped === undefined) await server.kill();
  if (stopped === undefined || stopped > STOPS_MS) amiss('SIGTERM does not end the server within 15 s');
  const { code, stderr } = await server.ended;
  if (code !== 0 || stderr) amiss(`ended with ${code}: ${stderr.slice(0, 200)}`);
  did(stage.tally, 'servers');
}

/** Opens one hostile connection. Resolves some time after it has sent everything, or when the server closes it. */
function connection(port: number, base: Base, { send }: Attack): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      void Promise.resolve(send(socket, base)).then(() => setTimeout(() => socket.destroy(), 500));
    });
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

const head = (key: string, length: number | string, more = '') =>
  `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;
const wholeCall = ({ hostileKey, questions }: Base, i: number) => {
  const body = String(questions[i % questions.length]?.asked.body ?? '');
  return head(hostileKey, Buffer.byteLength(body)) + body;
};
const MALFORMED = [
  'GET nonsense\r\n\r\n',
  '\u0000\u0001\u0002',
  'POST /v1/validate HTTP/9.9\r\n\r\n',
  'POST /v1/validate HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
  'POST /v1/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/validate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
];

function attacks(stage: Stage): Attack[] {
  const connections = stage.of(5, 60);
  const seconds = stage.of(1, 6);
  return [
    {
      name: 'slow',
      connections,
      async send(socket, { hostileKey }) {
        const text = head(hostileKey, 500);
        for (let i = 0; i < seconds * 5; i++) {
          socket.write(text.slice(i, i + 1));
          await pause(200);
        }
      },
    },
    {
      name: 'half-open',
      connections: connections * 4,
      async send(socket, base) {
        const text = wholeCall(base, 0);
        const whole = Math.random() < 0.5;
        socket.write(whole ? text : text.slice(0, text.length - 5));
        if (Math.random() < 0.5) socket.end();
        else socket.resetAndDestroy();
      },
    },
    {
      name: 'pipelined',
      connections: 20,
      async send(socket, base) {
        const many = Array.from({ length: stage.of(50, 3000) }, (_, i) => wholeCall(base, i)).join('');
        socket.write(many);
        await pause(seconds * 1000);
      },
    },
    {
      name: 'pipelined and never read',
      connections: 10,
      async send(socket, base) {
        socket.pause();
        socket.write(Array.from({ length: stage.of(50, 2000) }, (_, i) => wholeCall(base, i)).join(''));
        await pause(seconds * 1000);
      },
    },
    {
      name: 'oversized',
      connections,
      async send(socket, { hostileKey }) {
        socket.write(head(hostileKey, 999_999_999));
        for (let i = 0; i < 64 && !socket.destroyed; i++) {
          socket.write(Buffer.alloc(1 << 16, 'x'));
          await pause(1);
        }
      },
    },
    {
      name: 'malformed',
      connections: connections * 2,
      send: (socket) => void socket.write(MALFORMED[Math.floor(Math.random() * MALFORMED.length)] ?? ''),
    },
  ];
}
