// npm run bench:start: time until a server is ready, and its idle memory (Linux): the single executable, a clone, and a bare Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spread } from './speed/report.ts';

const ROOT = join(import.meta.dirname, '../..');
const BINARY = join(ROOT, 'dist/bonafide');
const ROUNDS = 7;
const IDLE_MS = 3000;
/** Minimum server: `node:http` with one answer. */
const BARE =
  "const s=require('node:http').createServer((q,r)=>r.end('{}'));s.listen(0,'127.0.0.1',()=>console.log(JSON.stringify({url:'http://127.0.0.1:'+s.address().port})))";

interface Start {
  readyMs: number;
  cpuMs: number;
  residentMb: number;
  ownMb: number;
}

const SERVE = ['serve', '--demo', '--port', '0', '--json', '--log', 'silent'];
const folder = mkdtempSync(join(tmpdir(), 'bonafide-start-'));
if (!existsSync(BINARY)) throw new Error('There is no dist/bonafide: npm run build first.');
for (const [name, command] of [
  ['dist/bonafide', [BINARY, ...SERVE]],
  ['a clone', [process.execPath, join(ROOT, 'src/bonafide.mjs'), ...SERVE]],
  ['bare node:http', [process.execPath, '-e', BARE]],
] as const) {
  const home = mkdtempSync(join(folder, 'home-'));
  // The first start unpacks files and imports the people of the demo.
  const first = await start(command, home);
  const starts: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) starts.push(await start(command, home));
  const of = (figure: keyof Start) => {
    const { median, min, max } = spread(starts.map((one) => one[figure]));
    return `${median.toFixed()} (${min.toFixed()} to ${max.toFixed()})`;
  };
  process.stdout.write(
    `${name.padEnd(15)} ready after ms ${of('readyMs')} (the first time ${Math.round(first.readyMs)}), CPU ms ${of('cpuMs')}; idle MB ${of('residentMb')}, its own ${of('ownMb')}\n`,
  );
}
rmSync(folder, { recursive: true, force: true });

async function start(command: readonly string[], home: string): Promise<Start> {
  const [file = '', ...args] = command;
  const began = performance.now();
  const env = { PATH: '', HOME: home, BONAFIDE_DATA_DIR: join(home, 'demo') };
  const child = spawn(file, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text))),
  );
  const { url } = JSON.parse(said) as { url: string };
  while (!(await fetch(`${url}/readyz`)).ok) await pause(2);
  const readyMs = performance.now() - began;
  const cpuMs = cpuOf(child.pid);
  await pause(IDLE_MS);
  const memory = memoryOf(child.pid);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return { readyMs, cpuMs, ...memory };
}

/** Returns user and system time of all threads in milliseconds; proc(5) counts ticks of 10 ms. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Returns resident memory, and the part without pages of files, which processes of the executable share. */
function memoryOf(pid: number | undefined): { residentMb: number; ownMb: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mb = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return { residentMb: mb('Rss'), ownMb: mb('Anonymous') };
}
