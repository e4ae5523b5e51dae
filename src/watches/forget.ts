// Deletes watches, with their events, and lines of batch jobs that contain values of forgotten people.
import { existsSync } from 'node:fs';
import { resultOr } from '../errors.ts';
import { createFingerprintFunctions, createWatchKeyFingerprinter } from '../graph/encryption/fingerprints.ts';
import { loadOrCreateSecret, requireNoInterruptedRekey } from '../graph/encryption/secret.ts';
import { toGraphQuery } from '../check.ts';
import { parseClaim } from '../claim/parse.ts';
import { deleteJobLinesOfForgottenPeople } from '../jobs/job.ts';
import { getNameForLinking } from '../link/link-name.ts';
import type { RecordRow } from '../link/stored-record.ts';
import type { Claim, LookupKeyType } from '../model.ts';
import { markErasurePending, removeEventsOfWatch } from '../store/events/events.ts';
import {
  deleteWatches,
  findWatchesByLookupKeys,
  MAX_WATCHES_PER_TRANSACTION,
  type StoredWatch,
  toWatchId,
} from '../store/events/watches.ts';
import {
  eraseDeletedRows,
  getStoreLocation,
  openStoreAtLocation,
  type StoreSettings,
} from '../store/open.ts';
import type { Store, StoreLocation } from '../store/store.ts';
import { createWatchCodec } from './watch.ts';

/** Maximum wait in milliseconds for PostgreSQL to rewrite a table when `eraseDeletedRows` is called with `force`. */
const FORCED_REWRITE_MS = 3_600_000;

/** Creates the functions that delete the watches (claims that are checked again) and job lines of forgotten people. */
export function createWatchAndJobEraser(
  settings: StoreSettings & { secret?: string | undefined; region: string },
) {
  /** First bytes of the deleted values; null if some are unknown. */
  let traces: Buffer[] | null = [];
  /** Value of the mark of `markErasurePending` after the last deletion; null before the first deletion. */
  let generation: number | null = null;
  const withStore = <T>(work: (store: Store, location: StoreLocation) => T, maxWaitMs?: number): T => {
    const location = getStoreLocation(settings);
    const store = openStoreAtLocation(location, null, maxWaitMs);
    try {
      return work(store, location);
    } catch (error) {
      throw store.toStoreError(error);
    } finally {
      store.close();
    }
  };
  /** Runs `remove` in a transaction, and notes in the store that the bytes of the deleted rows must still be erased from its files. */
  const deleteAndMark = ({ raw }: Store, remove: () => void) => {
    const marked = raw
      .transaction(() => {
        remove();
        return markErasurePending(raw, Date.now());
      })
      .immediate();
    // Another process deleted rows that are not erased yet.
    if (marked.before !== null && marked.before !== generation) traces = null;
    generation = marked.after;
  };
  const deleteRows = (rows: readonly RecordRow[], store: Store) => {
    // Watches and job lines under the old secret would not be found.
    requireNoInterruptedRekey(settings.dataDir, settings.secret);
    const secret = loadOrCreateSecret(settings.dataDir, settings.secret);
    const codec = createWatchCodec(secret);
    const { of } = createFingerprintFunctions(secret);
    const toWatchKey = createWatchKeyFingerprinter(secret);
    const person = collectValues(rows, of);
    const keys = [...person.contacts, ...person.addresses, ...person.names].map(toWatchKey);
    const watches: StoredWatch[] = [];
    for (const watch of findWatchesByLookupKeys(store.raw, keys))
      if (hasValuesOf(person, codec.openClaim(watch.claim), of)) watches.push(watch);
    const remove = (some: readonly StoredWatch[]) => {
      deleteWatches(
        store.raw,
        some.map(({ id }) => id),
      );
      for (const { number } of some) removeEventsOfWatch(store.raw, toWatchId(number));
      addTraces(some.map(({ claim }) => claim));
    };
    for (let i = 0; i < watches.length; i += MAX_WATCHES_PER_TRANSACTION)
      deleteAndMark(store, () => remove(watches.slice(i, i + MAX_WATCHES_PER_TRANSACTION)));
    const isTheirs = (request: Record<string, unknown>, region: string | null) => {
      const claim = tryParse(request, region ?? settings.region);
      return claim !== null && hasValuesOf(person, claim, of);
    };
    const lines = deleteJobLinesOfForgottenPeople(store, {
      secret,
      isTheirs,
      now: Date.now(),
      change: (replace) => deleteAndMark(store, () => addTraces(replace())),
    });
    return { watches: watches.length, job_lines: lines };
  };
  /** Sentence that says why deleted bytes may remain in the store's files after the last erasure; null if none remain. */
  let problem: string | null = null;
  const addTraces = (sealed: readonly Uint8Array[]) => traces?.push(...sealed.map(getTrace));
  return {
    /** Deletes the watches and job lines that contain values of the records. Returns the number of each. Errors: those of the store. */
    deleteRows: (rows: readonly RecordRow[]) => withStore((store) => deleteRows(rows, store)),
    /**
     * Removes the bytes of deleted rows from the files of the store, also those of an interrupted earlier run. Returns false if some bytes may
     * remain, for any reason. Call it after the transaction of the graph, which may be in the same database.
     * @param force true to erase even if calls must wait meanwhile, as in a large store
     */
    eraseDeletedRows(force = false): boolean {
      const erase = (store: Store, location: StoreLocation) =>
        eraseDeletedRows(store, location, { sealed: traces, generation, force });
      try {
        const isThere = hasStore(getStoreLocation(settings));
        problem = isThere ? withStore(erase, force ? FORCED_REWRITE_MS : undefined) : null;
      } catch (error) {
        // The disk may be full, or another process may use the tables. That must not stop the erasure of the graph.
        problem = error instanceof Error ? error.message : String(error);
      }
      return problem === null;
    },
    /** Returns the sentence that says why the last `eraseDeletedRows` returned false; null if it returned true. */
    getErasureProblem: (): string | null => problem,
  };
}

const hasStore = (location: StoreLocation) => !('file' in location) || existsSync(location.file);

/** Returns the first bytes of an encrypted value, which are random and in no other value. */
const getTrace = (sealed: Uint8Array): Buffer => Buffer.from(sealed.subarray(0, 28));

/** Parses the request of a job line to a claim (the name and contacts to check); null if it is invalid. */
const tryParse = (value: Record<string, unknown>, region: string): Claim | null =>
  resultOr(() => parseClaim({ value, issues: [] }, region), null);

type Of = (type: LookupKeyType, text: string) => number;

/** Fingerprints of forgotten people's values: e-mails and phones (`contacts`), complete addresses, and names. */
interface PersonValues {
  contacts: Set<number>;
  addresses: Set<number>;
  names: Set<number>;
}

const CONTACT_TYPES: ReadonlySet<LookupKeyType> = new Set(['email', 'mailbox', 'phone']);

function collectValues(rows: readonly RecordRow[], of: Of): PersonValues {
  const [contacts, addresses, names] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const row of rows) {
    for (const [type, key] of row.contacts.flatMap((contact) => contact.keys)) {
      if (CONTACT_TYPES.has(type)) contacts.add(key);
      if (type === 'address' || type === 'premise') addresses.add(key);
    }
    for (const name of row.names)
      for (const key of getNameForLinking(name).keys()) names.add(of('name', key));
  }
  return { contacts, addresses, names };
}

/**
 * True if a claim is about one of the forgotten people: it has one of their e-mails or phones, or their name with their address, or their name
 * without any contact.
 */
function hasValuesOf({ contacts, addresses, names }: PersonValues, claim: Claim, of: Of): boolean {
  const { nameKeys, values } = toGraphQuery(claim).query;
  const keys = values.flatMap((value) => value.keys.map(({ type, text }) => of(type, text)));
  if (keys.some((key) => contacts.has(key))) return true;
  const hasName = nameKeys.some((text) => names.has(of('name', text)));
  return hasName && (claim.contacts.length === 0 || keys.some((key) => addresses.has(key)));
}
