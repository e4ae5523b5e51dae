// Runs one operation repeatedly in one process with the shim: its n-th write, sync … fails, n = 1, 2, 3 … until it passes.
import { rmSync } from 'node:fs';
import { runCommandLine } from '../../../src/commands/command-line.ts';
import type { App } from '../../../src/app.ts';
import { opened, tell } from '../kit/inside.ts';
import type { Asked } from '../kit/ask.ts';
import { copyOf } from '../kit/people.ts';
import { controls, ERRNO, KIND } from '../kit/shim.ts';
import type { Kind } from '../kit/shim.ts';
import { callsHeld } from '../kit/store.ts';
import type { Order, Said } from './failing.ts';

const order = JSON.parse(process.argv[2] ?? '') as Order;
const shim = controls(order.shim);
const folder = order.work;
const question = order.question as Asked;
/** Maximum n, above the number of steps of any operation: an operation with more steps repeats itself without end. */
const MOST = 40_000;

const say = (said: Said) => void out.call(process.stdout, `${JSON.stringify(said)}\n`);
const out = process.stdout.write;

/** Runs the work with its n-th step failing. Returns true if no step failed because there were fewer. */
async function armed(n: number, work: () => Promise<unknown>): Promise<boolean> {
  shim.set({
    kinds: KIND[order.kind as Kind],
    at: n,
    action: ERRNO[order.error as keyof typeof ERRNO],
    count: 0,
    hits: 0,
  });
  try {
    await work();
  } finally {
    shim.set({ kinds: 0 });
  }
  return shim.get('hits') === 0;
}

interface Ran {
  code: number;
  text: string;
}

async function commandLine(args: string[]): Promise<Ran> {
  let text = '';
  const keep = (chunk: unknown) => ((text += String(chunk)), true);
  const [stdout, stderr] = [process.stdout.write, process.stderr.write];
  [process.stdout.write, process.stderr.write] = [keep, keep];
  try {
    return { code: await runCommandLine([...args, '--data-dir', folder]), text };
  } finally {
    [process.stdout.write, process.stderr.write] = [stdout, stderr];
  }
}

const COMMANDS: Record<string, string[]> = {
  keys: ['keys', 'create', '--name', 'other', '--json'],
  features: ['features', 'off', 'name_matching'],
  import: ['graph', 'import', order.more, '--json'],
};

/** Runs a command for one n. Returns its fault, or null, and whether no step failed. */
async function tryCommand(
  n: number,
  args: string[],
): Promise<{ seen: string | null; passed: boolean; code: number }> {
  fresh();
  let ran: Ran = { code: -1, text: '' };
  const passed = await armed(n, async () => (ran = await commandLine(args)));
  const { code, text } = ran;
  if (passed && code !== 0)
    return { seen: `fails though nothing failed: ${text.slice(0, 200)}`, passed, code };
  const said = text.trimEnd();
  if (code !== 0 && (/should not have/.test(said) || !/^error: /m.test(said)))
    return {
      seen: `an error without a reason: ${said.slice(-200).replaceAll(folder, 'FOLDER')}`,
      passed,
      code,
    };
  return { seen: await after(order.operation === 'import'), passed, code };
}

/** Checks that the folder still answers with 200, after an import from the old or the new graph. */
async function after(isImport: boolean): Promise<string | null> {
  const app = await opened(folder);
  if (typeof app === 'string') return app;
  const told = await tell(app, question);
  await app.close();
  if (told.status !== 200) return `afterwards answers ${told.status}`;
  return isImport || order.answers.includes(told.text) ? null : 'afterwards answers something else';
}

/** Sends a call to a running server: it is answered with 200 and counted, or with an error, and the next calls succeed. */
async function tryCall(n: number, app: App): Promise<{ seen: string | null; passed: boolean; code: number }> {
  let told = { status: 0, text: '', id: '' };
  const passed = await armed(n, async () => (told = await tell(app, question)));
  const code = told.status === 200 ? 0 : 1;
  if (told.status === 200 && !callsHeld(folder).ids.has(told.id))
    return { seen: 'answered and not counted', passed, code };
  if (![200, 502, 503].includes(told.status)) return { seen: `answers ${told.status}`, passed, code };
  const again = await recovered(app);
  return { seen: again ? null : 'does not recover', passed, code };
}

async function recovered(app: App): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    if ((await tell(app, question)).status === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function fresh(): void {
  rmSync(folder, { recursive: true, force: true });
  copyOf(order.from, folder);
}

async function main(): Promise<void> {
  const args = COMMANDS[order.operation];
  fresh();
  const app = args ? null : await opened(folder);
  if (typeof app === 'string') throw new Error(app);
  for (let n = 1; n < MOST; n += order.step) {
    const { seen, passed, code } = app ? await tryCall(n, app) : await tryCommand(n, args ?? []);
    if (passed) {
      say({ n, outcome: 'done', ...(seen ? { seen } : {}) });
      break;
    }
    say({ n, outcome: code === 0 ? 'passed' : 'refused', ...(seen ? { seen } : {}) });
  }
  await app?.close();
}

await main();
process.exit(0);
