// What is published of very many identities, by threads where that is worth while.
import { type AtHandView, readingAtHand } from '../../../link/packed/at-hand.ts';
import type { Numbering } from '../../../link/numbers.ts';
import { ownNameTables } from '../../../names/index.ts';
import { codeFile } from '../../../platform/assets.ts';
import type { Pool } from '../../../platform/threads/helpers.ts';
import { inTurn } from '../../../platform/threads/in-turn.ts';
import type { Told } from '../../publish/ranked.ts';
import type { GraphKeys } from '../../sealed/keys.ts';
import { type GatheredColumns, type GatheringBoot, gatheringWorks, type SomeIdentities } from './works.ts';

type Numbered = Numbering['identities'][number];

/** An identity as a row of the file, and the keys that it is found by. */
export interface PublishedRow {
  number: number;
  rows: ArrayLike<number>;
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  sources: number;
  hint: Uint8Array;
  profile: Uint8Array;
  /** See `keysOf`. */
  keys: ArrayLike<number>;
}

/** Identities that are gathered at a time. */
const TOGETHER = 250;

export interface GatheringOptions {
  keys: GraphKeys;
  /** Reads a record that is not at hand. */
  read(row: number): Told | null;
  /** Records in memory, and threads that may read them there. */
  near: { atHand: AtHandView; pool: Pool } | undefined;
}

/** Answers in the order of the identities. */
export async function* gathering(
  identities: Numbered[],
  { keys, read, near }: GatheringOptions,
): AsyncIterable<PublishedRow> {
  const nearby = near ? readingAtHand(near.atHand) : () => null;
  const own = gatheringWorks(keys, (row) => nearby(row) ?? read(row));
  const boot = near && { secret: keys.secret, nameTables: ownNameTables(), atHand: near.atHand };
  const helpers = near?.pool.use(
    codeFile('graph/sqlite/gathering/works'),
    boot satisfies GatheringBoot | undefined,
    own,
  );
  const isNear = ({ rows }: SomeIdentities) => rows.every((row) => near?.atHand.places[row] !== 0);
  const gathered = async (some: SomeIdentities) => {
    if (!helpers || !isNear(some)) return rowsIn(some, own.gather(some));
    const { numbers, rows, ends } = some;
    const copy = { numbers: numbers.slice(), rows: rows.slice(), ends: ends.slice() };
    return rowsIn(some, await helpers.ask('gather', copy));
  };
  const others = () => (helpers?.count ?? 0) * 2;
  for await (const rows of inTurn(batches(identities), gathered, others)) yield* rows;
}

function* batches(identities: Numbered[]): Iterable<SomeIdentities> {
  for (let at = 0; at < identities.length; at += TOGETHER) yield someOf(identities.slice(at, at + TOGETHER));
}

function someOf(identities: Numbered[]): SomeIdentities {
  let end = 0;
  return {
    numbers: Float64Array.from(identities, ({ number }) => number),
    rows: Uint32Array.from(identities.flatMap(({ rows }) => rows)),
    ends: Uint32Array.from(identities, ({ rows }) => (end += rows.length)),
  };
}

function* rowsIn({ numbers, rows, ends }: SomeIdentities, all: GatheredColumns): Iterable<PublishedRow> {
  const part = <T extends Uint8Array | Uint32Array | Float64Array>(from: T, at: Uint32Array, i: number) =>
    from.subarray(i > 0 ? at[i - 1] : 0, at[i]) as T;
  const orNull = (time = NaN) => (Number.isNaN(time) ? null : time);
  for (const [i, number] of numbers.entries())
    yield {
      number,
      rows: part(rows, ends, i),
      firstSeen: orNull(all.firstSeen[i]),
      lastSeen: orNull(all.lastSeen[i]),
      sources: all.sources[i] ?? 0,
      hint: part(all.hints, all.hintEnds, i),
      profile: part(all.profiles, all.profileEnds, i),
      keys: part(all.keys, all.keyEnds, i),
    };
}
