// SIGKILL at random times of servers: every answered call is in the call log, and every answer is right.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runInside } from '../kit/inside.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { emptyLedger, judge, startLoad } from '../kit/load.ts';
import type { Ledger } from '../kit/load.ts';
import { freePort, NotStarted, serve, starting, weigh } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { audit, callsHeld, keysIn } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

/** Number and kind of servers and callers. */
interface Kind {
  name: string;
  servers: number;
  connections: number;
  /** True if the callers' key belongs to an account with a plan. */
  billed: boolean;
}

const ONE: Kind = { name: 'kill-serving', servers: 1, connections: 24, billed: false };
const TWO: Kind = { name: 'kill-two-servers', servers: 2, connections: 24, billed: false };
const BILLED: Kind = { name: 'kill-billed', servers: 2, connections: 200, billed: true };
/** Interval of kills during the start of a server. */
const STARTS = 6;

export const killedServers: Trial[] = [
  {
    name: 'kill-serving',
    about: 'one server on a folder, killed at random moments',
    run: (stage) => run(stage, ONE),
  },
  {
    name: 'kill-two-servers',
    about: 'two servers on a folder, one or the other killed at random moments',
    run: (stage) => run(stage, TWO),
  },
  {
    name: 'kill-billed',
    about: 'two servers on a folder, killed under two hundred callers of an account with a quota',
    run: (stage) => run(stage, BILLED),
  },
];

async function run(stage: Stage, kind: Kind): Promise<void> {
  const base = await baseIn(stage.root);
  const kills = stage.times(kind === ONE ? 2 : 1, 240, 600);
  // At most two at a time, because a start uses one core fully.
  const lanes = stage.size === 'short' ? 1 : 2;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const folder = copyOf(base.folder, join(stage.folder, `lane-${lane}`));
      if (kind.billed) await bill(folder);
      return killing({ stage, base, folder, kind, kills: Math.ceil(kills / lanes) });
    }),
  );
}

interface Lane {
  stage: Stage;
  base: Base;
  folder: string;
  kind: Kind;
  kills: number;
}

/** Gives the keys of a folder to an account. */
async function bill(folder: string): Promise<void> {
  const on = ['--data-dir', folder];
  await runInside(['plans', 'create', 'starter', '--included', '50', '--price', '0.01', ...on]);
  const { id } = await runInside(['accounts', 'create', '--name', 'trial', '--plan', 'starter', ...on]);
  for (const key of keysIn(folder)) await runInside(['accounts', 'join', String(id), key, ...on]);
}

async function killing({ stage, base, folder, kind, kills }: Lane): Promise<void> {
  const { tally, random, perSecond } = stage;
  const { servers, connections } = kind;
  const repeat = `npm run trials -- --only ${kind.name}`;
  const ledger = emptyLedger();
  const ports: number[] = [];
  for (let i = 0; i < servers; i++) ports.push(await freePort());
  const start = (i: number) => serve(folder, { port: ports[i] });
  const alive: Server[] = [];
  for (let i = 0; i < servers; i++) alive.push(await start(i));
  const load = startLoad({ ports, connections, base, ledger, perSecond });
  for (let kill = 0; kill < kills; kill++) {
    const which = Math.floor(random() * servers);
    await pause(10 ** (1 + random() * 2));
    const victim = alive[which];
    if (victim) weigh(tally, victim);
    await victim?.kill();
    did(tally, 'kills');
    if (kill % STARTS === STARTS - 1) await killedWhileStarting({ stage, folder, port: ports[which] ?? 0 });
    alive[which] = await start(which).catch((error: unknown) => notStarted(stage, error, repeat));
  }
  await load.stop();
  for (const server of alive) await server.stop();
  finish(stage, { folder, ledger, repeat });
}

async function killedWhileStarting({ stage, folder, port }: { stage: Stage; folder: string; port: number }) {
  const server = starting(folder, { port });
  await pause(stage.random() * 1500);
  await server.kill();
  did(stage.tally, 'kills');
}

function notStarted({ tally }: Stage, error: unknown, repeat: string): never {
  if (error instanceof NotStarted)
    fault(tally, { seen: `does not start after a kill: ${error.stderr}`, repeat });
  throw error;
}

function finish({ tally }: Stage, of: { folder: string; ledger: Ledger; repeat: string }): void {
  const { folder, ledger, repeat } = of;
  judge(tally, ledger, { allowed: [], repeat });
  audit(tally, folder, { acknowledged: ledger.acknowledged.keys(), repeat });
  // A call that counts without a received answer must be one of the interrupted calls.
  const unseen = callsHeld(folder).ids.size - ledger.acknowledged.size;
  if (unseen > ledger.cut) fault(tally, { seen: 'calls count that nobody made', repeat });
}
