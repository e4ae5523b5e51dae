// The disk fills up and has space again; descriptors run out; the clock jumps.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:net';
import { ask, openLines } from '../kit/ask.ts';
import { emptyLedger, judge, startLoad } from '../kit/load.ts';
import type { Ledger } from '../kit/load.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { serve, weigh } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { buildShim, openShim } from '../kit/shim.ts';
import type { Shim } from '../kit/shim.ts';
import { audit } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const limits: Trial[] = [
  {
    name: 'disk-full',
    about: 'no room to write under load, and room again',
    run: (stage) => shimmed(stage, full),
  },
  {
    name: 'clock',
    about: 'the time of day jumps back and forth under load',
    run: (stage) => shimmed(stage, jumping),
  },
  { name: 'descriptors', about: 'more connections than a process may have files', run: descriptors },
];

interface Scene {
  stage: Stage;
  base: Base;
  shim: Shim;
  server: Server;
  ledger: Ledger;
  repeat: string;
}

async function shimmed(stage: Stage, work: (scene: Scene) => Promise<void>): Promise<void> {
  const built = buildShim(stage.root);
  const repeat = `npm run trials -- --only ${work === full ? 'disk-full' : 'clock'}`;
  if ('missing' in built) return did(stage.tally, `servers: ${built.missing}`, 0);
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'data'));
  const shim = openShim(built.file, { file: join(stage.folder, 'shim'), under: folder });
  const server = await serve(folder, { env: shim.env() });
  weigh(stage.tally, server);
  const ledger = emptyLedger();
  // Texts of a narrative about dates depend on the clock.
  const timeless = base.questions.filter(({ asked }) => !asked.path.includes('ai='));
  const asking = work === jumping ? { ...base, questions: timeless } : base;
  const { perSecond } = stage;
  const load = startLoad({ ports: [server.port], connections: 8, base: asking, ledger, perSecond });
  await work({ stage, base, shim, server, ledger, repeat });
  await load.stop();
  weigh(stage.tally, server);
  await server.stop();
  if (work === jumping) await beginsAhead(stage, { folder, shim, base });
  audit(stage.tally, folder, { acknowledged: ledger.acknowledged.keys(), repeat });
}

async function full({ stage, base, shim, server, ledger, repeat }: Scene): Promise<void> {
  const amiss = (seen: string) => fault(stage.tally, { seen, repeat });
  for (let i = 0; i < stage.times(1, 12, 60); i++) {
    await pause(stage.random() * 800);
    shim.set({ full: 1 });
    await pause(stage.of(300, 1500));
    const [first] = base.questions;
    const told = first ? await ask(server.port, first.asked) : null;
    if (told?.status === 503 && !told.headers['retry-after']) amiss('503 without Retry-After');
    const ready = await ask(server.port, { method: 'GET', path: '/readyz' });
    if (ready.status === 200) amiss('says that it is ready while nothing can be written');
    shim.set({ full: 0 });
    did(stage.tally, 'times full');
    if (!(await answersAgain(server, base))) amiss('does not answer again within 10 s of room');
  }
  judge(stage.tally, ledger, { allowed: [503], alive: true, repeat });
}

async function answersAgain(server: Server, { questions }: Base): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    const [first] = questions;
    const told = first ? await ask(server.port, first.asked).catch(() => null) : null;
    if (told?.status === 200) return true;
    await pause(100);
  }
  return false;
}

const DAY_NS = 86_400e9;
const JUMPS = [3600e9, -3600e9, DAY_NS, -400 * DAY_NS, 400 * DAY_NS, -1e9, 1e9, -DAY_NS];

async function jumping({ stage, shim, ledger, repeat }: Scene): Promise<void> {
  const { tally } = stage;
  for (let i = 0; i < stage.times(3, 60, 300); i++) {
    await pause(stage.of(150, 500));
    shim.set({ clock: JUMPS[i % JUMPS.length] ?? 0 });
    did(tally, 'jumps');
  }
  shim.set({ clock: 0 });
  await pause(200);
  judge(tally, ledger, { allowed: [], alive: true, repeat });
  const answered = ledger.statuses.get(200) ?? 0;
  if (ledger.acknowledged.size < answered) fault(tally, { seen: 'a request id came twice', repeat });
}

/** Starts a server with a clock 400 days ahead, and asks until it answers. */
async function beginsAhead(
  { tally }: Stage,
  { folder, shim, base }: { folder: string; shim: Shim; base: Base },
): Promise<void> {
  shim.set({ clock: 400 * DAY_NS });
  const server = await serve(folder, { env: shim.env() });
  await answersAgain(server, base);
  did(tally, 'starts with a clock that is ahead');
  await server.stop();
  shim.set({ clock: 0 });
}

const FILES = 64;
const REPEAT = 'npm run trials -- --only descriptors';

async function descriptors(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'data'));
  const server = await serve(folder, { before: `ulimit -n ${FILES}` });
  weigh(stage.tally, server);
  const ledger = emptyLedger();
  const agent = openLines(1);
  const [first] = base.questions;
  if (!first) return;
  await ask(server.port, first.asked, agent);
  for (let i = 0; i < stage.times(2, 20, 100); i++) {
    const sockets = Array.from({ length: FILES * 3 }, () =>
      connect(server.port, '127.0.0.1').on('error', () => undefined),
    );
    await pause(stage.of(200, 500));
    // A connection that was open before must still be answered.
    const told = await ask(server.port, first.asked, agent).catch(() => null);
    if (told?.status !== 200)
      fault(stage.tally, { seen: `an open connection gets ${told?.status ?? 'nothing'}`, repeat: REPEAT });
    for (const socket of sockets) socket.destroy();
    did(stage.tally, 'times out of descriptors');
    if (!(await answersAgain(server, base)))
      fault(stage.tally, { seen: 'does not answer again', repeat: REPEAT });
  }
  judge(stage.tally, ledger, { allowed: [503], repeat: REPEAT });
  weigh(stage.tally, server);
  agent.destroy();
  await server.stop();
}
