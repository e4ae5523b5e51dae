// A call of a plugin's that may never settle.

/** What asks a plugin waits for it, and no longer than this. */
export const WITHIN_MS = 10_000;
const SETTLES_WITHIN_MS = 1000;

export class Unsettled extends Error {}

/** What a call gives. Throws an `Unsettled` that names the call where it takes too long. */
export async function inTime<T>(call: string, work: () => T | Promise<T>, ms = WITHIN_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unsettled(`${call} did not settle within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a promise ends, well or badly, within a second. */
export const settles = (promise: Promise<unknown>): Promise<boolean> =>
  inTime('it', () => promise.then(ENDED, ENDED), SETTLES_WITHIN_MS).catch(() => false);

const ENDED = () => true;
