// Whether the store's PostgreSQL is there, as this server finds by saying every second that it lives, with and without calls.
import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';
import { asking } from './ask.ts';
import type { Ask } from './ask.ts';

export interface Life {
  /** Errors: those of `Ask`, at once where the store is away. */
  ask: Ask;
  /** Which server this is, as its calls in flight are counted. */
  server(): string;
  renew(): void;
  /** Whether what was asked last was answered. */
  healthy(): boolean;
  /** What was asked last and failed, failed with; null where a sign of life was answered since. */
  failure(): unknown;
  close(): void;
}

const BEAT_MS = 1000;
/** So many signs of life in a row that failed: then the store is away, and nobody waits for what it would say. One alone may be a connection's. */
const AWAY_AFTER = 2;

/** Errors: those of the first sign of life. */
export async function living(client: Client, clock: () => number | null): Promise<Life> {
  let server: string = randomUUID();
  let healthy = true;
  let failed = 0;
  let failure: unknown = null;
  const asked = asking(client, (error) => ([healthy, failure] = [false, error]));
  const beat = async () => {
    try {
      await asked('alive_1($1, $2)', [server, clock()]);
      [healthy, failed, failure] = [true, 0, null];
    } catch (error) {
      if (++failed === AWAY_AFTER) client.renew();
      throw error;
    }
  };
  await beat();
  const beatOn = () => void beat().catch(() => undefined);
  const timer = setInterval(beatOn, BEAT_MS).unref();
  return {
    async ask(call, values) {
      if (failed >= AWAY_AFTER) throw failure;
      return asked(call, values);
    },
    server: () => server,
    renew() {
      server = randomUUID();
      beatOn();
    },
    healthy: () => healthy,
    failure: () => failure,
    close: () => clearInterval(timer),
  };
}
