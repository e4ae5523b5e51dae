import type { Log } from '../observe/log.ts';

export type RegisterForClosing = <T>(part: T, close: (part: T) => void | Promise<void>) => T;

/**
 * Creates a list of the resources to close at shutdown. `closeLater` registers a resource and its closing function; `close` closes all resources
 * in reverse order.
 */
export function createShutdownList(log: Log): { closeLater: RegisterForClosing; close: () => Promise<void> } {
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closer of closers.toReversed()) await closer();
    log.flush();
  };
  let closed: Promise<void> | undefined;
  return {
    closeLater: (part, close) => {
      closers.push(() => close(part));
      return part;
    },
    close: () => (closed ??= closeAll()),
  };
}
