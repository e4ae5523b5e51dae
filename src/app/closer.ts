import type { Log } from '../observe/log.ts';

interface Closable {
  close(): void | Promise<void>;
}

/** Registers a resource that is closed by its method `close`, or by a function. Returns the resource. */
export interface RegisterForClosing {
  <T extends Closable>(resource: T): T;
  <T>(resource: T, close: (resource: T) => void | Promise<void>): T;
}

/** Creates a list of the resources to close at shutdown: `closeLater` adds one, and `close` closes all in reverse order. */
export function createShutdownList(log: Log): { closeLater: RegisterForClosing; close: () => Promise<void> } {
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closer of closers.toReversed()) await closer();
    log.flush();
  };
  let closed: Promise<void> | undefined;
  return {
    closeLater: <T>(resource: T, close = (closable: T) => (closable as Closable).close()) => {
      closers.push(() => close(resource));
      return resource;
    },
    close: () => (closed ??= closeAll()),
  };
}
