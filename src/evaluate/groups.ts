// The same figures for parts of the cases: by sort of case, by what was sent, by country, by origin of the name.
import { auc, shareFrom } from './figures.ts';
import { type Interval, intervalsOf, type Sample, sampleOf, type Tally } from './sample.ts';
import type { Outcome } from './outcome.ts';
import type { Role } from './cases.ts';

/** A sort of case, by itself. */
export interface SortRow {
  role: Role;
  kind: string;
  subkind: string | null;
  cases: number;
  mean: number;
  from_85: Interval;
  from_65: Interval;
  from_40: Interval;
  flagged: Interval;
  /** Against all cases of the other class; of those apart, against all that are not genuine. */
  auc: Interval;
}

export interface Slice {
  by: string;
  groups: GroupRow[];
}
export interface GroupRow {
  group: string;
  genuine: number;
  not_genuine: number;
  auc: Interval;
  genuine_from_65: Interval;
  genuine_below_40: Interval;
  /** Genuine at the score that one of a hundred of all that are not genuine reach. */
  genuine_at_threshold: Interval;
  not_genuine_from_65: Interval;
}

const byRole = (outcomes: Outcome[], role: Role) => outcomes.filter((one) => one.case.role === role);

/** Genuine and not, of some outcomes. */
export const classesOf = (outcomes: Outcome[]): Sample =>
  sampleOf(byRole(outcomes, 'genuine'), byRole(outcomes, 'not_genuine'));

/** One row a kind, then one a subkind of the kinds that have several. */
export function sortsOf(outcomes: Outcome[]): SortRow[] {
  const all = classesOf(outcomes);
  const rows: SortRow[] = [];
  for (const [, ofKind] of grouped(outcomes, (one) => `${one.case.role} ${one.case.kind}`)) {
    rows.push(sortRow(ofKind, all, false));
    const subkinds = grouped(ofKind, (one) => one.case.subkind);
    for (const [, some] of subkinds) rows.push(sortRow(some, all, true));
  }
  const order: Role[] = ['genuine', 'not_genuine', 'apart'];
  return rows.toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

function sortRow(outcomes: Outcome[], all: Sample, sub: boolean): SortRow {
  const { role = 'apart', kind = '', subkind = null } = outcomes[0]?.case ?? {};
  const mine = sampleOf(outcomes, outcomes);
  const sample =
    role === 'not_genuine'
      ? { genuine: all.genuine, notGenuine: mine.notGenuine }
      : { genuine: mine.genuine, notGenuine: all.notGenuine };
  const own = ({ genuine, notGenuine }: Tally) => (role === 'not_genuine' ? notGenuine : genuine);
  const [from85, from65, from40, flagged, area] = intervalsOf(sample, (tally) => {
    const counts = own(tally);
    const shares = [85, 65, 40].map((score) => shareFrom(counts, score));
    return [...shares, counts.flagged / counts.total, auc(tally)];
  });
  const mean = outcomes.reduce((sum, { score }) => sum + score, 0) / outcomes.length;
  return {
    role,
    kind,
    subkind: sub ? (subkind ?? 'other') : null,
    cases: outcomes.length,
    mean: Number(mean.toFixed(1)),
    from_85: from85 ?? NOTHING,
    from_65: from65 ?? NOTHING,
    from_40: from40 ?? NOTHING,
    flagged: flagged ?? NOTHING,
    auc: area ?? NOTHING,
  };
}

const NOTHING: Interval = { value: null, low: null, high: null };

const CUTS: [by: string, of: (outcome: Outcome) => string | null][] = [
  ['contacts sent', ({ sent }) => contactsIn(sent)],
  ['country', ({ country }) => country],
  ['origin of the name', (one) => one.case.origin],
  ['month', ({ told }) => told?.month ?? null],
  ['account', ({ told }) => told?.account ?? null],
];

/** `e-mail + 2 phones` would make too many groups: the kinds alone. */
function contactsIn(sent: Outcome['sent']): string {
  const words = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
  const kinds = (['email', 'phone', 'address'] as const).filter((kind) => sent[kind] > 0);
  return kinds.map((kind) => words[kind]).join(' + ') || 'none';
}

/** The cuts that part the cases at all; of each the groups, the largest first. */
export function slicesOf(outcomes: Outcome[], threshold: number): Slice[] {
  const told = outcomes.filter((one) => one.case.role !== 'apart');
  return CUTS.flatMap(([by, of]) => {
    const groups = grouped(told, of).filter(([, some]) => some.length > 0);
    if (groups.length < 2) return [];
    const largest = groups.toSorted(([, a], [, b]) => b.length - a.length);
    return [{ by, groups: largest.map(([group, some]) => groupRow(group, some, threshold)) }];
  });
}

function groupRow(group: string, outcomes: Outcome[], threshold: number): GroupRow {
  const sample = classesOf(outcomes);
  const [area, from65, below40, at, passing] = intervalsOf(sample, (tally) => [
    auc(tally),
    shareFrom(tally.genuine, 65),
    1 - shareFrom(tally.genuine, 40),
    shareFrom(tally.genuine, threshold),
    shareFrom(tally.notGenuine, 65),
  ]);
  return {
    group,
    genuine: sample.genuine.length,
    not_genuine: sample.notGenuine.length,
    auc: area ?? NOTHING,
    genuine_from_65: from65 ?? NOTHING,
    genuine_below_40: below40 ?? NOTHING,
    genuine_at_threshold: at ?? NOTHING,
    not_genuine_from_65: passing ?? NOTHING,
  };
}

/** In the order in which each first comes; what has no label is a group of its own, last. */
function grouped(outcomes: Outcome[], of: (outcome: Outcome) => string | null): [string, Outcome[]][] {
  const groups = Map.groupBy(outcomes, of);
  const unnamed = groups.get(null);
  groups.delete(null);
  const named = Array.from(groups, ([group, some]): [string, Outcome[]] => [group ?? '', some]);
  return unnamed && named.length > 0 ? [...named, ['not told', unnamed]] : named;
}
