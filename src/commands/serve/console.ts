// bonafide console link
import { resolve, join } from 'node:path';
import { getDefaultFolders, type Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { openConsoleSessions, type StoreSettings } from '../../store/open.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print } from '../shared/command.ts';
import { isDataFolder } from '../../platform/held.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const link = defineCommand({
  meta: {
    name: 'link',
    description: 'A link that opens the console signed in; good once, and for 30 minutes',
  },
  args: {
    ...COMMON_OPTIONS,
    url: {
      type: 'string',
      description: 'Where browsers reach the server (default: where the server listens)',
      valueHint: 'https://trust.example.com',
    },
  },
  examples: [
    'console link',
    'console link --data-dir /var/lib/bonafide',
    'console link --url https://trust.example.com',
  ],
  async run({ args }) {
    const config = await loadSettings(args);
    const isUsual = args['data-dir'] === undefined && config.dataDir === resolve(getDefaultFolders().own);
    const dataDir = findServedFolder(
      isUsual ? [config.dataDir, resolve(getDefaultFolders().demo)] : [config.dataDir],
    );
    const running = readServerAddress(dataDir);
    const base = baseOf(args.url ?? (running === null ? placeOf(config) : toBrowserUrl(running)));
    const url = createConsoleLink({ ...config, dataDir }, base);
    const where = `It signs in once, within 30 minutes, to the server of ${dataDir}`;
    print(args, { url }, `${url}\n\n${where}${running === null ? ', which must be running' : ''}.`);
  },
});

export default defineCommand({
  meta: { name: 'console', description: 'A link to the operator’s pages' },
  subCommands: { link },
  examples: ['console link'],
});

/** The folder whose server is meant: the first of which one runs, else the first that holds anything. Errors: file_not_found. */
export function findServedFolder(places: string[]): string {
  const found = places.find((place) => readServerAddress(place) !== null) ?? places.find(isDataFolder);
  if (found !== undefined) return found;
  throw new BonafideError(
    'file_not_found',
    places.length === 1
      ? `${places[0]} holds nothing of Bonafide. Check --data-dir.`
      : `Neither ${places.join(' nor ')} holds anything of Bonafide. Name the folder with --data-dir.`,
  );
}

/** A link to a server that browsers reach at `base`. The token is behind a `#`, which browsers send to no server. */
export function createConsoleLink(settings: StoreSettings, base: string): string {
  const sessions = openConsoleSessions(settings);
  try {
    return `${base}/console#link=${sessions.createLink(Date.now())}`;
  } finally {
    sessions.close();
  }
}

/** Whether somebody is signed in to the console of a data folder. */
export function hasConsoleSession(settings: StoreSettings): boolean {
  const sessions = openConsoleSessions(settings);
  try {
    return sessions.countSessions(Date.now()) > 0;
  } finally {
    sessions.close();
  }
}

function baseOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return new URL(text).href.replace(/\/+$/, '');
  throw new BonafideError('invalid_arguments', '--url must be an address such as https://trust.example.com.');
}

function placeOf({ host, port, tls, listen }: Config): string {
  if (listen !== undefined)
    throw new BonafideError(
      'invalid_arguments',
      'The server listens at a socket: say where browsers reach it, with --url.',
    );
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

// Where the server of a data folder is reached: noted while it runs, for a command that points there.
interface Serving {
  pid: number;
  url: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'serving.json');

/** Notes where a server listens. Answers what takes the note back, where no other server has written its own since. */
export function writeServerAddress(dataDir: string, url: string): () => void {
  const file = fileIn(dataDir);
  try {
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, url } satisfies Serving)}\n`, { mode: 0o600 });
  } catch {
    // Whoever serves from a folder that cannot be written to is asked for --url.
  }
  return () => {
    if (noted(dataDir)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Where the server of a data folder is reached; null where none runs. */
export function readServerAddress(dataDir: string): string | null {
  const found = noted(dataDir);
  return found && isRunning(found.pid) ? found.url : null;
}

function noted(dataDir: string): Serving | null {
  try {
    const { pid, url } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Serving;
    return Number.isInteger(pid) && pid > 0 && URL.canParse(url) ? { pid, url } : null;
  } catch {
    return null;
  }
}

/** A signal 0 asks only whether the process is there; somebody else's may not be asked, and is. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** An address that stands for all of a machine's own, as a browser on it can ask for it. */
export const toBrowserUrl = (url: string): string =>
  url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//localhost');
