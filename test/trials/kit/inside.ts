// Asks a folder's graph in this process, as the command line does: what a check answers without a server.
import { loadConfig } from '../../../src/config.ts';
import { openApp } from '../../../src/app.ts';
import type { App } from '../../../src/app.ts';
import { openLog } from '../../../src/observe/log.ts';
import type { Asked } from './ask.ts';
import { comparable } from './people.ts';
import type { Base } from './people.ts';

/** How many of the questions are put to a folder. */
const SOME = 12;

/**
 * What is wrong with the answers of a folder, as a sentence: they must be those of one moment, all of one of the `moments`. Null where
 * nothing is.
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

/** An app on a folder, without a port; a sentence where it cannot be opened. */
export async function opened(folder: string): Promise<App | string> {
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
  try {
    return await openApp(config, openLog('silent'));
  } catch (error) {
    return `cannot be opened: ${error instanceof Error ? error.message.replaceAll(folder, 'FOLDER') : 'of no error'}`;
  }
}

/** Puts a request to an app, without a port. */
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
