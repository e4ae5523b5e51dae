const DAY_MS = 86_400_000;

/** Milliseconds since 1970 as days: with a fraction where a time is told, which keeps every millisecond. */
export function toDays(time: number | null): number | null {
  return time === null ? null : time / DAY_MS;
}

export function fromDays(days: number | null): number | null {
  return days === null ? null : Math.round(days * DAY_MS);
}
