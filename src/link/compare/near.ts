/**
 * The ways in which two birth dates are nearly one: how often a date of sixty years is so to another by chance, and how often one person's
 * dates are, where nothing has been measured.
 */
export const NEAR = {
  swapped: { what: 'have day and month exchanged', chance: 0.00002, usual: 0.0006 },
  digit: { what: 'are one digit apart', chance: 0.0014, usual: 0.03 },
  exchanged: { what: 'have two digits exchanged', chance: 0.0002, usual: 0.0035 },
  part: { what: 'differ in one part', chance: 0.0045, usual: 0.012 },
} as const;

export type Nearness = keyof typeof NEAR;

/** In what two different dates are nearly one; null where they are far apart. */
export function nearDates(a: string, b: string): Nearness | null {
  const [x, y] = [a.split('-'), b.split('-')];
  if (x.length !== y.length) return null;
  if (x.length === 3 && x[0] === y[0] && x[1] === y[2] && x[2] === y[1]) return 'swapped';
  const digits = [...a].filter((digit, i) => digit !== b[i]).length;
  if (digits === 1) return 'digit';
  if (digits === 2 && [...a].toSorted().join('') === [...b].toSorted().join('')) return 'exchanged';
  const parts = x.filter((part, i) => part !== y[i]).length;
  return x.length === 3 && parts === 1 ? 'part' : null;
}
