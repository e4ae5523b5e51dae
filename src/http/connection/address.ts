// Listens on the address of a server: host and port, a socket file, or a socket that systemd opened.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename } from 'node:path';
import { connect, type AddressInfo, type Server } from 'node:net';
import { BonafideError, resultOr } from '../../errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface ListenAddress {
  host: string;
  port: number;
  /** Path of a socket file as `unix:PATH`. If given, host and port are not used. */
  listen?: string | undefined;
  /** File mode of the socket file in octal digits. */
  socketMode?: string;
  /** True if several threads listen on the same port, and the operating system distributes the connections. */
  reusePort?: boolean;
}

/** File descriptor of the first socket that systemd passes to a service; see sd_listen_fds(3). */
const SYSTEMD_FD = 3;

/**
 * Starts listening, and returns the address: `127.0.0.1:8787` or `unix:PATH`. Errors: port_in_use, address_unavailable, invalid_config if the
 * system cannot share a port between threads.
 */
export async function startListening(
  server: Server,
  { host, port, listen, socketMode = '600', reusePort = false }: ListenAddress,
  variables: Variables,
): Promise<string> {
  if (isSystemdSocketActivated(variables)) {
    const names: Names = ['The socket of systemd', 'the socket of systemd'];
    await start(server, names, (done) => server.listen({ fd: SYSTEMD_FD }, done));
    return addressOf(server);
  }
  if (listen !== undefined) return listenOnFile(server, listen.replace(/^unix:/, ''), socketMode);
  const names: Names = [`Port ${port} on ${host}`, `${host} port ${port}`];
  await start(server, names, (done) => server.listen({ port, host, reusePort }, done));
  const address = server.address() as AddressInfo;
  return `${address.family === 'IPv6' ? `[${host}]` : host}:${address.port}`;
}

export const isSystemdSocketActivated = ({ LISTEN_PID, LISTEN_FDS }: Variables): boolean =>
  LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) > 0;

async function listenOnFile(server: Server, path: string, socketMode: string): Promise<string> {
  const mode = Number.parseInt(socketMode, 8);
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing) {
    // Only a socket file may be replaced: a mistyped path must not delete another file.
    if (!existing.isSocket())
      throw new BonafideError(
        'address_unavailable',
        `The path ${path} of --listen is not a socket file. Choose another path.`,
      );
    if (await isServed(path))
      throw new BonafideError(
        'port_in_use',
        `The socket file ${path} is in use. Stop the process that uses it, or choose another path for --listen.`,
      );
    unlinkSync(path);
  }
  // The umask sets the mode of the socket file when it is created. If the mode were set later, other users could connect before.
  const umask = process.umask(0o777 & ~mode);
  const started = start(server, [path, path], (done) => server.listen(path, done));
  process.umask(umask);
  await started;
  chmodSync(path, mode);
  return `unix:${path}`;
}

/** Resolves to true if a running server listens on the socket file. A killed server leaves its socket file behind. */
const isServed = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Two texts for an address in error messages: one for the start of a sentence, one for the middle. */
type Names = [first: string, inside: string];

function start(server: Server, names: Names, listen: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, names)));
    listen(resolve);
  });
}

type ListenError = NodeJS.ErrnoException & { port?: number };

function addressOf(server: Server): string {
  const address = server.address() as AddressInfo | string;
  return typeof address === 'string' ? `unix:${address}` : `${address.address}:${address.port}`;
}

function toListenError({ code, port }: ListenError, [first, inside]: Names): BonafideError {
  if (code === 'EADDRINUSE')
    return new BonafideError(
      'port_in_use',
      `${first} is in use${describePortOwner(port)}. Stop the process that uses it, or choose --port.`,
    );
  if (code === 'ENOTSUP')
    return new BonafideError(
      'invalid_config',
      'Threads cannot share a port on this system: set workers to 1.',
    );
  return new BonafideError(
    'address_unavailable',
    `Cannot listen on ${inside} (${code ?? 'unknown reason'}). Choose another --host or --port.`,
  );
}

/** Returns ` by process 1234 (node)` for the process that listens on a TCP port; an empty text if it is not known. */
function describePortOwner(port: number | undefined): string {
  if (process.platform !== 'linux' || port === undefined) return '';
  try {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => findListeners(file, port)));
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && hasSocket(name, sockets));
    return pid === undefined ? '' : ` by process ${pid} (${basename(readLinkOrEmpty(`/proc/${pid}/exe`))})`;
  } catch {
    return '';
  }
}

/** Returns the sockets that listen on a port, written as in /proc/PID/fd. State 0A means LISTEN. */
const findListeners = (file: string, port: number): string[] =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === '0A' && parseInt(local.split(':')[1] ?? '', 16) === port ? [`socket:[${inode}]`] : [];
  });

/** True if a process has one of the sockets. False also if the process belongs to another user. */
function hasSocket(pid: string, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  const names = resultOr(() => readdirSync(folder), []);
  return names.some((name) => sockets.has(readLinkOrEmpty(`${folder}/${name}`)));
}

const readLinkOrEmpty = (path: string): string => resultOr(() => readlinkSync(path), '');
