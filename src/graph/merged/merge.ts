// Answers of several graphs to one query, as one answer.
import type { Agreement, Identity } from '../../model.ts';
import type { GraphAnswer, GraphQuery } from '../graph.ts';
import { joinIdentities } from './same-person.ts';
import { BonafideError } from '../../errors.ts';

/** As many names as an identity has in the embedded graph. */
const NAMES = 8;
/** Identities that are named by a key of the name alone. */
const NAMED = 24;

/** The nearest first; see `Agreement`. */
const ORDER: Agreement['type'][] = [
  'email',
  'phone',
  'address',
  'mailbox',
  'premise',
  'core',
  'core_city',
  'street',
  'name',
  'typo',
];

/**
 * One answer of those of several graphs, whose numbers tell them apart. An identity that several know is one, under the number of the first
 * of them. Counts of people are added: that is exact where the graphs know different people, and where they know the same ones an
 * agreement weighs a bit more at most.
 */
export function mergeAnswers(
  answers: readonly GraphAnswer[],
  { nameKeys }: Pick<GraphQuery, 'nameKeys'>,
): GraphAnswer {
  const joined = joinIdentities(answers, nameKeys);
  const to = (id: number) => joined.get(id) ?? id;
  const unique = (ids: number[]) => [...new Set(ids.map(to))];
  const identities = identitiesOf(answers, to);
  const values = (answers[0]?.values ?? []).map((_, v) =>
    hitsOf(
      answers.map((answer) => answer.values[v] ?? []),
      { to, identities },
    ),
  );
  return {
    total: sum(answers.map(({ total }) => total)),
    newest: latest(answers.map(({ newest }) => newest)),
    values,
    name: {
      identities: unique(answers.flatMap(({ name }) => name.identities)).slice(0, NAMED),
      bearers: bearersOf(answers, to),
      given: unique(answers.flatMap(({ name }) => name.given)),
    },
    identities,
  };
}

function identitiesOf(answers: readonly GraphAnswer[], to: (id: number) => number): Map<number, Identity> {
  const identities = new Map<number, Identity>();
  for (const { identities: own } of answers)
    for (const one of own.values()) {
      const id = to(one.id);
      const known = identities.get(id);
      identities.set(id, known ? together(known, one) : { ...one, id });
    }
  return identities;
}

const together = (a: Identity, b: Identity): Identity => ({
  id: a.id,
  names: [...new Set([...a.names, ...b.names])].slice(0, NAMES),
  firstSeen: earliest([a.firstSeen, b.firstSeen]),
  lastSeen: latest([a.lastSeen, b.lastSeen]),
  records: a.records + b.records,
  sources: a.sources + b.sources,
});

interface Merging {
  to: (id: number) => number;
  identities: ReadonlyMap<number, Identity>;
}

/** @param ours the hits of one value, by graph */
function hitsOf(ours: readonly Agreement[][], { to, identities }: Merging): Agreement[] {
  const found = new Map<number, Agreement>();
  const nearest = (a: Agreement, b: Agreement) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type);
  const counts = new Map<Agreement['type'], number>();
  for (const hits of ours)
    for (const [type, share] of sharesOf(hits)) counts.set(type, (counts.get(type) ?? 0) + share);
  for (const hit of ours.flat()) {
    const identity = to(hit.identity);
    const known = found.get(identity);
    if (!known) {
      found.set(identity, { ...hit, identity });
      continue;
    }
    // Counted in both graphs, and one person.
    if (known.type === hit.type) counts.set(hit.type, (counts.get(hit.type) ?? 2) - 1);
    const best = nearest(hit, known) < 0 ? hit : known;
    found.set(identity, { ...best, identity, primary: known.primary || hit.primary, ...seen([known, hit]) });
  }
  const shared = [...found.values()].map((hit) => ({
    ...hit,
    ...seen([hit, identities.get(hit.identity) ?? hit]),
    share: Math.max(1, counts.get(hit.type) ?? hit.share),
  }));
  return shared.sort((a, b) => nearest(a, b) || a.identity - b.identity);
}

function sharesOf(hits: readonly Agreement[]): Map<Agreement['type'], number> {
  const shares = new Map<Agreement['type'], number>();
  for (const { type, share } of hits) shares.set(type, Math.max(share, shares.get(type) ?? 0));
  return shares;
}

/** Who is one person in two graphs is one bearer. */
function bearersOf(answers: readonly GraphAnswer[], to: (id: number) => number): number {
  const named = answers.flatMap(({ name }) => name.identities);
  const twice = named.length - new Set(named.map(to)).size;
  const counts = answers.map(({ name }) => name.bearers);
  return Math.max(0, ...counts, sum(counts) - twice);
}

const seen = (all: Pick<Agreement, 'firstSeen' | 'lastSeen'>[]) => ({
  firstSeen: earliest(all.map(({ firstSeen }) => firstSeen)),
  lastSeen: latest(all.map(({ lastSeen }) => lastSeen)),
});

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
const latest = (times: (number | null)[]) => of(Math.max, times);
const earliest = (times: (number | null)[]) => of(Math.min, times);

function of(choose: (...times: number[]) => number, times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : choose(...known);
}

// Numbers of several graphs in one: each graph has those that leave its place in the list when they are divided by how many there are.
/** The place of a graph in the list, and how many are in it. */
interface GraphPosition {
  index: number;
  graphCount: number;
}

export function toMergedNumber({ index, graphCount: of }: GraphPosition, number: number): number {
  const merged = number * of + index;
  if (Number.isSafeInteger(merged)) return merged;
  throw new BonafideError(
    'graph_bad_response',
    'A graph’s numbers are too large to be told apart from another’s.',
  );
}

/** The same answer, under the numbers that its identities have beside those of other graphs. Errors: graph_bad_response. */
export function renumberAnswer(answer: GraphAnswer, place: GraphPosition): GraphAnswer {
  const to = (number: number) => toMergedNumber(place, number);
  const { values, name, identities } = answer;
  return {
    ...answer,
    values: values.map((hits) => hits.map((hit) => ({ ...hit, identity: to(hit.identity) }))),
    name: { ...name, identities: name.identities.map(to), given: name.given.map(to) },
    identities: new Map([...identities.values()].map((one) => [to(one.id), { ...one, id: to(one.id) }])),
  };
}
