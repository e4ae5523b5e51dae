// Tries the plugins of a file on the contract in a thread, so that one that never gives its thread back is told like any other.
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import type { Plugin } from '../../features/loading/file.ts';
import { codeFile } from '../../platform/assets.ts';

export type Tried = Pick<Plugin, 'kind' | 'name' | 'version'>;
export type Checked = Tried & { problems: string[] };

export interface Trial {
  /** The plugin's file or folder. */
  path: string;
  options: Record<string, unknown>;
  /** False where a model's or graph's server is not at hand. */
  answers: boolean;
  env: Readonly<Record<string, string | undefined>>;
}

/** From the thread: that it is free; which plugins there are; what each breaks, in their order; why none loads. */
export type FromTrial = 'alive' | { plugins: Tried[] } | { problems: string[] } | { failed: string };

/** So long one call may hold its thread. */
const HELD_MS = 10_000;

/**
 * @param heldMs after how long without a word from it a thread is ended
 * Errors: `invalid_config` where the file does not load, or its code does not end.
 */
export async function tryPlugins(trial: Trial, heldMs = HELD_MS): Promise<Checked[]> {
  const done: string[][] = [];
  let plugins: Tried[] | null = null;
  let failed: string | null = null;
  const why = await ended(trial, heldMs, (told) => {
    if (told === 'alive') return;
    if ('plugins' in told) ({ plugins } = told);
    else if ('failed' in told) ({ failed } = told);
    else done.push(told.problems);
  });
  if (plugins === null)
    throw new BonafideError('invalid_config', failed ?? `plugin ${trial.path} does not load: ${why}.`);
  const untried = `was not tried: ${why}`;
  const problemsAt = (at: number) => done[at] ?? [at === done.length ? why : untried];
  return (plugins as Tried[]).map((plugin, at) => ({ ...plugin, problems: problemsAt(at) }));
}

/** Starts the thread and resolves when it is gone, to what that says of the plugin that was being tried. */
function ended(trial: Trial, heldMs: number, onTold: (told: FromTrial) => void): Promise<string> {
  const thread = new Worker(codeFile('commands/plugins/thread'), { workerData: trial });
  let why = 'it ended its thread';
  const late = () => {
    why = `a call held its thread for ${heldMs / 1000} s and was ended: does it loop for ever?`;
    void thread.terminate();
  };
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    thread.on('message', (told: FromTrial) => {
      clearTimeout(timer);
      timer = setTimeout(late, heldMs);
      onTold(told);
    });
    thread.on('error', () => (why = 'it threw an error that nobody caught'));
    thread.on('exit', () => {
      clearTimeout(timer);
      resolve(why);
    });
  });
}
