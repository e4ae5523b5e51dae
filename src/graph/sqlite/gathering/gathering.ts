// What is published of very many identities, by threads where that is worth while.
import { type AtHandView, readingAtHand } from '../../../link/packed/at-hand.ts';
import type { Numbering } from '../../../link/numbers.ts';
import { loadedNameTables } from '../../../names/index.ts';
import { codeFile } from '../../../platform/assets.ts';
import type { Pool } from '../../../platform/threads/helpers.ts';
import { inTurn } from '../../../platform/threads/in-turn.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { packSealedPage, type SealedRow } from '../../encryption/sealed-records.ts';
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

type Some = Omit<SomeIdentities, 'more'>;

/** Identities that are gathered at a time. */
const TOGETHER = 250;

export interface GatheringOptions {
  keys: GraphKeys;
  /** Reads records that are not at hand; those that are gone are left out. */
  sealedOf(rows: number[]): SealedRow[];
  /** Records in memory, and threads that help. */
  near: { atHand: AtHandView; pool: Pool } | undefined;
}

/** Answers in the order of the identities. */
export async function* gathering(
  identities: Numbered[],
  { keys, sealedOf, near }: GatheringOptions,
): AsyncIterable<PublishedRow> {
  const own = gatheringWorks(keys, near ? readingAtHand(near.atHand) : () => null);
  const boot = near && { secret: keys.secret, nameTables: loadedNameTables(), atHand: near.atHand };
  const helpers = near?.pool.use(
    codeFile('graph/sqlite/gathering/works'),
    boot satisfies GatheringBoot | undefined,
    own,
  );
  const isFar = (row: number) => (near?.atHand.places[row] ?? 0) === 0;
  const gathered = async (some: Some) => {
    const { numbers, rows, ends } = some;
    const far = Array.from(rows).filter(isFar);
    const more = far.length > 0 ? packSealedPage(sealedOf(far)) : null;
    if (!helpers) return rowsIn(some, own.gather({ ...some, more }));
    const copy = { numbers: numbers.slice(), rows: rows.slice(), ends: ends.slice(), more };
    return rowsIn(some, await helpers.ask('gather', copy));
  };
  const others = () => (helpers?.count ?? 0) * 2;
  for await (const rows of inTurn(batches(identities), gathered, others)) yield* rows;
}

function* batches(identities: Numbered[]): Iterable<Some> {
  for (let at = 0; at < identities.length; at += TOGETHER) yield someOf(identities.slice(at, at + TOGETHER));
}

function someOf(identities: Numbered[]): Some {
  let end = 0;
  return {
    numbers: Float64Array.from(identities, ({ number }) => number),
    rows: Uint32Array.from(identities.flatMap(({ rows }) => rows)),
    ends: Uint32Array.from(identities, ({ rows }) => (end += rows.length)),
  };
}

function* rowsIn({ numbers, rows, ends }: Some, all: GatheredColumns): Iterable<PublishedRow> {
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
