/**
 * Calls `work` for each item with bounded concurrency, and yields the results in the order of the items.
 * @param getMaxConcurrent returns the greatest number of pending calls; called after each item
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  getMaxConcurrent: () => number,
): AsyncIterable<R> {
  const waiting: Promise<R>[] = [];
  for await (const item of items) {
    const answer = work(item);
    // Avoids an unhandled rejection: the error is reported when the result is awaited.
    answer.catch(() => undefined);
    waiting.push(answer);
    while (waiting.length > getMaxConcurrent()) {
      const first = waiting.shift();
      if (first) yield await first;
    }
  }
  for (const answer of waiting) yield await answer;
}
