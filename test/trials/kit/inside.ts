// Commands and checks of a folder in this process, because a new process loads for longer than most commands run.
import { runCommandLine } from '../../../src/commands/command-line.ts';
import { loadConfig } from '../../../src/config.ts';
import { openApp } from '../../../src/app.ts';
import type { App } from '../../../src/app.ts';
import { openLog } from '../../../src/observe/log.ts';
import type { Asked } from './ask.ts';
import { comparable } from './ask.ts';
import type { Base } from './people.ts';

/** Number of questions that are sent to a folder. */
const SOME = 12;

/**
 * Returns a fault in the answers of a folder as a sentence, or null. The answers must all be those of one of the `moments`, which are lists of
 * answers to the questions.
 */
export async function isAnswering(folder: string, base: Base, moments: string[][]): Promise<string | null> {
  const app = await opened(folder);
  if (typeof app === 'string') return app;
  try {
    const told = await Promise.all(base.questions.slice(0, SOME).map(({ asked }) => tell(app, asked)));
    const failed = told.find(({ status }) => status !== 200);
    if (failed) return `answers ${failed.status}`;
    const fits = moments.some((answers) => told.every(({ text }, i) => text === answers[i]));
    return fits ? null : 'answers as neither before nor after';
  } finally {
    await app.close();
  }
}

/** Opens an app on a folder, without a port. Returns a sentence if the folder cannot be opened. */
export async function opened(folder: string): Promise<App | string> {
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
  try {
    return await openApp(config, openLog('silent'));
  } catch (error) {
    return `cannot be opened: ${error instanceof Error ? error.message.replaceAll(folder, 'FOLDER') : 'of no error'}`;
  }
}

/** Sends a request to an app, without a port. */
export async function tell(app: App, { method = 'POST', path, headers, body }: Asked) {
  const response = await app.http.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: headers as Record<string, string>,
      body: body === undefined ? null : String(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, text: comparable(text), id: response.headers.get('x-request-id') ?? '' };
}

/** Returns the answers of a folder to all questions, comparable. Throws if one of them is not answered. */
export async function answersInside(folder: string, asked: Asked[]): Promise<string[]> {
  const app = await opened(folder);
  if (typeof app === 'string') throw new Error(app);
  const answers = await Promise.all(asked.map((question) => tell(app, question)));
  await app.close();
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`an undamaged folder answered ${failed.status}: ${failed.text}`);
  return answers.map(({ text }) => text);
}

let lastCommand: Promise<unknown> = Promise.resolve();

/** Runs a command line in this process and returns its JSON. Throws if it fails. Commands run one after the other. */
export function runInside(args: string[]): Promise<Record<string, unknown>> {
  const command = lastCommand.then(() => runAlone([...args, '--json']));
  lastCommand = command.catch(() => undefined);
  return command;
}

/** Runs a command line in this process and returns how it failed, as a sentence; null if it succeeds. */
export const failureOf = (args: string[]): Promise<string | null> =>
  runInside(args).then(
    () => null,
    (error: unknown) => String(error),
  );

async function runAlone(args: string[]): Promise<Record<string, unknown>> {
  const texts = { stdout: '', stderr: '' };
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: unknown) => ((texts[name] += String(text)), true);
  try {
    const code = await runCommandLine(args);
    if (code !== 0)
      throw new Error(`bonafide ${args.join(' ')} ended with ${code}: ${texts.stdout}${texts.stderr}`);
    return JSON.parse(texts.stdout) as Record<string, unknown>;
  } finally {
    process.stdout.write = writes.stdout;
    process.stderr.write = writes.stderr;
  }
}
