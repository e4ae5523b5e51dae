// Command `bonafide console`: links to the operator's web console, and the address of the running server.
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, getDefaultDataFolders } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isDataFolder } from '../../platform/data-folder.ts';
import { readTextFile } from '../../platform/files.ts';
import { createFileOwnerMark, getOwnerProcessState } from '../../platform/temporary-files.ts';
import { openConsoleSessionStorage, type StoreSettings } from '../../store/open.ts';
import { defineOption, createUsageError } from '../helpers/arguments.ts';
import {
  defineCommand,
  defineCommandGroup,
  loadSettings,
  printNote,
  printResult,
} from '../helpers/command.ts';

const link = defineCommand('Print a link that opens the console signed in; it works once', {
  args: {
    url: defineOption(
      'Address of the server for browsers (default: the address that the server listens on)',
      'https://trust.example.com',
    ),
  },
  examples: [
    'console link',
    'console link --data-dir /var/lib/bonafide',
    'console link --url https://trust.example.com',
  ],
  run: async (args) => {
    const config = await loadSettings(args);
    const { own, demo } = getDefaultDataFolders();
    const isDefault = args['data-dir'] === undefined && config.dataDir === resolve(own);
    const dataDir = chooseDataFolder(isDefault ? [config.dataDir, resolve(demo)] : [config.dataDir]);
    const server = findRunningServerUrl(dataDir);
    const baseUrl = parseBaseUrl(
      args.url ?? (server === null ? buildConfiguredUrl(config) : toBrowserUrl(server.url)),
    );
    const url = createConsoleSignInLink({ ...config, dataDir }, baseUrl);
    const note = `The link works once, within 30 minutes, for the server of ${dataDir}.`;
    printResult(args, { url }, url);
    printNote(`${note}${describeServer(server)}`);
  },
});

export const consoleCommands = defineCommandGroup('Print a link to the console, the operator’s web pages', {
  subCommands: { link },
  examples: ['console link'],
});

function describeServer(server: ServerUrl | null): string {
  if (server === null) return ' The server does not seem to run. Start it first: bonafide serve';
  if (!server.isElsewhere) return '';
  return ` A server of another machine or container uses the folder (${server.url}). If the link does not open, give its address with --url.`;
}

export function chooseDataFolder(folders: string[]): string {
  const hasOwnServer = (path: string) => findRunningServerUrl(path)?.isElsewhere === false;
  const folder = folders.find(hasOwnServer) ?? folders.find(isDataFolder);
  if (folder !== undefined) return folder;
  throw new BonafideError(
    'file_not_found',
    folders.length === 1
      ? `${folders[0]} contains no data of Bonafide. Check --data-dir.`
      : `Neither ${folders.join(' nor ')} contains data of Bonafide. Name the data folder with --data-dir.`,
  );
}

/** Creates a sign-in link for the server at `baseUrl`. The token follows a `#`, because browsers do not send that part of an address. */
export function createConsoleSignInLink(settings: StoreSettings, baseUrl: string): string {
  const sessions = openConsoleSessionStorage(settings);
  try {
    return `${baseUrl}/console#link=${sessions.createLink(Date.now())}`;
  } finally {
    sessions.close();
  }
}

export function hasConsoleSession(settings: StoreSettings): boolean {
  const sessions = openConsoleSessionStorage(settings);
  try {
    return sessions.countSessions(Date.now()) > 0;
  } finally {
    sessions.close();
  }
}

/** Parses a web address, and removes slashes at its end. Errors: invalid_arguments. */
function parseBaseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return new URL(text).href.replace(/\/+$/, '');
  throw createUsageError('--url must be an address such as https://trust.example.com.');
}

/** Returns the address of the configured server for a browser on the same machine. Errors: invalid_arguments. */
function buildConfiguredUrl({ host, port, tls, listen }: Config): string {
  if (listen !== undefined)
    throw createUsageError(
      'The server listens on a socket file. Give its address for browsers with --url, such as --url https://trust.example.com.',
    );
  const name = host.includes(':') ? `[${host}]` : host;
  return toBrowserUrl(`${tls ? 'https' : 'http'}://${name}:${port}`);
}

/** Content of the file `serving.json`, which a server writes into its data folder when it has started. */
interface ServerAddress {
  pid: number;
  url: string;
  /** Mark of the server's machine and process; see `createFileOwnerMark`. */
  owner: string;
}

/** Server that uses a data folder. `isElsewhere`: it belongs to another machine or container, so it may have been killed. */
interface FoundServer extends Pick<ServerAddress, 'pid' | 'url'> {
  isElsewhere: boolean;
}

type ServerUrl = Pick<FoundServer, 'url' | 'isElsewhere'>;

export const getServerAddressFile = (dataDir: string) => join(dataDir, 'serving.json');

/** Writes the server's address into its data folder. Returns a function that removes the file, unless another server has replaced it. */
export function writeServerAddress(dataDir: string, url: string): () => void {
  const file = getServerAddressFile(dataDir);
  const owner = createFileOwnerMark();
  try {
    const address: ServerAddress = { pid: process.pid, url, owner };
    writeFileSync(file, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  } catch {
    // The folder is read-only. `console link` then uses the address of the settings, or --url.
  }
  return () => {
    if (readAddressFile(dataDir)?.owner === owner) rmSync(file, { force: true });
  };
}

/** Returns the server that uses a data folder; null if none runs. */
export function findRunningServer(dataDir: string): FoundServer | null {
  const address = readAddressFile(dataDir);
  if (address === null) return null;
  const { pid, url, owner } = address;
  // A server writes the file once, so the age of the file says nothing about a server of another machine.
  const state = getOwnerProcessState(owner, getServerAddressFile(dataDir), Infinity);
  return state === 'gone' ? null : { pid, url, isElsewhere: state === 'unknown' };
}

/** Returns the web address of the server that uses a data folder; null if none runs, or if it listens on a socket file. */
export function findRunningServerUrl(dataDir: string): ServerUrl | null {
  const server = findRunningServer(dataDir);
  return server === null || server.url.startsWith('unix:') ? null : server;
}

/** Reads the address file; null if it is missing or invalid. Files of older versions of Bonafide have no owner. */
function readAddressFile(dataDir: string): ServerAddress | null {
  try {
    const content = JSON.parse(readTextFile(getServerAddressFile(dataDir))) as ServerAddress;
    const { pid, url, owner = createFileOwnerMark(pid) } = content;
    return Number.isInteger(pid) && pid > 0 && URL.canParse(url) ? { pid, url, owner } : null;
  } catch {
    return null;
  }
}

/** Replaces a wildcard address (0.0.0.0 or ::) by `localhost`, which a browser on the same machine can open. */
export const toBrowserUrl = (url: string): string =>
  url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//localhost');
