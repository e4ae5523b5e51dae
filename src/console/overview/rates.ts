// Figures as they are drawn.

/** Of what the server tells: when, and errors since its start by code. */
interface Counted {
  time: string;
  problems: Record<string, number>;
}

/** All that is counted, by whatever name. */
export const sum = (of: Record<string, number>): number =>
  Object.values(of).reduce((all, one) => all + one, 0);

/** Errors a second between each event and the one before; times in seconds since 1970. A server that began anew counts from zero. */
export const errorRates = (trail: Counted[]): { at: number; rate: number }[] =>
  trail.slice(1).map((told, i) => {
    const before = trail[i] ?? told;
    const seconds = Math.max(1, (Date.parse(told.time) - Date.parse(before.time)) / 1000);
    return {
      at: Date.parse(told.time) / 1000,
      rate: Math.max(0, sum(told.problems) - sum(before.problems)) / seconds,
    };
  });

/** Values with nothing on either side: no line reaches them, so they are drawn as points. */
export const alone = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, i) =>
    typeof value === 'number' && typeof values[i - 1] !== 'number' && typeof values[i + 1] !== 'number'
      ? [i]
      : [],
  );
