// Counts of identities after an import: records per identity, shared contacts, differences within identities.
import {
  createRecordPairDifferenceCounter,
  type RecordPairDifferenceCounts,
} from '../../../admin/overview/differences.ts';
import { CONTACT_KINDS, type GraphSurvey, surveyGraph } from '../../../admin/overview/survey.ts';
import { formatPercent, formatCount } from '../../../evaluate/report/words.ts';
import type { RecordStoringGraph } from '../../../graph/graph.ts';
import type { ContactKind } from '../../../model.ts';

/** Counts of the identities in a graph, also for JSON output. */
export interface GraphIdentityCounts {
  records: number;
  people: number;
  one: number;
  two: number;
  /** Number of identities with three or more records. */
  more: number;
  most: number;
  /** For each kind of contact: number of values that several identities share, and the largest number of identities that share one value. */
  shared: Record<ContactKind, { values: number; most: number }>;
  differences: Record<ContactKind, RecordPairDifferenceCounts>;
  errorRates: GraphSurvey['errorRates'];
}

/** Maximum number of records of a graph whose identities are counted after each import. */
const MAX_RECORDS = 250_000;

/**
 * Counts the identities of a graph; returns null for a graph of more than `MAX_RECORDS` records. Reads every record once. Errors: those of the
 * graph.
 */
export async function computeGraphIdentityCounts(
  graph: RecordStoringGraph,
): Promise<GraphIdentityCounts | null> {
  if ((await graph.stats()).records > MAX_RECORDS) return null;
  const differences = createRecordPairDifferenceCounter();
  const { stats, sizes, shares, errorRates } = await surveyGraph(graph, differences.add);
  const countShared = (valuesByIdentities: Map<number, number>) => {
    const shared = [...valuesByIdentities].filter(([identities]) => identities > 1);
    return {
      values: shared.reduce((sum, [, values]) => sum + values, 0),
      most: Math.max(0, ...shared.map(([identities]) => identities)),
    };
  };
  const [one, two] = [sizes.get(1) ?? 0, sizes.get(2) ?? 0];
  return {
    records: stats.records,
    people: stats.identities,
    one,
    two,
    more: stats.identities - one - two,
    most: Math.max(0, ...sizes.keys()),
    shared: Object.fromEntries(
      CONTACT_KINDS.map((kind) => [kind, countShared(shares[kind])]),
    ) as GraphIdentityCounts['shared'],
    differences: differences.count(),
    errorRates,
  };
}

const SINGULAR = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
const PLURAL = { email: 'e-mails', phone: 'phones', address: 'addresses' } as const;

/** Formats the counts as lines of text. `subject` starts the first line, such as "The graph now has". */
export function formatIdentityCounts(counts: GraphIdentityCounts, subject: string): string[] {
  const { records, people, one, two, more, most } = counts;
  const sizes = [
    ...(one > 0 ? [`${one} with one record`] : []),
    ...(two > 0 ? [`${two} with two`] : []),
    ...(more > 0 ? [`${more} with more (at most ${most})`] : []),
  ];
  const total = `${subject} ${formatCount(records, 'record')} of ${formatCount(people, 'identity', 'identities')}`;
  return [
    people > 1 ? `${total}: ${sizes.join(', ')}` : total,
    ...formatShared(counts),
    ...formatDifferences(counts),
  ];
}

function formatShared({ people, shared }: GraphIdentityCounts): string[] {
  if (people < 2) return [];
  const parts = CONTACT_KINDS.filter((kind) => shared[kind].values > 0).map((kind) => {
    const { values, most } = shared[kind];
    return `${formatCount(values, SINGULAR[kind], PLURAL[kind])} (one of them by ${most} identities)`;
  });
  return [
    parts.length > 0
      ? `shared by several identities: ${parts.join(', ')}`
      : 'no contact is shared by several identities',
  ];
}

/** Minimum number of pairs of records of one identity for which the share with different values is shown. */
const MIN_PAIRS = 5;

function formatDifferences({ differences, errorRates }: GraphIdentityCounts): string[] {
  const contacts = CONTACT_KINDS.flatMap((kind) => {
    const { pairs, differ } = differences[kind];
    return pairs < MIN_PAIRS ? [] : [`${PLURAL[kind]} in ${formatPercent(differ / pairs)}`];
  });
  const measured = [
    ...(errorRates.name ? [`names in ${formatPercent(errorRates.name.rate)}`] : []),
    ...(errorRates.birth ? [`dates of birth in ${formatPercent(errorRates.birth.rate)}`] : []),
  ];
  const all = [...contacts, ...measured];
  return all.length > 0 ? [`differences between records of one identity: ${all.join(', ')}`] : [];
}
