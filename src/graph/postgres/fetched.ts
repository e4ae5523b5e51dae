// What was fetched for a check, as `resolve` asks for it; what it asks for beside that is noted, to be fetched.
import type { Identity } from '../../model.ts';
import type { GraphReader, KnownSignature, KeyPosting } from '../resolve/reader.ts';
import type { GraphKeys } from '../encryption/keys.ts';

interface Card {
  firstSeen: number | null;
  lastSeen: number | null;
  /** What only those have whose names were fetched. */
  rest: { records: number; sources: number; profile: Buffer } | null;
}

/** What was asked for and not fetched. */
export interface Missed {
  identities: Set<number>;
  /** Frequent keys. */
  keys: Set<number>;
}

/** Row of CHECK; MORE has null instead of the postings. */
export type CheckRow = [
  identities: number,
  newest: number | null,
  stamp: string,
  postings: string | null,
  cards: string | null,
  pairs: string | null,
];

export interface Fetched extends GraphReader {
  /** Another text after each publication. */
  readonly stamp: string;
  /** Takes in the answer to MORE. @param keys those that it was asked about */
  add(row: CheckRow, asked: { identities: number[]; keys: number[] }): void;
  /** What was missed since this was asked last. */
  missed(): Missed;
}

const NONE: KeyPosting = { key: 0, share: 0, ids: [], primary: [] };

/** @param keys the fingerprints that CHECK was asked about */
export function fetched(row: CheckRow, keys: number[], { profiles }: Pick<GraphKeys, 'profiles'>): Fetched {
  const [total, newest, stamp, postings, cards, pairs] = row;
  const whole = { total, newest };
  const found = keys.map((key) => ({ ...NONE, key }));
  for (const line of linesOf(postings)) {
    const [place = 0, share = 0, ...holders] = numbersOf(line);
    const one = found[place - 1];
    if (one) Object.assign(one, { share, ids: holders.map(half), primary: holders.map(isOdd) });
  }
  const known = new Map<number, Card | null>(linesOf(cards).map(cardOf));
  /** Of each frequent key that was looked up: whoever has it. */
  const held = new Map<number, Map<number, boolean>>();
  /** Whom the frequent keys were looked up for. */
  const lookedUp = new Set(known.keys());
  const hold = (asked: number[], text: string | null | undefined) => {
    for (const line of linesOf(text)) {
      const [place = 0, holder = 0] = numbersOf(line);
      const key = asked[place - 1] ?? 0;
      held.set(key, (held.get(key) ?? new Map<number, boolean>()).set(half(holder), isOdd(holder)));
    }
  };
  hold(keys, pairs);
  let missed: Missed = { identities: new Set(), keys: new Set() };
  /** Their cards; all that is to be known of them where `whole`. */
  const card = (id: number, whole: boolean): Card | null => {
    const it = known.get(id);
    if (it === undefined || (whole && it?.rest === null)) missed.identities.add(id);
    return it ?? null;
  };
  const holds = (key: number, id: number): boolean | undefined => {
    if (!lookedUp.has(id)) {
      missed.identities.add(id);
      missed.keys.add(key);
    }
    return held.get(key)?.get(id);
  };
  return {
    stamp,
    getPostings: () => ({ postings: found, ...whole }),
    findHolders: (asked, ids) =>
      new Map(
        asked.map((key) => [
          key,
          new Map(
            ids.flatMap((id) => {
              const primary = holds(key, id);
              return primary === undefined ? [] : [[id, primary] as const];
            }),
          ),
        ]),
      ),
    getIdentity(id): Identity | null {
      const it = card(id, true);
      if (!it?.rest) return null;
      const { firstSeen, lastSeen, rest } = it;
      const { records, sources, profile } = rest;
      return { id, names: profiles.decryptNames(profile), firstSeen, lastSeen, records, sources };
    },
    getSeenDates: (id) => card(id, false) ?? { firstSeen: null, lastSeen: null },
    getSignatures: (ids) =>
      new Map(
        ids.map((id): [number, KnownSignature[]] => {
          const rest = card(id, true)?.rest;
          return [id, rest ? profiles.decryptSignatures(rest.profile) : []];
        }),
      ),
    add([, , , , more, moreHeld], asked) {
      for (const id of asked.identities) {
        known.set(id, null);
        if (asked.keys.length > 0) lookedUp.add(id);
      }
      for (const line of linesOf(more)) known.set(...cardOf(line));
      hold(asked.keys, moreHeld);
    },
    missed() {
      const now = missed;
      missed = { identities: new Set(), keys: new Set() };
      return now;
    },
  };
}

const half = (holder: number) => Math.floor(holder / 2);
const isOdd = (holder: number) => holder % 2 === 1;

const linesOf = (text: string | null | undefined): string[] => (text ? text.split(';') : []);
const numbersOf = (line: string): number[] => line.split(' ').map(Number);
const timeOf = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);

function cardOf(line: string): [number, Card] {
  const [id, first, last, records, sources, profile] = line.split(' ');
  const rest = profile
    ? { records: Number(records), sources: Number(sources), profile: Buffer.from(profile, 'hex') }
    : null;
  return [Number(id), { firstSeen: timeOf(first), lastSeen: timeOf(last), rest }];
}
