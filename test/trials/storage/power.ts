// A power cut: writes that were not synced may be lost, acknowledged changes may not.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listKeys } from '../../../src/store/keys.ts';
import { bonafide, launch } from '../kit/children.ts';
import { answersInside, opened, isAnswering } from '../kit/inside.ts';
import { emptyLedger, startLoad } from '../kit/load.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { serve } from '../kit/server.ts';
import { buildShim, openShim } from '../kit/shim.ts';
import { callsHeld } from '../kit/store.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';
import { readJournal, writeRemains } from './journal.ts';
import type { Entry } from './journal.ts';

export const powerCuts: Trial[] = [
  { name: 'power', about: 'the power goes while serving, importing, making keys and settings', run: power },
];

/** An acknowledged change and its time, in nanoseconds of the monotonic clock. */
interface Promised {
  at: bigint;
  /** Returns a sentence if the change is missing in a folder, else null. */
  missing(folder: string): Promise<string | null>;
}

interface Scene {
  from: string;
  under: string;
  entries: Entry[];
  promised: Promised[];
  /** Request ids of answered calls, with their times. */
  acknowledged: Map<string, bigint>;
  moments: string[][];
  base: Base;
}

async function power(stage: Stage): Promise<void> {
  const built = buildShim(stage.root);
  if ('missing' in built) return did(stage.tally, `power cuts: ${built.missing}`, 0);
  const base = await baseIn(stage.root);
  for (const scene of [await served(stage, base, built.file), await begun(stage, base, built.file)])
    await cutEverywhere(stage, scene);
}

/** Records a server under load, with an import and other commands at the same time. */
async function served(stage: Stage, base: Base, library: string): Promise<Scene> {
  const [from, under] = [base.folder, copyOf(base.folder, join(stage.folder, 'served'))];
  const journal = join(stage.folder, 'served.journal');
  const env = openShim(library, { file: join(stage.folder, 'shim'), under }).env(journal);
  const server = await serve(under, { env });
  const ledger = emptyLedger();
  // The journal shows every moment of a write, so a short trial finds as much with few calls.
  const perSecond = stage.perSecond && 40;
  const load = startLoad({ ports: [server.port], connections: 8, base, ledger, perSecond });
  await pause(stage.of(300, 2000));
  const promised = await commands(under, env);
  await bonafide(['graph', 'import', base.more, '--data-dir', under], { env });
  await pause(stage.of(300, 2000));
  await load.stop();
  await server.kill();
  const now = process.hrtime.bigint() - BigInt(Math.round(performance.now() * 1e6));
  const acknowledged = new Map(
    [...ledger.acknowledged].map(([id, at]) => [id, now + BigInt(Math.round(at * 1e6))]),
  );
  const after = await answersInside(
    under,
    base.questions.map(({ asked }) => asked),
  );
  const moments = [base.questions.map(({ answer }) => answer), after];
  return { from, under, entries: readJournal(journal), promised, acknowledged, moments, base };
}

/** Records the creation of a folder by an import and a new key. */
async function begun(stage: Stage, base: Base, library: string): Promise<Scene> {
  const [from, under] = [join(stage.folder, 'nothing'), join(stage.folder, 'begun')];
  mkdirSync(from, { mode: 0o700 });
  const journal = join(stage.folder, 'begun.journal');
  const env = openShim(library, { file: join(stage.folder, 'shim-2'), under }).env(journal);
  await bonafide(['graph', 'import', base.records, '--data-dir', under], { env });
  const imported = { at: process.hrtime.bigint(), missing: opens };
  const promised = [imported, ...(await commands(under, env))];
  return { from, under, entries: readJournal(journal), promised, acknowledged: new Map(), moments: [], base };
}

/** Creates a key and changes a setting. */
async function commands(folder: string, env: Record<string, string>): Promise<Promised[]> {
  const { id } = await bonafide(['keys', 'create', '--name', 'other', '--data-dir', folder], { env });
  const keyMade = { at: process.hrtime.bigint(), missing: (left: string) => keyMissing(left, String(id)) };
  await launch(['features', 'off', 'name_matching', '--data-dir', folder], { env }).ended;
  return [keyMade, { at: process.hrtime.bigint(), missing: async (left) => settingMissing(left) }];
}

async function opens(folder: string): Promise<string | null> {
  const app = await opened(folder);
  if (typeof app === 'string') return app;
  await app.close();
  return null;
}

async function keyMissing(folder: string, id: string): Promise<string | null> {
  const app = await opened(folder);
  if (typeof app === 'string') return app;
  const held = listKeys(app.store).some((key) => key.id === id);
  await app.close();
  return held ? null : 'a key that was shown is gone';
}

function settingMissing(folder: string): string | null {
  try {
    const { features } = JSON.parse(readFileSync(join(folder, 'features.json'), 'utf8'));
    return features.name_matching.on === false ? null : 'a setting that was made is gone';
  } catch {
    return 'features.json cannot be read, though the command had ended';
  }
}

async function cutEverywhere(stage: Stage, scene: Scene): Promise<void> {
  const { tally, random } = stage;
  const left = join(stage.folder, 'left');
  for (let cut = 0; cut < stage.times(2, 100, 400); cut++) {
    rmSync(left, { recursive: true, force: true });
    mkdirSync(left, { mode: 0o700 });
    // The first cut is after all entries, the others at random times.
    const length = cut === 0 ? scene.entries.length : 1 + Math.floor(random() * scene.entries.length);
    const entries = scene.entries.slice(0, length);
    const share = [0, 0.5, 0.9][cut % 3] ?? 0;
    writeRemains({ ...scene, entries, keep: () => random() < share }, left);
    did(tally, 'power cuts');
    const seen = await amiss(stage, scene, { left, at: cut === 0 ? END : (entries.at(-1)?.time ?? 0n) });
    const of = `cut ${cut} after ${length} of ${scene.entries.length} operations`;
    for (const text of seen) fault(tally, { seen: text, repeat: `npm run trials -- --only power (${of})` });
  }
}

const END = 2n ** 62n;

async function amiss(
  stage: Stage,
  scene: Scene,
  { left, at }: { left: string; at: bigint },
): Promise<string[]> {
  const seen: (string | null)[] = [];
  for (const { at: told, missing } of scene.promised) if (told < at) seen.push(await missing(left));
  const { acknowledged, moments, base } = scene;
  if (moments.length > 0) {
    const { ids, integrity } = callsHeld(left);
    const due = [...acknowledged].filter(([, told]) => told < at);
    did(stage.tally, 'answered calls looked for', due.length);
    stage.tally.lost += due.filter(([id]) => !ids.has(id)).length;
    seen.push(integrity === 'ok' ? null : 'store.db is damaged', await isAnswering(left, base, moments));
  }
  return seen.filter((text) => text !== null);
}
