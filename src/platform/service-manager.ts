// Notifies systemd of the state of the service: sd_notify(3). Node cannot open Unix datagram sockets,
// therefore `systemd-notify` sends the messages.
import { spawn } from 'node:child_process';

export interface ServiceManagerNotifier {
  ready(): void;
  stopping(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Connects to the service manager (systemd) that the environment variables name. Without systemd, the returned functions do nothing. */
export function createServiceManagerNotifier(env: Environment): ServiceManagerNotifier {
  if (!env.NOTIFY_SOCKET) return { ready: () => undefined, stopping: () => undefined };
  const tell = (state: string) => {
    const child = spawn('systemd-notify', [state], { stdio: 'ignore', env });
    // A missing program is ignored here: the timeout of a unit of Type=notify then ends the service.
    child.on('error', () => undefined).unref();
  };
  const watchdog = Number(env.WATCHDOG_USEC ?? 0) / 1000;
  return {
    ready() {
      tell('READY=1');
      // A blocked event loop sends no message; then systemd restarts the service.
      if (watchdog > 0) setInterval(() => tell('WATCHDOG=1'), watchdog / 3).unref();
    },
    stopping: () => tell('STOPPING=1'),
  };
}
