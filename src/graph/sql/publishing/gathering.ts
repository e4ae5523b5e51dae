// Computes the published data of all identities, in worker threads if there are any.
import type { IdentityNumbering } from '../../../link/identity-numbers.ts';
import { listJoinedArrayEnds, sliceJoinedArray } from '../../../link/joined-arrays.ts';
import { createSharedMemoryRecordReader } from '../../../link/packed-records.ts';
import type { Awaitable } from '../../../model.ts';
import { listOperatorNameTablePaths } from '../../../names/index.ts';
import { getModuleFile } from '../../../platform/assets.ts';
import { mapInOrder } from '../../../platform/turn.ts';
import type { GraphCiphersAndFingerprints } from '../../encryption/keys.ts';
import { packSealedRecordPage, type SealedRow } from '../../encryption/sealed-records.ts';
import type { LinkingResultOfAllRecords } from '../../linking.ts';
import type { PublishedIdentity } from '../published.ts';
import {
  createIdentityComputationTasks,
  type PublishedIdentityFieldArrays,
  type IdentityWorkerStartData,
  type IdentityRecordRowArrays,
} from './gathering-worker.ts';

const BATCH = 250;

export interface IdentityComputationOptions {
  keys: GraphCiphersAndFingerprints;
  needsDigests: boolean;
  /** Reads encrypted records that are not in memory. Leaves out deleted records. */
  readSealedRows(rows: number[]): Awaitable<SealedRow[]>;
  inMemory: LinkingResultOfAllRecords['inMemory'];
}

/** Yields what is published about identities, in batches, in the order of the identities. */
export function encodePublishedIdentityBatches(
  identities: IdentityNumbering['identities'],
  { keys, needsDigests, readSealedRows, inMemory }: IdentityComputationOptions,
): AsyncIterable<PublishedIdentity[]> {
  const readSharedRecord = inMemory ? createSharedMemoryRecordReader(inMemory.sharedRecords) : () => null;
  const own = createIdentityComputationTasks(keys, { readSharedRecord, needsDigests });
  const boot: IdentityWorkerStartData | undefined = inMemory && {
    secret: keys.secret,
    nameTables: listOperatorNameTablePaths(),
    sharedRecords: inMemory.sharedRecords,
    needsDigests,
  };
  const helpers = inMemory?.pool.use(getModuleFile('graph/sql/publishing/gathering-worker'), boot, own);
  const isMissing = (row: number) => (inMemory?.sharedRecords.places[row] ?? 0) === 0;
  const gather = async (batch: IdentityNumbering['identities']) => {
    const columns = toColumns(batch);
    const missing = Array.from(columns.rows).filter(isMissing);
    const sealed = missing.length > 0 ? packSealedRecordPage(await readSealedRows(missing)) : null;
    if (!helpers) return toIdentities(batch, own.gather({ ...columns, sealed }));
    return toIdentities(batch, await helpers.ask('gather', { ...columns, sealed }));
  };
  return mapInOrder(batchesOf(identities), gather, () => (helpers?.count ?? 0) * 2);
}

function* batchesOf(identities: IdentityNumbering['identities']): Iterable<IdentityNumbering['identities']> {
  for (let at = 0; at < identities.length; at += BATCH) yield identities.slice(at, at + BATCH);
}

function toColumns(identities: IdentityNumbering['identities']): Omit<IdentityRecordRowArrays, 'sealed'> {
  return {
    numbers: Float64Array.from(identities, ({ number }) => number),
    rows: Uint32Array.from(identities.flatMap(({ rows }) => rows)),
    ends: listJoinedArrayEnds(identities.map(({ rows }) => rows)),
  };
}

function toIdentities(
  identities: IdentityNumbering['identities'],
  all: PublishedIdentityFieldArrays,
): PublishedIdentity[] {
  const orNull = (time = NaN) => (Number.isNaN(time) ? null : time);
  return identities.map(({ number, rows }, i) => ({
    number,
    rows,
    firstSeen: orNull(all.firstSeen[i]),
    lastSeen: orNull(all.lastSeen[i]),
    sources: all.sources[i] ?? 0,
    hint: sliceJoinedArray(all.hints, all.hintEnds, i),
    profile: sliceJoinedArray(all.profiles, all.profileEnds, i),
    keys: sliceJoinedArray(all.keys, all.keyEnds, i),
    digest: all.digests[i] ?? 0,
  }));
}
