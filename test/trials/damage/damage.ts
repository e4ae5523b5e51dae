// Every file of the data folder with every damage, before the start and while it is served.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, openLines } from '../kit/ask.ts';
import { emptyLedger, note } from '../kit/load.ts';
import { runInside } from '../kit/inside.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { NotStarted, serve, weigh } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { did, fault, inLanes } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';
import { DAMAGES, flips } from './files.ts';
import type { Damage } from './files.ts';

export const damages: Trial[] = [
  {
    name: 'damage-before',
    about: 'every file damaged in every way before the start',
    run: (stage) => each(stage, before),
  },
  {
    name: 'damage-serving',
    about: 'every file damaged in every way while it is served',
    run: (stage) => each(stage, serving),
  },
];

/** Allowed errors of a server with damage: errors of the graph or the store, never 401 or 500. */
const MAY = [502, 503];
/** Time after which a server that cannot answer must report it. */
const NOTICED_MS = 5000;
const SHORT = 'removed';

interface Case {
  base: Base;
  folder: string;
  file: string;
  damage: Damage;
  repeat: string;
}

const LANES = 3;

async function each(stage: Stage, work: (stage: Stage, one: Case) => Promise<void>): Promise<void> {
  const base = await baseIn(stage.root);
  const full = await filled(stage, base);
  const name = work === before ? 'damage-before' : 'damage-serving';
  await inLanes(
    casesOf(stage, full, work === serving),
    stage.of(1, LANES),
    async ({ file, damage }, lane) => {
      const folder = join(stage.folder, `damaged-${lane}`);
      rmSync(folder, { recursive: true, force: true });
      copyOf(full, folder);
      const repeat = `npm run trials -- --only ${name} (${file} ${damage.name})`;
      await work(stage, { base, folder, file: join(folder, file), damage, repeat });
      did(stage.tally, 'damages');
    },
  );
}

/**
 * Returns every file of a folder with every damage. Memory that is shared through a file cannot be cut under a
 * server: the operating system would kill the server, as the page on operating says.
 */
function casesOf(
  { size, of, times, random }: Stage,
  full: string,
  served: boolean,
): { file: string; damage: Damage }[] {
  const files = readdirSync(full).filter((file) => statSync(join(full, file)).isFile());
  if (size === 'short')
    return files
      .filter((file) => file.endsWith('.db'))
      .flatMap((file) => DAMAGES.filter(({ name }) => name === SHORT).map((damage) => ({ file, damage })));
  const cases = files.flatMap((file) => {
    const damages = DAMAGES.filter(({ cuts }) => !(cuts && served && file.endsWith('-shm')));
    const flipped = file.endsWith('.db')
      ? Array.from({ length: of(0, 1, 10) }, () => flips(join(full, file))).flat()
      : [];
    return [...damages, ...flipped].map((damage) => ({ file, damage }));
  });
  // A part of the cases is a random one.
  const left = times(cases.length, cases.length);
  return cases
    .map((one) => ({ one, at: left < cases.length ? random() : 0 }))
    .sort((a, b) => a.at - b.at)
    .slice(0, left)
    .map(({ one }) => one);
}

/** Returns a folder with every possible file: settings, and WAL files with data that is not in the databases yet. */
async function filled(stage: Stage, base: Base): Promise<string> {
  const folder = copyOf(base.folder, join(stage.folder, 'served'));
  await runInside(['features', 'on', 'name_matching', '--data-dir', folder]);
  const server = await serve(folder);
  const agent = openLines(2);
  for (const { asked } of base.questions.slice(0, 10)) await ask(server.port, asked, agent);
  agent.destroy();
  const kept = copyOf(folder, join(stage.folder, 'full'));
  await server.stop();
  return kept;
}

/** Damages a file, then starts a server: the start fails with one clear line, or the server answers the rest. */
async function before(stage: Stage, one: Case): Promise<void> {
  one.damage.apply(one.file, stage.random);
  let server: Server;
  try {
    server = await serve(one.folder);
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    const { code, signal, stderr } = error;
    const clear = code === 1 && /^error: .+\n$/.test(stderr) && !/should not have/.test(stderr);
    if (!clear)
      amiss(
        stage,
        one,
        `does not start, ${signal ?? code}, says: ${stderr.slice(0, 200).replaceAll(one.folder, 'FOLDER')}`,
      );
    did(stage.tally, 'refused starts');
    return;
  }
  await questions(stage, one, { server, late: true });
  await ending(stage, one, server);
}

async function serving(stage: Stage, one: Case): Promise<void> {
  const server = await serve(one.folder);
  const agent = openLines(2);
  const [first] = one.base.questions;
  if (first) await ask(server.port, first.asked, agent);
  agent.destroy();
  one.damage.apply(one.file, stage.random);
  await asking(stage, one, server);
  await ending(stage, one, server);
}

/** Sends all questions, and again after the time in which a server must notice: then answers must be right or refused, and readiness must fit. */
async function asking(stage: Stage, one: Case, server: Server): Promise<void> {
  await questions(stage, one, { server, late: false });
  if (stage.size === 'short') return;
  await pause(NOTICED_MS);
  await questions(stage, one, { server, late: true });
}

async function questions(
  stage: Stage,
  one: Case,
  { server, late }: { server: Server; late: boolean },
): Promise<void> {
  const ledger = emptyLedger();
  const agent = openLines(4);
  const told = one.base.questions.slice(0, 24).map(async ({ asked, answer }) => {
    const told = await ask(server.port, asked, agent).catch(() => null);
    if (told) note(ledger, told, { answer, took: 0 });
    else ledger.cut++;
  });
  await Promise.all(told);
  const ready = await ask(server.port, { method: 'GET', path: '/readyz' }).catch(() => null);
  agent.destroy();
  did(stage.tally, 'calls', one.base.questions.length);
  if (one.damage.subtle) stage.tally.unnoticed += ledger.wrong.length;
  else stage.tally.wrong += ledger.wrong.length;
  if (ledger.wrong.length > 0 && !one.damage.subtle) amiss(stage, one, 'wrong answers');
  const codes = [...ledger.statuses.keys()].filter((status) => status !== 200);
  for (const status of codes) if (!MAY.includes(status)) amiss(stage, one, `answers ${status} to a good key`);
  if (ledger.cut > 0) amiss(stage, one, 'gives no answer');
  if (late && codes.length > 0 && !ledger.statuses.has(200) && ready?.status === 200)
    amiss(stage, one, `answers ${codes.join()} alone and says that it is ready`);
}

async function ending(stage: Stage, one: Case, server: Server): Promise<void> {
  weigh(stage.tally, server);
  const alive = server.process.exitCode === null && server.process.signalCode === null;
  const took = await server.stop();
  const { code, signal, stderr } = await server.ended;
  if (!alive) amiss(stage, one, `the server ended, ${signal ?? code}: ${stderr.slice(0, 160)}`);
  else if (took > 15_000) amiss(stage, one, 'SIGTERM does not end it');
}

const amiss = (stage: Stage, { file, damage, repeat, folder }: Case, seen: string) =>
  fault(stage.tally, { seen: `${file.slice(folder.length + 1)} ${damage.name}: ${seen}`, repeat });
