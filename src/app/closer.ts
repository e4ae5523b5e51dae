import type { Log } from '../observe/log.ts';

export type RegisterForClosing = <T>(part: T, close: (part: T) => void | Promise<void>) => T;

/**
 * Returns `closeLater`, which registers how an opened resource is closed, and `close`, which closes all registered resources in reverse
 * order.
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
