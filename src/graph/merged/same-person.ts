// Which identities of different graphs are one person: what linking says of two records with their names and the values that both have.
import type { LinkContext } from '../../link/compare/evidence.ts';
import { comparePair, isJoining } from '../../link/compare/pair.ts';
import { NO_ERRORS } from '../../link/error-rates.ts';
import { linkRecord } from '../../link/record.ts';
import type { LinkRecord } from '../../link/record.ts';
import type { StoredContact } from '../../link/stored.ts';
import type { Agreement, Identity, ContactKind, LookupKeyType } from '../../model.ts';
import type { GraphAnswer } from '../graph.ts';

/** Who has a key has the looser ones behind it too. */
const LOOSER: Record<ContactKind, LookupKeyType[]> = {
  email: ['email', 'mailbox'],
  phone: ['phone'],
  address: ['address', 'premise', 'core', 'core_city', 'street'],
};
const KIND = new Map(
  Object.entries(LOOSER).flatMap(([kind, types]) =>
    types.map((type): [LookupKeyType, ContactKind] => [type, kind as ContactKind]),
  ),
);
const TYPES = [...KIND.keys()];

/** More identities than this of one graph are not compared with those of another: a value that so many have tells little. */
const MOST = 24;

/**
 * The number under which each identity that is another graph's too stands: the one that the first graph of the list knows it by. A graph
 * has told its own identities apart, so no two of them become one.
 *
 * @param answers of each graph, under numbers that tell them apart
 * @param nameKeys keys of the name that was asked for
 */
export function joinIdentities(
  answers: readonly GraphAnswer[],
  nameKeys: readonly string[],
): Map<number, number> {
  const compare = comparing(answers, nameKeys);
  const pairs = pairsOf(answers).flatMap((pair) => {
    const verdict = compare(pair);
    return isJoining(verdict) ? [{ pair, bits: verdict.bits }] : [];
  });
  pairs.sort((x, y) => y.bits - x.bits || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1]);
  const graphOf = (id: number) => answers.findIndex(({ identities }) => identities.has(id));
  const clusters = new Map<number, number[]>();
  for (const { pair } of pairs) {
    const [a, b] = pair.map((id) => clusters.get(id) ?? [id]) as [number[], number[]];
    if (a === b) continue;
    const both = [...a, ...b];
    if (new Set(both.map(graphOf)).size < both.length) continue;
    for (const id of both) clusters.set(id, both);
  }
  const first = (ids: number[]) => ids.toSorted((a, b) => graphOf(a) - graphOf(b))[0] ?? 0;
  return new Map([...clusters].map(([id, ids]) => [id, first(ids)]));
}

/** Two of different graphs that have a value in common. */
function pairsOf(answers: readonly GraphAnswer[]): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  const holders = answers.map(({ values, identities }) =>
    values.map((hits) =>
      hits.filter((hit) => hit.type !== 'typo' && identities.has(hit.identity)).slice(0, MOST),
    ),
  );
  for (const [i, ours] of holders.entries())
    for (const theirs of holders.slice(i + 1))
      for (const [v, hits] of ours.entries())
        for (const one of hits)
          for (const two of theirs[v] ?? [])
            pairs.set(`${one.identity} ${two.identity}`, [one.identity, two.identity]);
  return [...pairs.values()];
}

function comparing(answers: readonly GraphAnswer[], nameKeys: readonly string[]) {
  const texts = new Map<string, number>();
  const numberOf = (type: string, text: string) => {
    const key = `${type} ${text}`;
    texts.set(key, texts.get(key) ?? texts.size + 1);
    return texts.get(key) ?? 0;
  };
  const known = new Map<number, LinkRecord>();
  const record = (id: number): LinkRecord => {
    const made = known.get(id) ?? recordOf(id, answers, numberOf);
    known.set(id, made);
    return made;
  };
  const context = contextOf(answers, new Set(nameKeys.map((text) => numberOf('name', text))));
  return ([a, b]: [number, number]) => comparePair(record(a), record(b), context);
}

/** An identity as a record of its names and of the submitted values that it has. */
function recordOf(
  id: number,
  answers: readonly GraphAnswer[],
  fingerprint: (type: string, text: string) => number,
): LinkRecord {
  const answer = answers.find(({ identities }) => identities.has(id));
  const {
    names = [],
    firstSeen = null,
    lastSeen = null,
  }: Partial<Identity> = answer?.identities.get(id) ?? {};
  const contacts = (answer?.values ?? []).flatMap((hits, v) => {
    const hit = hits.find(({ identity }) => identity === id);
    return hit ? contactOf(hit, v) : [];
  });
  const place = { row: id, key: '', identity: id, source: '', recordId: String(id) };
  const silent = { birthDate: null, label: null };
  return linkRecord({ ...place, ...silent, names, firstSeen, lastSeen, contacts }, fingerprint);
}

function contactOf({ type }: Agreement, value: number): StoredContact[] {
  if (type === 'typo' || type === 'name') return [];
  const kind = KIND.get(type) ?? 'email';
  const types = LOOSER[kind].slice(LOOSER[kind].indexOf(type));
  return [{ kind, keys: types.map((one) => [one, keyOf(value, one)]), signature: null, places: [] }];
}

const keyOf = (value: number, type: LookupKeyType) => value * TYPES.length + TYPES.indexOf(type);

/** How rare things are, as far as the answers tell. */
/** @param names keys of the name that was asked for */
function contextOf(answers: readonly GraphAnswer[], names: ReadonlySet<number>): LinkContext {
  const shares = new Map<number, number>();
  for (const { values } of answers)
    for (const [v, hits] of values.entries())
      for (const { type, share } of hits)
        if (type !== 'typo') {
          const key = keyOf(v, type);
          shares.set(key, Math.max(share, shares.get(key) ?? 1));
        }
  const bearers = Math.max(1, ...answers.map(({ name }) => name.bearers));
  return {
    records: Math.max(1, ...answers.map(({ total }) => total)),
    sharers: (key) => shares.get(key) ?? 1,
    nameCount: (key) => (names.has(key) ? bearers : 1),
    wordCount: () => 1,
    dateCount: () => 1,
    placeCount: () => 1,
    nameAndBirthCount: () => 1,
    perPerson: 1,
    errorRates: NO_ERRORS,
  };
}
