// Kills backups, restores and upgrades at random moments, through the real command line, and looks at what is left of the data.
//
//   node test/trials/keeping.ts [--kills 20] [--seed 1]
//
// Of each operation so many are killed (SIGKILL), most of them soon after it has begun to write. A backup that has its name must
// restore to what was backed up; a restored folder must hold all of the one or all of the other; an upgraded file must be of the
// earlier version or of this one, whole. Prints what was killed and found; exits with 1 where anything was wrong.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

const ROOT = join(import.meta.dirname, '../..');
const LAUNCHER = join(ROOT, 'src/bonafide.mjs');
const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const KILLS = Number(values.kills ?? 20);
const random = generator(Number(values.seed ?? 1));
const place = mkdtempSync(join(tmpdir(), 'bonafide-trial-'));

interface Tally {
  killed: number;
  /** Ended before the kill came. */
  ended: number;
  /** The operation had no effect, or its whole effect. */
  before: number;
  after: number;
  wrong: string[];
}

/** mulberry32: small, and good enough to choose moments. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs a command line; `killed` is asked again and again until it answers true, or the process ends. */
async function run(
  args: string[],
  killed: () => boolean = () => false,
): Promise<{ out: string; code: number | null }> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (out += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const state = { over: false };
  void ended.then(() => (state.over = true));
  while (!state.over) {
    if (killed()) child.kill('SIGKILL');
    await Promise.race([ended, pause(1)]);
  }
  return { out, code: await ended };
}

async function ran(args: string[]): Promise<string> {
  const { out, code } = await run(args);
  if (code !== 0) throw new Error(`bonafide ${args.join(' ')} ended with ${code}: ${out}`);
  return out;
}

/** Kills a while after there is something new in a folder, or at any moment of the first seconds. */
function soonAfter(folder: string, sign: RegExp): () => boolean {
  const [began, patience] = [performance.now(), random() < 0.2 ? random() * 3000 : Infinity];
  const delay = random() ** 2 * 300;
  const known = new Set(readdirSync(folder));
  let seen = 0;
  return () => {
    const now = performance.now();
    if (now - began > patience) return true;
    if (seen === 0 && readdirSync(folder).some((name) => sign.test(name) && !known.has(name))) seen = now;
    return seen > 0 && now - seen > delay;
  };
}

/** Everything that a restore brings back, as one text. */
const stateOf = async (folder: string) =>
  `${await ran(['graph', 'export-ids', '--data-dir', folder])}\n${await ran(['keys', 'list', '--json', '--data-dir', folder])}`;

async function filled(name: string, people: number): Promise<string> {
  const folder = join(place, name);
  const records = `${folder}.jsonl`;
  await ran(['graph', 'generate', '--people', String(people), '--seed', String(people), '--out', records]);
  await ran(['graph', 'import', records, '--data-dir', folder]);
  await ran(['keys', 'create', '--name', name, '--data-dir', folder]);
  return folder;
}

async function trial(work: (tally: Tally) => Promise<void>): Promise<Tally> {
  const tally: Tally = { killed: 0, ended: 0, before: 0, after: 0, wrong: [] };
  for (let i = 0; i < KILLS; i++) await work(tally);
  return tally;
}

const count = (tally: Tally, code: number | null) => tally[code === null ? 'killed' : 'ended']++;

async function backups(folder: string): Promise<Tally> {
  const expected = await stateOf(folder);
  const to = join(place, 'copies');
  mkdirSync(to);
  const file = join(to, 'backup.tar');
  return trial(async (tally) => {
    rmSync(file, { force: true });
    const killed = soonAfter(to, /scratch/);
    count(tally, (await run(['backup', file, '--with-secret', '--data-dir', folder], killed)).code);
    if (!existsSync(file)) return void tally.before++;
    tally.after++;
    const other = join(place, 'restored');
    await ran(['restore', file, '--data-dir', other]);
    if ((await stateOf(other)) !== expected)
      tally.wrong.push('a backup that has its name restores to something else');
    rmSync(other, { recursive: true });
  });
}

async function restores(a: string, b: string): Promise<Tally> {
  const [before, after] = [await stateOf(a), await stateOf(b)];
  const file = join(place, 'b.tar');
  await ran(['backup', file, '--with-secret', '--data-dir', b]);
  return trial(async (tally) => {
    const folder = join(place, 'target');
    cpSync(a, folder, { recursive: true });
    const killed = soonAfter(folder, random() < 0.5 ? /restored/ : /scratch/);
    count(tally, (await run(['restore', file, '--force', '--data-dir', folder], killed)).code);
    const state = await stateOf(folder);
    if (state === before) tally.before++;
    else if (state === after) tally.after++;
    else tally.wrong.push('a folder holds neither what it held nor what was restored');
    rmSync(folder, { recursive: true });
  });
}

async function upgrades(): Promise<Tally> {
  const versions = (folder: string) =>
    ['graph.db', 'store.db'].map((name) => {
      const db = new Database(join(folder, name));
      const whole = db.pragma('integrity_check', { simple: true });
      const version = db.pragma('user_version', { simple: true });
      db.close();
      return whole === 'ok' ? version : 'damaged';
    });
  return trial(async (tally) => {
    const folder = join(place, 'old');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'secret'), 'a1'.repeat(32), { mode: 0o600 });
    for (const [from, to] of [
      ['graph/version-2', 'graph'],
      ['store/version-1', 'store'],
    ])
      writeFileSync(
        join(folder, `${to}.db`),
        gunzipSync(readFileSync(join(ROOT, `test/fixtures/${from}.db.gz`))),
      );
    const sign = random() < 0.5 ? /partial|version/ : /journal|version/;
    const args = random() < 0.5 ? ['graph', 'stats'] : ['keys', 'list'];
    count(tally, (await run([...args, '--data-dir', folder], soonAfter(folder, sign))).code);
    const found = versions(folder);
    if (found.includes('damaged')) tally.wrong.push('a file is damaged after a killed upgrade');
    else tally[found[0] === 2 && found[1] === 1 ? 'before' : 'after']++;
    await ran(['graph', 'stats', '--data-dir', folder]);
    const keys = await ran(['keys', 'list', '--data-dir', folder]);
    if (!keys.includes('first')) tally.wrong.push('a key is gone after a killed upgrade');
    rmSync(folder, { recursive: true });
  });
}

try {
  const [a, b] = [await filled('a', 300), await filled('b', 500)];
  const tallies = { backup: await backups(b), restore: await restores(a, b), upgrade: await upgrades() };
  for (const [name, { killed, ended, before, after, wrong }] of Object.entries(tallies)) {
    const text = `${name}: ${killed} killed, ${ended} ended first; ${before} without effect, ${after} with all of it, ${wrong.length} wrong`;
    process.stdout.write(`${text}\n${wrong.map((line) => `  ${line}\n`).join('')}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
