// Deletes watches and lines of batch jobs that contain values of forgotten people.
import { createFingerprintFunctions, createWatchKeyFingerprinter } from '../graph/encryption/fingerprints.ts';
import { loadOrCreateSecret } from '../graph/encryption/secret.ts';
import { toGraphQuery } from '../check.ts';
import { parseClaim } from '../claim/parse.ts';
import { deleteMatchingJobLines } from '../jobs/job.ts';
import { getNameForLinking } from '../link/link-name.ts';
import type { RecordRow } from '../link/stored-record.ts';
import type { Claim, LookupKeyType } from '../model.ts';
import {
  deleteWatches,
  findWatchesByLookupKeys,
  MAX_WATCHES_PER_TRANSACTION,
} from '../store/events/watches.ts';
import {
  eraseDeletedRows,
  getStoreLocation,
  openStoreAtLocation,
  type StoreSettings,
} from '../store/open.ts';
import { createWatchCodec } from './watch.ts';

/** Creates a function that deletes the watches and job lines which contain values of the given records. Returns the number of each. */
export const createWatchAndJobEraser =
  (settings: StoreSettings & { secret?: string | undefined; region: string }) =>
  (rows: readonly RecordRow[]): { watches: number; job_lines: number } => {
    const secret = loadOrCreateSecret(settings.dataDir, settings.secret);
    const codec = createWatchCodec(secret);
    const { of } = createFingerprintFunctions(secret);
    const toWatchKey = createWatchKeyFingerprinter(secret);
    const person = collectValues(rows, of);
    const location = getStoreLocation(settings);
    const store = openStoreAtLocation(location);
    try {
      const keys = [...person.contacts, ...person.addresses, ...person.names].map(toWatchKey);
      const watches: number[] = [];
      for (const { id, claim } of findWatchesByLookupKeys(store.raw, keys))
        if (hasValuesOf(person, codec.openClaim(claim), of)) watches.push(id);
      for (let i = 0; i < watches.length; i += MAX_WATCHES_PER_TRANSACTION) {
        const ids = watches.slice(i, i + MAX_WATCHES_PER_TRANSACTION);
        store.raw.transaction(() => deleteWatches(store.raw, ids)).immediate();
      }
      const isTheirs = (request: Record<string, unknown>) => {
        const claim = tryParse(request, settings.region);
        return claim !== null && hasValuesOf(person, claim, of);
      };
      const jobLines = deleteMatchingJobLines(store, { secret, isTheirs, now: Date.now() });
      if (watches.length + jobLines > 0) eraseDeletedRows(store, location);
      return { watches: watches.length, job_lines: jobLines };
    } catch (error) {
      throw store.toStoreError(error);
    } finally {
      store.close();
    }
  };

/** Parses the request of a job line to a claim (the name and contacts to check); null if it is invalid. */
function tryParse(value: Record<string, unknown>, region: string): Claim | null {
  try {
    return parseClaim({ value, issues: [] }, region);
  } catch {
    return null;
  }
}

type Of = (type: LookupKeyType, text: string) => number;

/** Fingerprints of people's values: e-mails and phones (`contacts`), complete addresses, and names. */
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
 * True if a claim is about one of the forgotten people. It has one of their e-mails or phones, or their name with their address, or their name and no
 * contact.
 */
function hasValuesOf({ contacts, addresses, names }: PersonValues, claim: Claim, of: Of): boolean {
  const { nameKeys, values } = toGraphQuery(claim).query;
  const keys = values.flatMap((value) => value.keys.map(({ type, text }) => of(type, text)));
  if (keys.some((key) => contacts.has(key))) return true;
  const hasName = nameKeys.some((text) => names.has(of('name', text)));
  return hasName && (claim.contacts.length === 0 || keys.some((key) => addresses.has(key)));
}
