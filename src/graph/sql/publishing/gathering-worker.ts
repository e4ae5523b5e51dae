// Computes the published data of identities (the data that check calls read), in the calling thread or in worker threads.
import {
  deriveGraphCiphersAndFingerprints,
  type GraphCiphersAndFingerprints,
} from '../../encryption/keys.ts';
import {
  createRecordCipher,
  decryptSealedRecordPage,
  type SealedRecordPage,
} from '../../encryption/sealed-records.ts';
import {
  computeIdentityForPublishing,
  type IdentityForPublishing,
  type RecordFieldsForPublishing,
} from '../../resolve/gather.ts';
import {
  joinByteArraysWithEnds,
  listJoinedArrayEnds,
  sliceJoinedArray,
} from '../../../link/joined-arrays.ts';
import {
  type SharedMemoryRecordsView,
  createSharedMemoryRecordReader,
} from '../../../link/packed-records.ts';
import { listOperatorNameTablePaths, loadOperatorNameTable } from '../../../names/index.ts';
import type { PublishedIdentity } from '../published.ts';

/**
 * Several identities and the rows of their records, as arrays. `rows` contains the rows of the first identity, then those of the second one, and so
 * on.
 */
export interface IdentityRecordRowArrays {
  numbers: Float64Array;
  rows: Uint32Array;
  /** For each identity, the index in `rows` after its last row. */
  ends: Uint32Array;
  /** Encrypted records that the worker thread does not have in memory; null if it has all. */
  sealed: SealedRecordPage | null;
}

/**
 * Published fields of several identities, with one array per field. Bytes and look-up keys of all identities are concatenated; an array `ends…`
 * contains the end of each identity's part.
 */
export interface PublishedIdentityFieldArrays {
  /** Date on which each identity was first seen, in milliseconds since 1970; NaN if unknown. */
  firstSeen: Float64Array;
  lastSeen: Float64Array;
  sources: Uint32Array;
  hints: Uint8Array;
  hintEnds: Uint32Array;
  profiles: Uint8Array;
  profileEnds: Uint32Array;
  keys: Float64Array;
  keyEnds: Uint32Array;
  digests: Float64Array;
}

export function encodePublishedLookupKeys({ postings }: Pick<IdentityForPublishing, 'postings'>): number[] {
  const keys: number[] = [];
  postings.forEach((primary, key) => keys.push(key * 2 + Number(primary)));
  return keys;
}

/** Returns a hash of what is published about an identity, which changes only with this data. Encrypted data differs at each encryption. */
export function hashPublishedIdentity(
  { postings, births, contactAges, ...gathered }: IdentityForPublishing,
  fingerprints: Pick<GraphCiphersAndFingerprints['fingerprints'], 'of'>,
): number {
  // Omitted if empty, so that the hash of other identities is the same as in older versions.
  const marks = births.length > 0 ? [births] : [];
  const ages = contactAges === '' ? [] : [contactAges];
  return fingerprints.of('check', JSON.stringify([gathered, [...postings.keys()], ...marks, ...ages]));
}

export interface IdentityComputationContext {
  keys: Pick<GraphCiphersAndFingerprints, 'hints' | 'profiles'>;
  fingerprints: Pick<GraphCiphersAndFingerprints['fingerprints'], 'of'>;
  needsDigests: boolean;
}

/**
 * Computes what is published about one identity, in the form that is stored.
 * @param records all records of the identity, in the order of import
 */
export function encodePublishedIdentity(
  number: number,
  records: RecordFieldsForPublishing[],
  { keys: { hints, profiles }, fingerprints, needsDigests }: IdentityComputationContext,
): Omit<PublishedIdentity, 'number' | 'rows'> {
  const gathered = computeIdentityForPublishing(records, fingerprints);
  const { firstSeen, lastSeen, sources, signatures, postings, contactAges } = gathered;
  const exactParts = signatures.map(({ exactPart }) => exactPart);
  return {
    firstSeen,
    lastSeen,
    sources,
    hint: hints.encode({ identity: number, exactParts, keys: postings.keys(), contactAges }),
    profile: profiles.encrypt(gathered),
    keys: encodePublishedLookupKeys(gathered),
    digest: needsDigests ? hashPublishedIdentity(gathered, fingerprints) : 0,
  };
}

export interface IdentityWorkerStartData {
  secret: string;
  nameTables: readonly string[];
  sharedRecords: SharedMemoryRecordsView;
  needsDigests: boolean;
}

/** Creates the functions that a worker thread for identities runs; see `ThreadPool`. */
export function createWorkerTaskFunctions({
  secret,
  nameTables,
  sharedRecords,
  needsDigests,
}: IdentityWorkerStartData): IdentityComputationTasks {
  for (const file of nameTables.slice(listOperatorNameTablePaths().length)) loadOperatorNameTable(file);
  return createIdentityComputationTasks(deriveGraphCiphersAndFingerprints(secret), {
    readSharedRecord: createSharedMemoryRecordReader(sharedRecords),
    needsDigests,
  });
}

type IdentityComputationTasks = ReturnType<typeof createIdentityComputationTasks>;

interface IdentityComputationTaskOptions {
  /** Returns the record of a row from shared memory; null if it is not there. */
  readSharedRecord(row: number): RecordFieldsForPublishing | null;
  needsDigests: boolean;
}

export function createIdentityComputationTasks(
  { fingerprints, ...keys }: GraphCiphersAndFingerprints,
  { readSharedRecord, needsDigests }: IdentityComputationTaskOptions,
) {
  const gathering = { keys, needsDigests, fingerprints };
  const { decrypt: open } = createRecordCipher(fingerprints, keys.cipher);
  return {
    gather({ numbers, rows, ends, sealed }: IdentityRecordRowArrays): PublishedIdentityFieldArrays {
      const opened = new Map<number, RecordFieldsForPublishing>();
      for (const record of sealed ? decryptSealedRecordPage(sealed, open) : [])
        opened.set(record.row, record);
      const identities = Array.from(numbers, (number, i) => {
        const own = sliceJoinedArray(rows, ends, i);
        const records = Array.from(own, (row) => opened.get(row) ?? readSharedRecord(row) ?? []).flat();
        return encodePublishedIdentity(number, records, gathering);
      });
      const { bytes: hints, ends: hintEnds } = joinByteArraysWithEnds(identities.map(({ hint }) => hint));
      const { bytes: profiles, ends: profileEnds } = joinByteArraysWithEnds(
        identities.map(({ profile }) => profile),
      );
      return {
        firstSeen: Float64Array.from(identities, ({ firstSeen }) => firstSeen ?? NaN),
        lastSeen: Float64Array.from(identities, ({ lastSeen }) => lastSeen ?? NaN),
        sources: Uint32Array.from(identities, ({ sources }) => sources),
        hints,
        hintEnds,
        profiles,
        profileEnds,
        keys: Float64Array.from(identities.flatMap((one) => Array.from(one.keys))),
        keyEnds: listJoinedArrayEnds(identities.map((one) => one.keys)),
        digests: Float64Array.from(identities, ({ digest }) => digest),
      };
    },
  };
}
