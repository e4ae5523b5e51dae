/**
 * Does work that SIGINT and SIGTERM stop: `close` leaves things as they should be left, then the process ends as the signal would have
 * ended it. A second signal ends it at once. Work that never lets the event loop turn cannot be stopped so.
 */
export async function stoppable<T>(work: () => Promise<T>, { close, says }: Stopped): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    for (const other of SIGNALS) process.removeListener(other, stop);
    process.stderr.write(`error: ${says}\n`);
    try {
      close();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

export interface Stopped {
  /** Closes what is open; must be done when it returns. */
  close(): void;
  /** What is left, for people. */
  says: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
