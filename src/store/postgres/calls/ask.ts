import type { Client } from '../client.ts';
import { asPostgresError } from '../trouble.ts';
import { within } from '../within.ts';

/** Asks a function of the store: `admit_1($1)` and its values; what it answers as JSON. Errors: store_unavailable and what else the engine has. */
export type Ask = <T>(call: string, values: unknown[]) => Promise<T | null>;

/** A call does not wait longer for the store: who asks would be gone. */
const MOST_MS = 5000;

/** `onFailed` hears of what failed, as it is thrown. */
export function asking(client: Client, onFailed: (error: unknown) => void): Ask {
  return async <T>(call: string, values: unknown[]) => {
    try {
      const asked = client.unsafe<{ answer: T }[]>(`SELECT ${call} AS answer`, values as never[], {
        prepare: true,
      });
      const [row] = await within(MOST_MS, asked);
      return row?.answer ?? null;
    } catch (error) {
      const told = asPostgresError(error);
      onFailed(told);
      throw told;
    }
  };
}
