// Dates that another service tells, as far as they can be.

interface Seen {
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Clocks differ, and a day without an hour begins elsewhere before it does here. */
const AHEAD_MS = 86_400_000;

/** A first date after its last, or one more than a day ahead of `now`, is left out: as if no record carried one. */
export function believable<T extends Seen>(one: T, now: number): T {
  const { firstSeen, lastSeen } = one;
  if (firstSeen !== null && lastSeen !== null && firstSeen > lastSeen)
    return { ...one, firstSeen: null, lastSeen: null };
  return { ...one, firstSeen: untilNow(firstSeen, now), lastSeen: untilNow(lastSeen, now) };
}

/** The newest of all records; left out where it is ahead of `now`, or somebody was seen after it. */
export function believableNewest(newest: number | null, seen: readonly Seen[], now: number): number | null {
  const known = untilNow(newest, now);
  return known !== null && seen.every(({ lastSeen }) => (lastSeen ?? known) <= known) ? known : null;
}

const untilNow = (time: number | null, now: number) =>
  time !== null && time <= now + AHEAD_MS ? time : null;
