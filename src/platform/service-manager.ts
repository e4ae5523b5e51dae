// Tells systemd how a service fares: sd_notify(3). Node has no datagram sockets of the Unix kind, so systemd's own program sends it.
import { spawn } from 'node:child_process';

export interface ServiceManager {
  ready(): void;
  stopping(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Who started this process, by what it left in the environment; where it was not systemd, telling does nothing. */
export function connectServiceManager(env: Environment): ServiceManager {
  if (!env.NOTIFY_SOCKET) return { ready: () => undefined, stopping: () => undefined };
  const tell = (state: string) => {
    const child = spawn('systemd-notify', [state], { stdio: 'ignore', env });
    // Where the program is not there, a unit of Type=notify says so by its own timeout.
    child.on('error', () => undefined).unref();
  };
  const watchdog = Number(env.WATCHDOG_USEC ?? 0) / 1000;
  return {
    ready() {
      tell('READY=1');
      // An event loop that stands still sends nothing, and systemd starts the service again.
      if (watchdog > 0) setInterval(() => tell('WATCHDOG=1'), watchdog / 3).unref();
    },
    stopping: () => tell('STOPPING=1'),
  };
}
