import type { Log } from '../observe/log.ts';

interface Closable {
  close(): void | Promise<void>;
}

export interface RegisterForClosing {
  <T extends Closable>(part: T): T;
  <T>(part: T, close: (part: T) => void | Promise<void>): T;
}

/**
 * Creates a list of the resources to close at shutdown. `closeLater` registers a resource, with a closing function if its method `close` is not
 * to be called; `close` closes all resources in reverse order.
 */
export function createShutdownList(log: Log): { closeLater: RegisterForClosing; close: () => Promise<void> } {
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closer of closers.toReversed()) await closer();
    log.flush();
  };
  let closed: Promise<void> | undefined;
  return {
    closeLater: <T>(part: T, close = (closable: T) => (closable as Closable).close()) => {
      closers.push(() => close(part));
      return part;
    },
    close: () => (closed ??= closeAll()),
  };
}
