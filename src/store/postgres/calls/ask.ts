import { BonafideError } from '../../../errors.ts';
import type { Client } from '../client.ts';
import { asPostgresError } from '../trouble.ts';

/** Asks a function of the store: `admit_1($1)` and its values; what it answers as JSON. Errors: store_unavailable and what else the engine has. */
export type Ask = <T>(call: string, values: unknown[]) => Promise<T | null>;

/** A call does not wait longer for the store: who asks would be gone. */
const MOST_MS = 5000;

/** `onFailed` hears of what failed. */
export function asking(client: Client, onFailed: () => void): Ask {
  return async <T>(call: string, values: unknown[]) => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new BonafideError('store_unavailable', 'The store’s PostgreSQL does not answer in time.')),
      MOST_MS,
    );
    try {
      const asked = client.unsafe<{ answer: T }[]>(`SELECT ${call} AS answer`, values as never[], {
        prepare: true,
      });
      const [row] = await Promise.race([asked, late]);
      return row?.answer ?? null;
    } catch (error) {
      onFailed();
      throw asPostgresError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}
