// What linking made of the records of a graph, in counts.
import type { RecordGraph } from '../../../graph/graph.ts';
import {
  type DifferenceCount,
  countDifferences,
  type ContactKind,
} from '../../../admin/overview/differences.ts';
import type { ImportSummary } from '../../../import/summary.ts';
import { CONTACT_KINDS, type GraphSurvey, surveyGraph } from '../../../admin/overview/survey.ts';
import { percent, plural } from '../../../evaluate/report/words.ts';

/** An import that has ended, and the graph after it. */
export interface Done {
  summary: ImportSummary;
  people: People | null;
  /** Why a dry run cannot tell who was forgotten; null where it can. */
  unknown: string | null;
}

export interface People {
  records: number;
  people: number;
  /** People with one record, two, three or more; and the most that one has. */
  one: number;
  two: number;
  more: number;
  most: number;
  /** Of each kind: values that two people or more have, and the most people that have one of them. */
  shared: Record<ContactKind, { values: number; most: number }>;
  /** Of neighbouring records of one person. */
  differences: Record<ContactKind, DifferenceCount>;
  errorRates: GraphSurvey['errorRates'];
}

/** A larger graph takes too long to be gone through after each import: `graph stats --html` tells the same. */
const MOST_RECORDS = 250_000;

/** Reads every record twice; null where there are very many. Errors: those of the graph. */
export async function peopleOf(graph: RecordGraph): Promise<People | null> {
  if ((await graph.stats()).records > MOST_RECORDS) return null;
  const { stats, sizes, shares, errorRates } = await surveyGraph(graph);
  const sharedOf = (counts: Map<number, number>) => {
    const several = [...counts].filter(([people]) => people > 1);
    return {
      values: several.reduce((sum, [, values]) => sum + values, 0),
      most: Math.max(0, ...several.map(([people]) => people)),
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
      CONTACT_KINDS.map((kind) => [kind, sharedOf(shares[kind])]),
    ) as People['shared'],
    differences: await countDifferences(graph),
    errorRates,
  };
}

// What linking made of the records, in words.
const NAMES = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
const MANY = { email: 'e-mails', phone: 'phones', address: 'addresses' } as const;

/** @param says what holds so many people */
export function peopleText(it: People, says: string): string[] {
  const held = `${says} ${plural(it.records, 'record')} of ${plural(it.people, 'person', 'people')}`;
  const sizes = [
    ...(it.one > 0 ? [`${it.one} with one record`] : []),
    ...(it.two > 0 ? [`${it.two} with two`] : []),
    ...(it.more > 0 ? [`${it.more} with more, at most ${it.most}`] : []),
  ];
  return [
    `${held}${it.people > 1 ? `: ${sizes.join(', ')}` : ''}`,
    ...sharedText(it),
    ...differencesText(it),
  ];
}

function sharedText({ people, shared }: People): string[] {
  if (people < 2) return [];
  const some = CONTACT_KINDS.filter((kind) => shared[kind].values > 0);
  const each = some.map((kind) => {
    const { values, most } = shared[kind];
    return `${plural(values, NAMES[kind], MANY[kind])} (one by ${most} people at most)`;
  });
  return [
    each.length > 0
      ? `shared by several people: ${each.join(', ')}`
      : 'no contact is shared by several people',
  ];
}

/** Fewer pairs of records than this tell nothing. */
const FEW = 5;

function differencesText({ differences, errorRates }: People): string[] {
  const contacts = CONTACT_KINDS.flatMap((kind) => {
    const { pairs, differ } = differences[kind];
    return pairs < FEW ? [] : [`${MANY[kind]} in ${percent(differ / pairs)}`];
  });
  const measured = [
    ...(errorRates.name ? [`names in ${percent(errorRates.name.rate)}`] : []),
    ...(errorRates.birth ? [`dates of birth in ${percent(errorRates.birth.rate)}`] : []),
  ];
  const all = [...contacts, ...measured];
  return all.length > 0 ? [`how often two records of one person differ: ${all.join(', ')}`] : [];
}
