/** Values by identity that were read before, the latest of them, until they are forgotten. */
export interface Kept<T> {
  get(id: number): T;
  forget(): void;
}

/**
 * Keeps what `read` answered, at least the last `most` values and at most twice as many: those that nobody asked for while as many others
 * were read go. Two maps in turns, because taking the oldest out of one has V8 look at every place that was emptied before.
 */
export function kept<T extends NonNullable<unknown> | null>(read: (id: number) => T, most: number): Kept<T> {
  let [latest, before] = [new Map<number, T>(), new Map<number, T>()];
  return {
    get(id) {
      const known = latest.get(id);
      if (known !== undefined) return known;
      const value = before.get(id) ?? read(id);
      if (latest.size >= most) [latest, before] = [new Map(), latest];
      latest.set(id, value);
      return value;
    },
    forget() {
      [latest, before] = [new Map(), new Map()];
    },
  };
}
