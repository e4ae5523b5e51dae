import { setImmediate as endOfTurn } from 'node:timers/promises';

/** The same pages, with a turn of the event loop after each: linking takes minutes, and a signal is only heard between turns. */
export async function* breathing<T>(pages: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  for await (const page of pages) {
    yield page;
    await endOfTurn();
  }
}
