// SIGKILL of commands at their n-th write, sync or rename; at a random time if the shim cannot be built.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../kit/children.ts';
import { answersInside, failureOf, isAnswering, runInside } from '../kit/inside.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { buildShim, KIND, openShim } from '../kit/shim.ts';
import type { Shim } from '../kit/shim.ts';
import { did, fault, inLanes } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const killedCommands: Trial[] = [
  { name: 'kill-importing', about: 'an import killed at its n-th write, sync or rename', run: importing },
  {
    name: 'kill-keeping',
    about: 'backups and restores killed at their n-th step',
    run: (stage) => keeping(stage),
  },
  {
    name: 'kill-moments',
    about: 'backups and restores killed at random moments',
    run: (stage) => keeping(stage, 'moment'),
  },
];

/** Time when a command is killed: at its n-th write, sync or rename, or at a random time. */
type Kill = 'step' | 'moment';

/** One command that is killed again and again, each time on a fresh copy of a folder. */
interface Killed {
  from: string;
  args(place: Place): string[];
  by: Kill;
  kills: number;
  /** Returns a fault after the kill, as a sentence; null if there is none. */
  amiss(place: Place): Promise<string | null>;
  repeat: string;
}

/** The copy, and the path of a file beside it that a command may write. */
interface Place {
  folder: string;
  out: string;
}

async function importing(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const { before, after } = await wholeAndBefore(stage, base);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => ['graph', 'import', base.more, '--data-dir', folder],
    by: 'step',
    kills: stage.times(2, 220),
    repeat: 'npm run trials -- --only kill-importing',
    amiss: async ({ folder }) =>
      (await isAnswering(folder, base, [before, after.answers])) ??
      (await wholeOrNothing(folder, [base.folder, after.folder])) ??
      carriedOn(folder, base, after.answers),
  });
  const undone = copyOf(after.folder, join(stage.folder, 'undone'));
  await runInside(['graph', 'import', '--undo', '--yes', '--data-dir', undone]);
  const asked = base.questions.map((question) => question.asked);
  const backAnswers = await answersInside(undone, asked);
  await killEach(stage, {
    from: after.folder,
    args: ({ folder }) => ['graph', 'import', '--undo', '--yes', '--data-dir', folder],
    by: 'step',
    kills: stage.times(1, 60),
    repeat: 'npm run trials -- --only kill-importing (undo)',
    amiss: async ({ folder }) =>
      (await isAnswering(folder, base, [backAnswers, after.answers])) ??
      wholeOrNothing(folder, [base.folder, after.folder]),
  });
}

/** Checks that a killed import is undone or complete, and that the next import adds only its own records. */
async function wholeOrNothing(folder: string, wholes: string[]): Promise<string | null> {
  const copy = copyOf(folder, `${folder}-next`);
  const next = `${copy}.jsonl`;
  writeFileSync(next, '{"record_id":"next","source":"next","name":"Hugo Grimaldi"}\n');
  await runInside(['graph', 'import', next, '--data-dir', copy]);
  const counts: unknown[] = [];
  for (const whole of wholes) counts.push(await recordsIn(whole));
  const { records, unlinked } = await runInside(['graph', 'stats', '--data-dir', copy]);
  rmSync(copy, { recursive: true, force: true });
  rmSync(next, { force: true });
  return counts.includes(Number(records) - 1) && unlinked === 0
    ? null
    : `${String(records)} records behind the next import, ${String(unlinked)} of them unlinked`;
}

const recordCounts = new Map<string, unknown>();

/** Returns the number of records of a folder that does not change. It is read once. */
async function recordsIn(folder: string): Promise<unknown> {
  if (!recordCounts.has(folder))
    recordCounts.set(folder, (await runInside(['graph', 'stats', '--data-dir', folder])).records);
  return recordCounts.get(folder);
}

/** Runs a killed import again: all records must be there, and linked as by a new linking. */
async function carriedOn(folder: string, base: Base, after: string[]): Promise<string | null> {
  await runInside(['graph', 'import', base.more, '--data-dir', folder]);
  const { wrong } = await runInside(['graph', 'verify', '--data-dir', folder]);
  return wrong !== 0 ? `${String(wrong)} records are linked otherwise` : isAnswering(folder, base, [after]);
}

interface Moments {
  /** Answers of the base. */
  before: string[];
  /** Folder with the second import, and its answers. */
  after: { folder: string; answers: string[] };
}

const moments = new Map<string, Promise<Moments>>();

/** Returns the two states of the graph, which all trials of a run share. */
function wholeAndBefore({ root }: Stage, base: Base): Promise<Moments> {
  const known = moments.get(root) ?? makeMoments(root, base);
  moments.set(root, known);
  return known;
}

async function makeMoments(root: string, base: Base): Promise<Moments> {
  const folder = join(root, 'moments');
  const whole = copyOf(base.folder, join(folder, 'whole'));
  await runInside(['graph', 'import', base.more, '--data-dir', whole]);
  const asked = base.questions.map(({ asked }) => asked);
  const answers = await answersInside(copyOf(whole, join(folder, 'asked')), asked);
  return { before: base.questions.map(({ answer }) => answer), after: { folder: whole, answers } };
}

async function keeping(stage: Stage, by: Kill = 'step'): Promise<void> {
  const base = await baseIn(stage.root);
  const { before, after } = await wholeAndBefore(stage, base);
  const repeat = `npm run trials -- --only ${by === 'step' ? 'kill-keeping' : 'kill-moments'}`;
  const kills = stage.times(1, by === 'step' ? 80 : 30);
  await backups(stage, base, { by, kills, repeat });
  const kept = join(stage.folder, 'kept.tar');
  await runInside([
    'backup',
    kept,
    '--with-secret',
    '--data-dir',
    copyOf(base.folder, join(stage.folder, 'backed')),
  ]);
  await killEach(stage, {
    from: after.folder,
    args: ({ folder }) => ['restore', kept, '--force', '--data-dir', folder],
    by,
    kills,
    repeat: `${repeat} (restore)`,
    amiss: ({ folder }) => isAnswering(folder, base, [before, after.answers]),
  });
}

async function backups(
  stage: Stage,
  base: Base,
  { by, kills, repeat }: Pick<Killed, 'by' | 'kills' | 'repeat'>,
): Promise<void> {
  // In a short run, kills at random times are left to restores, which take longer.
  if (by === 'moment' && stage.size === 'short') return;
  const before = base.questions.map(({ answer }) => answer);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder, out }) => ['backup', out, '--with-secret', '--data-dir', folder],
    by,
    kills,
    repeat: `${repeat} (backup)`,
    amiss: async ({ folder, out }) => (await isAnswering(folder, base, [before])) ?? halfMade(out, base),
  });
}

/** Checks that a backup has its name only when it is complete. */
async function halfMade(out: string, base: Base): Promise<string | null> {
  if (!existsSync(out)) return null;
  const folder = `${out}.restored`;
  const failure = await failureOf(['restore', out, '--data-dir', folder]);
  if (failure) return `a killed backup left a file that cannot be restored: ${failure}`;
  return isAnswering(folder, base, [base.questions.map(({ answer }) => answer)]);
}

const LANES = 2;
const NO_SHIM = { missing: 'none is needed' };
/** Part of a command's time in which the program loads and nothing is written. */
const LOADING = 0.3;

export async function killEach(stage: Stage, killed: Killed): Promise<void> {
  const { tally, random } = stage;
  const built = killed.by === 'step' ? buildShim(stage.root) : NO_SHIM;
  if ('missing' in built && built !== NO_SHIM)
    did(tally, `of the kills at the n-th step: ${built.missing}`, 0);
  const lanes = Array.from({ length: stage.of(1, LANES) }, (_, i) =>
    laneIn(join(stage.folder, `killed-${i}`), built),
  );
  const [first] = lanes;
  if (!first) return;
  const whole = await once(killed, first, { at: 0 });
  const steps = first.shim?.get('count') ?? 0;
  if (whole.ended.code !== 0) throw new Error(`the command fails by itself: ${whole.ended.stderr}`);
  await inLanes(Array(killed.kills).keys(), lanes.length, async (_, number) => {
    const lane = lanes[number] ?? first;
    const at = 1 + Math.floor(random() * Math.max(1, steps));
    const moment = whole.took * (LOADING + random() * (1 - LOADING));
    await once(killed, lane, { at, ...(lane.shim ? {} : { moment }) });
    did(tally, 'kills');
    const seen = await killed.amiss(lane);
    if (seen)
      fault(tally, {
        seen,
        repeat: `${killed.repeat}, killed ${lane.shim ? `at step ${at} of ${steps}` : `after ${moment.toFixed(0)} of ${whole.took.toFixed(0)} ms`}`,
      });
  });
  for (const { work } of lanes) rmSync(work, { recursive: true, force: true });
}

interface Lane extends Place {
  work: string;
  shim: Shim | null;
}

function laneIn(work: string, built: ReturnType<typeof buildShim>): Lane {
  const shim = 'file' in built ? openShim(built.file, { file: `${work}.shim`, under: work }) : null;
  return { work, shim, folder: join(work, 'data'), out: join(work, 'out') };
}

interface How {
  at: number;
  /** Milliseconds until the kill if there is no shim. */
  moment?: number;
}

async function once(killed: Killed, lane: Lane, { at, moment }: How) {
  const { work, shim, folder } = lane;
  rmSync(work, { recursive: true, force: true });
  copyOf(killed.from, folder);
  shim?.set({ kinds: KIND.write | KIND.sync | KIND.name, at, action: -1, count: 0 });
  const begun = performance.now();
  const child = launch(killed.args(lane), { env: shim?.env() ?? {} });
  if (moment !== undefined) setTimeout(() => child.process.kill('SIGKILL'), moment);
  const ended = await child.ended;
  shim?.set({ kinds: 0 });
  return { ended, took: performance.now() - begun };
}
