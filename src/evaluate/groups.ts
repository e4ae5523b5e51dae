// Metrics for subsets of the cases: by kind of case, submitted contacts, country and origin of the name.
import { computeAuc, computeShareReachingScore } from './figures.ts';
import {
  type ConfidenceInterval,
  computeConfidenceIntervals,
  computeMetricsWithoutBounds,
  type PackedScoresByClass,
  packScoresByClass,
  type ScoreCountsByClass,
} from './sample.ts';
import type { CaseOutcome } from './outcome.ts';
import type { CaseClass } from './cases.ts';

/** Evaluation results of the cases of one type or subtype. */
export interface CaseTypeResults {
  role: CaseClass;
  kind: string;
  subkind: string | null;
  cases: number;
  mean: number;
  from_85: ConfidenceInterval;
  from_65: ConfidenceInterval;
  from_40: ConfidenceInterval;
  flagged: ConfidenceInterval;
  /**
   * AUC (area under the ROC curve). Cases of genuine and of undecidable types (`apart`) are ranked against all non-genuine cases; cases of
   * non-genuine types against all genuine cases.
   */
  auc: ConfidenceInterval;
}

export interface CaseResultsByAttribute {
  by: string;
  groups: CaseGroupResults[];
}
/** Results of the cases with one value of an attribute, such as one country. */
export interface CaseGroupResults {
  group: string;
  genuine: number;
  not_genuine: number;
  auc: ConfidenceInterval;
  genuine_from_65: ConfidenceInterval;
  genuine_below_40: ConfidenceInterval;
  /** Share (0-1) of the genuine cases that reach the overall threshold, which 1 % of all non-genuine cases reach. */
  genuine_at_threshold: ConfidenceInterval;
  not_genuine_from_65: ConfidenceInterval;
}

/** Number of groups in one table that are resampled, the largest first. Resampling each of 10,000 groups would take hours. */
export const MAX_RESAMPLED_GROUPS = 100;

const byRole = (outcomes: CaseOutcome[], role: CaseClass) => outcomes.filter((one) => one.case.role === role);

/** Returns the scores of the genuine and of the non-genuine outcomes. */
export const packOutcomeScoresByClass = (outcomes: CaseOutcome[]): PackedScoresByClass =>
  packScoresByClass(byRole(outcomes, 'genuine'), byRole(outcomes, 'not_genuine'));

/**
 * Returns one row per type of case, followed by one row per subtype if there are several. The `MAX_RESAMPLED_GROUPS` rows with the most cases have
 * confidence intervals.
 */
export function summariseCaseTypes(outcomes: CaseOutcome[]): CaseTypeResults[] {
  const all = packOutcomeScoresByClass(outcomes);
  const types: { outcomes: CaseOutcome[]; isSubkind: boolean }[] = [];
  for (const [, ofKind] of grouped(outcomes, (one) => `${one.case.role} ${one.case.kind}`)) {
    types.push({ outcomes: ofKind, isSubkind: false });
    const subkinds = grouped(ofKind, (one) => one.case.subkind);
    for (const [, outcomesOfSubkind] of subkinds)
      types.push({ outcomes: outcomesOfSubkind, isSubkind: true });
  }
  const largest = types.toSorted((a, b) => b.outcomes.length - a.outcomes.length);
  const resampled = new Set(largest.slice(0, MAX_RESAMPLED_GROUPS));
  const rows = types.map((type) => sortRow(type, all, resampled.has(type)));
  const order: CaseClass[] = ['genuine', 'not_genuine', 'apart'];
  return rows.toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

function sortRow(
  { outcomes, isSubkind }: { outcomes: CaseOutcome[]; isSubkind: boolean },
  all: PackedScoresByClass,
  isResampled: boolean,
): CaseTypeResults {
  const { role = 'apart', kind = '', subkind = null } = outcomes[0]?.case ?? {};
  const mine = packScoresByClass(outcomes, outcomes);
  const sample =
    role === 'not_genuine'
      ? { genuine: all.genuine, notGenuine: mine.notGenuine }
      : { genuine: mine.genuine, notGenuine: all.notGenuine };
  const own = ({ genuine, notGenuine }: ScoreCountsByClass) =>
    role === 'not_genuine' ? notGenuine : genuine;
  const compute = isResampled ? computeConfidenceIntervals : computeMetricsWithoutBounds;
  const [from85, from65, from40, flagged, area] = compute(sample, (tally) => {
    const counts = own(tally);
    const shares = [85, 65, 40].map((score) => computeShareReachingScore(counts, score));
    return [...shares, counts.flagged / counts.total, computeAuc(tally)];
  });
  const mean = outcomes.reduce((sum, { score }) => sum + score, 0) / outcomes.length;
  return {
    role,
    kind,
    subkind: isSubkind ? (subkind ?? 'other') : null,
    cases: outcomes.length,
    mean: Number(mean.toFixed(1)),
    from_85: from85 ?? NOTHING,
    from_65: from65 ?? NOTHING,
    from_40: from40 ?? NOTHING,
    flagged: flagged ?? NOTHING,
    auc: area ?? NOTHING,
  };
}

const NOTHING: ConfidenceInterval = { value: null, low: null, high: null };

const CUTS: [by: string, of: (outcome: CaseOutcome) => string | null][] = [
  ['contacts sent', ({ sent }) => contactsIn(sent)],
  ['country', ({ country }) => country],
  ['origin of the name', (one) => one.case.origin],
  ['month', ({ call }) => call?.month ?? null],
  ['account', ({ call }) => call?.account ?? null],
];

/** Returns the submitted contact types as a group name. Names with counts, such as `e-mail + 2 phones`, would make too many groups. */
function contactsIn(sent: CaseOutcome['sent']): string {
  const words = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
  const kinds = (['email', 'phone', 'address'] as const).filter((kind) => sent[kind] > 0);
  return kinds.map((kind) => words[kind]).join(' + ') || 'none';
}

/** Returns the results by attribute (country, origin …), the largest group first; the first `MAX_RESAMPLED_GROUPS` have intervals. Attributes with fewer than two groups are left out. */
export function summariseCasesByAttribute(
  outcomes: CaseOutcome[],
  threshold: number,
): CaseResultsByAttribute[] {
  const classified = outcomes.filter((one) => one.case.role !== 'apart');
  return CUTS.flatMap(([by, of]) => {
    const groups = grouped(classified, of).filter(([, some]) => some.length > 0);
    if (groups.length < 2) return [];
    const largest = groups.toSorted(([, a], [, b]) => b.length - a.length);
    const rows = largest.map(([group, some], i) =>
      groupRow([group, some], threshold, i < MAX_RESAMPLED_GROUPS),
    );
    return [{ by, groups: rows }];
  });
}

function groupRow(
  [group, outcomes]: [string, CaseOutcome[]],
  threshold: number,
  isResampled: boolean,
): CaseGroupResults {
  const sample = packOutcomeScoresByClass(outcomes);
  const compute = isResampled ? computeConfidenceIntervals : computeMetricsWithoutBounds;
  const [area, from65, below40, at, passing] = compute(sample, (tally) => [
    computeAuc(tally),
    computeShareReachingScore(tally.genuine, 65),
    1 - computeShareReachingScore(tally.genuine, 40),
    computeShareReachingScore(tally.genuine, threshold),
    computeShareReachingScore(tally.notGenuine, 65),
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

/** Groups outcomes by a value, in the order of first occurrence. Outcomes without the value are the last group. */
function grouped(
  outcomes: CaseOutcome[],
  of: (outcome: CaseOutcome) => string | null,
): [string, CaseOutcome[]][] {
  const groups = Map.groupBy(outcomes, of);
  const unnamed = groups.get(null);
  groups.delete(null);
  const named = Array.from(groups, ([group, some]): [string, CaseOutcome[]] => [group ?? '', some]);
  return unnamed && named.length > 0 ? [...named, ['not told', unnamed]] : named;
}
