// Where a server listens: an address and a port, a socket file, or what systemd has opened for it.
import { chmodSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { BonafideError } from '../../errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface ListenAddress {
  host: string;
  port: number;
  /** `unix:PATH`; host and port are left alone then. */
  listen?: string | undefined;
  /** Octal digits, of the socket file. */
  socketMode?: string;
  /** Whether other threads of this server listen at the same port: the system spreads connections over them. */
  reusePort?: boolean;
}

/** The first descriptor that systemd hands over; see sd_listen_fds(3). */
const FIRST_ACTIVATED = 3;

/**
 * Listens, and tells where.
 *
 * Errors: port_in_use, address_unavailable, invalid_config where the system cannot share a port.
 */
export async function startListening(
  server: Server,
  place: ListenAddress,
  variables: Variables,
): Promise<string> {
  if (isSystemdActivated(variables)) {
    await start(server, ['The socket of systemd', 'the socket of systemd'], (done) =>
      server.listen({ fd: FIRST_ACTIVATED }, done),
    );
    return whereOf(server);
  }
  const { host, port, listen, socketMode = '600', reusePort = false } = place;
  if (listen !== undefined) return atFile(server, listen.replace(/^unix:/, ''), socketMode);
  await start(server, [`Port ${port} on ${host}`, `${host} port ${port}`], (done) =>
    server.listen({ port, host, reusePort }, done),
  );
  const taken = server.address() as AddressInfo;
  return `${taken.family === 'IPv6' ? `[${host}]` : host}:${taken.port}`;
}

/** Whether systemd has opened a socket for this process. */
export const isSystemdActivated = ({ LISTEN_PID, LISTEN_FDS }: Variables): boolean =>
  LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) > 0;

async function atFile(server: Server, path: string, socketMode: string): Promise<string> {
  const mode = Number.parseInt(socketMode, 8);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) {
    // What is no socket is somebody's file or folder: a mistyped path must not cost it.
    if (!found.isSocket())
      throw new BonafideError(
        'address_unavailable',
        `${path} is there and no socket. Choose another --listen.`,
      );
    if (await answers(path))
      throw new BonafideError('port_in_use', `${path} is in use. Stop what uses it, or choose another.`);
    unlinkSync(path);
  }
  // The file comes with its mode: whoever may not connect could do so for a moment otherwise.
  const before = process.umask(0o777 & ~mode);
  const started = start(server, [path, path], (done) => server.listen(path, done));
  process.umask(before);
  await started;
  chmodSync(path, mode);
  return `unix:${path}`;
}

/** Whether somebody listens there; a socket file stays behind when its server is killed. */
const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Listens; `what` names the place at the start of a sentence and within one. */
function start(
  server: Server,
  what: [first: string, within: string],
  listen: (done: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, what)));
    listen(resolve);
  });
}

function whereOf(server: Server): string {
  const address = server.address() as AddressInfo | string;
  return typeof address === 'string' ? `unix:${address}` : `${address.address}:${address.port}`;
}

function cannotListen({ code }: NodeJS.ErrnoException, [first, within]: [string, string]): BonafideError {
  if (code === 'EADDRINUSE')
    return new BonafideError('port_in_use', `${first} is in use. Stop what uses it, or choose --port.`);
  if (code === 'ENOTSUP')
    return new BonafideError(
      'invalid_config',
      'Threads cannot share a port on this system: set workers to 1.',
    );
  return new BonafideError(
    'address_unavailable',
    `Cannot listen on ${within} (${code ?? 'unknown reason'}). Choose another --host or --port.`,
  );
}
