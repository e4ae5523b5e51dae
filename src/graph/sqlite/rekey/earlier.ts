// The keys of fingerprints that a graph had before its secret was changed: by them it still knows who was forgotten then.
import type { Db } from '../../../platform/sqlite.ts';
import { type Fingerprints, fingerprintsFromPrefix } from '../../encryption/fingerprints.ts';
import type { TextSealing } from '../../encryption/sealing.ts';
import { readRecordMeta, writeRecordMeta } from '../meta.ts';

/** The oldest first; none where the secret is the first. */
export function earlierKeys(db: Db, sealing: TextSealing): string[] {
  const sealed = readRecordMeta(db, 'earlier');
  return sealed === null ? [] : (JSON.parse(sealing.open(Buffer.from(sealed, 'base64'))) as string[]);
}

export const earlierFingerprints = (db: Db, sealing: TextSealing): Fingerprints[] =>
  earlierKeys(db, sealing).map(fingerprintsFromPrefix);

export function keepEarlier(db: Db, sealing: TextSealing, keys: string[]): void {
  writeRecordMeta(db, 'earlier', sealing.seal(JSON.stringify(keys)).toString('base64'));
}
