// The address that a server listens on: host and port, a socket file, or a socket that systemd opened.
import { chmodSync, statSync, unlinkSync } from 'node:fs';
import { connect, type AddressInfo, type Server } from 'node:net';
import { BonafideError } from '../../errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface ListenAddress {
  host: string;
  port: number;
  /** `unix:PATH`; replaces host and port. */
  listen?: string | undefined;
  /** Mode of the socket file in octal digits. */
  socketMode?: string;
  /** True if several threads listen on the same port: the system distributes connections. */
  reusePort?: boolean;
}

/** File descriptor of the first socket that systemd passes; see sd_listen_fds(3). */
const SYSTEMD_FD = 3;

/**
 * Starts listening, and returns the address: `127.0.0.1:8787`, or `unix:PATH`.
 *
 * Errors: port_in_use, address_unavailable, invalid_config if the system cannot share a port.
 */
export async function startListening(
  server: Server,
  { host, port, listen, socketMode = '600', reusePort = false }: ListenAddress,
  variables: Variables,
): Promise<string> {
  if (isSystemdActivated(variables)) {
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

/** True if systemd has opened a socket for this process. */
export const isSystemdActivated = ({ LISTEN_PID, LISTEN_FDS }: Variables): boolean =>
  LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) > 0;

async function listenOnFile(server: Server, path: string, socketMode: string): Promise<string> {
  const mode = Number.parseInt(socketMode, 8);
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing) {
    // A mistyped path must not delete a file.
    if (!existing.isSocket())
      throw new BonafideError(
        'address_unavailable',
        `${path} exists and is not a socket. Choose another --listen.`,
      );
    if (await isServed(path))
      throw new BonafideError(
        'port_in_use',
        `${path} is in use. Stop the process that uses it, or choose another.`,
      );
    unlinkSync(path);
  }
  // The file is created with its mode: otherwise others could connect before the mode is set.
  const umask = process.umask(0o777 & ~mode);
  const started = start(server, [path, path], (done) => server.listen(path, done));
  process.umask(umask);
  await started;
  chmodSync(path, mode);
  return `unix:${path}`;
}

/** Returns true if a server listens on a socket file: the file of a killed server stays behind. */
const isServed = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Name of an address at the start of a sentence, and inside a sentence. */
type Names = [first: string, inside: string];

function start(server: Server, names: Names, listen: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, names)));
    listen(resolve);
  });
}

function addressOf(server: Server): string {
  const address = server.address() as AddressInfo | string;
  return typeof address === 'string' ? `unix:${address}` : `${address.address}:${address.port}`;
}

function toListenError({ code }: NodeJS.ErrnoException, [first, inside]: Names): BonafideError {
  if (code === 'EADDRINUSE')
    return new BonafideError(
      'port_in_use',
      `${first} is in use. Stop the process that uses it, or choose --port.`,
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
