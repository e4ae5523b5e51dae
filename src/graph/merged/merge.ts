// Merges the answers of several graphs to one query into one answer.
import { BonafideError } from '../../errors.ts';
import { type ContactMatch, getContactLastSeen, type Identity } from '../../model.ts';
import { CONTACT_MATCH_TYPES, type GraphAnswer, type GraphQuery } from '../graph.ts';
import { mapSamePeopleAcrossGraphs } from './same-person.ts';

export interface PositionAmongMergedGraphs {
  index: number;
  graphCount: number;
}

/**
 * Converts an identity number of one graph to its number in the merged graph, which is unique across all graphs and stays the same. Errors:
 * graph_bad_response.
 */
export function toMergedIdentityNumber(
  { index, graphCount }: PositionAmongMergedGraphs,
  number: number,
): number {
  const merged = number * graphCount + index;
  if (Number.isSafeInteger(merged)) return merged;
  throw new BonafideError(
    'graph_bad_response',
    `Graph ${index + 1} in graph.engine sent an identity number that is too large to merge with other graphs. Remove this graph from graph.engine.`,
  );
}

/** Replaces the identity numbers of one graph's answer by those of the merged graph. Errors: graph_bad_response. */
export function renumberGraphAnswer(answer: GraphAnswer, position: PositionAmongMergedGraphs): GraphAnswer {
  const renumber = (number: number) => toMergedIdentityNumber(position, number);
  const { values, name, identities } = answer;
  return {
    ...answer,
    values: values.map((hits) => hits.map((hit) => ({ ...hit, identity: renumber(hit.identity) }))),
    name: {
      ...name,
      identities: name.identities.map(renumber),
      given: name.given.map(renumber),
      ...mapPairs([name], renumber),
    },
    identities: new Map(
      [...identities.values()].map((identity) => {
        const id = renumber(identity.id);
        return [id, { ...identity, id }];
      }),
    ),
  };
}

/** Converts pairs of identities to merged identity numbers. Leaves out a pair whose identities were joined to one. */
function mapPairs(
  names: readonly GraphAnswer['name'][],
  toNumber: (id: number) => number,
): Pick<GraphAnswer['name'], PairName> {
  const mapped: Pick<GraphAnswer['name'], PairName> = {};
  for (const kind of ['differentPeople', 'housemates'] as const) {
    const pairs = names
      .flatMap((name) => name[kind] ?? [])
      .map((pair) => pair.map(toNumber))
      .filter(([a, b]) => a !== b);
    if (pairs.length > 0) mapped[kind] = pairs;
  }
  return mapped;
}
type PairName = 'differentPeople' | 'housemates';

/** Maximum number of names of an identity, the same as in the embedded graph. */
const MAX_NAMES = 8;

/**
 * Returns the number of the identity into which an identity was joined, because one person is in several graphs; its own number if it was not joined.
 */
type ToJoined = (id: number) => number;

/**
 * Merges answers whose identity numbers are those of the merged graph. A person in several graphs becomes one identity, with its number in the first
 * graph. Numbers of people are added, so they are too high if graphs contain the same people.
 */
export function mergeGraphAnswers(
  answers: readonly GraphAnswer[],
  { nameKeys }: Pick<GraphQuery, 'nameKeys'>,
): GraphAnswer {
  const joined = mapSamePeopleAcrossGraphs(answers, nameKeys);
  const toJoined = (id: number) => joined.get(id) ?? id;
  const unique = (ids: number[]) => [...new Set(ids.map(toJoined))];
  const identities = mergeIdentities(answers, toJoined);
  const values = (answers[0]?.values ?? []).map((_, i) => {
    const hitLists = answers.map((answer) => answer.values[i] ?? []);
    return mergeHits(hitLists, identities, toJoined);
  });
  return {
    total: sum(answers.map(({ total }) => total)),
    newest: latest(answers.map(({ newest }) => newest)),
    values,
    name: {
      identities: unique(answers.flatMap(({ name }) => name.identities)),
      bearers: mergeNameCounts(answers, toJoined),
      given: unique(answers.flatMap(({ name }) => name.given)),
      ...mapPairs(
        answers.map(({ name }) => name),
        toJoined,
      ),
    },
    identities,
  };
}

function mergeIdentities(answers: readonly GraphAnswer[], toJoined: ToJoined): Map<number, Identity> {
  const merged = new Map<number, Identity>();
  for (const answer of answers)
    for (const identity of answer.identities.values()) {
      const id = toJoined(identity.id);
      const other = merged.get(id);
      merged.set(id, other ? mergePair(other, identity) : { ...identity, id });
    }
  return merged;
}

const mergePair = (a: Identity, b: Identity): Identity => ({
  id: a.id,
  names: [...new Set([...a.names, ...b.names])].slice(0, MAX_NAMES),
  ...mergeDates([a, b]),
  // An identity without a last date counts as current.
  ...([a, b].some(({ firstSeen, lastSeen }) => firstSeen !== null && lastSeen === null)
    ? { lastSeen: null }
    : {}),
  records: a.records + b.records,
  sources: a.sources + b.sources,
});

/**
 * Merges the matches of one submitted value from several graphs.
 * @param hitLists for each graph, its matches
 */
function mergeHits(
  hitLists: readonly ContactMatch[][],
  identities: ReadonlyMap<number, Identity>,
  toJoined: ToJoined,
): ContactMatch[] {
  const merged = new Map<number, ContactMatch>();
  const rankOf = ({ type }: ContactMatch) => CONTACT_MATCH_TYPES.indexOf(type);
  const compareTypes = (a: ContactMatch, b: ContactMatch) => rankOf(a) - rankOf(b);
  const shares = addShares(hitLists);
  for (const hit of hitLists.flat()) {
    const identity = toJoined(hit.identity);
    const other = merged.get(identity);
    if (!other) {
      merged.set(identity, { ...hit, identity });
      continue;
    }
    if (other.type === hit.type) shares.set(hit.type, (shares.get(hit.type) ?? 2) - 1);
    const best = compareTypes(hit, other) < 0 ? hit : other;
    const primary = other.primary || hit.primary;
    merged.set(identity, withDates({ ...best, identity, primary }, [other, hit], [other, hit]));
  }
  const hits = Array.from(merged.values(), (hit) => ({
    ...withDates(hit, [hit], [hit, identities.get(hit.identity) ?? hit]),
    share: Math.max(1, shares.get(hit.type) ?? hit.share),
  }));
  return hits.sort((a, b) => compareTypes(a, b) || a.identity - b.identity);
}

/** Returns a match with the dates of the identity, merged from `dated`, and with the contact's own date, merged from `hits`. */
function withDates(
  { identity, type, primary, share }: ContactMatch,
  hits: readonly ContactMatch[],
  dated: Pick<ContactMatch, 'firstSeen' | 'lastSeen'>[],
): ContactMatch {
  const dates = mergeDates(dated);
  const seen = hits.map(getContactLastSeen);
  const contactLastSeen = seen.includes(null) ? null : latest(seen);
  const mayBeCurrent = hits.some((hit) => hit.contactLastSeen === null);
  const isOld = contactLastSeen !== null && contactLastSeen < (dates.lastSeen ?? -Infinity);
  return { identity, type, primary, share, ...dates, ...(mayBeCurrent || isOld ? { contactLastSeen } : {}) };
}

/** Returns the total number of identities that have the submitted value in all graphs, for each type of match. */
function addShares(hitLists: readonly ContactMatch[][]): Map<ContactMatch['type'], number> {
  const sums = new Map<ContactMatch['type'], number>();
  for (const hits of hitLists) {
    const shares = new Map<ContactMatch['type'], number>();
    for (const { type, share } of hits) shares.set(type, Math.max(share, shares.get(type) ?? 0));
    for (const [type, share] of shares) sums.set(type, (sums.get(type) ?? 0) + share);
  }
  return sums;
}

/** Returns the number of identities with exactly the submitted name. A person in several graphs counts once. */
function mergeNameCounts(answers: readonly GraphAnswer[], toJoined: ToJoined): number {
  const matches = answers.flatMap(({ name }) => name.identities);
  const duplicates = matches.length - new Set(matches.map(toJoined)).size;
  const counts = answers.map(({ name }) => name.bearers);
  return Math.max(0, ...counts, sum(counts) - duplicates);
}

const mergeDates = (all: Pick<ContactMatch, 'firstSeen' | 'lastSeen'>[]) => ({
  firstSeen: chooseDate(
    Math.min,
    all.map(({ firstSeen }) => firstSeen),
  ),
  lastSeen: latest(all.map(({ lastSeen }) => lastSeen)),
});

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const latest = (times: (number | null)[]) => chooseDate(Math.max, times);

function chooseDate(choose: typeof Math.max, times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : choose(...known);
}
