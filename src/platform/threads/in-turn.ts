/** Answers in the order of the items, while so many others are worked on. @param getMaxConcurrent asked after each item */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  getMaxConcurrent: () => number,
): AsyncIterable<R> {
  const waiting: Promise<R>[] = [];
  for await (const item of items) {
    const answer = work(item);
    // Whoever waits for an earlier one hears of it later.
    answer.catch(() => undefined);
    waiting.push(answer);
    while (waiting.length > getMaxConcurrent()) {
      const first = waiting.shift();
      if (first) yield await first;
    }
  }
  for (const answer of waiting) yield await answer;
}
