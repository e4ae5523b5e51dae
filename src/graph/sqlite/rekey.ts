// Copies a graph to files with another secret: encrypts its records again, and copies identities and manual links.
import type { StoredRecord } from '../../link/stored-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { StoredManualLink } from '../capabilities.ts';
import { deriveFingerprintKey, type FingerprintFunctions } from '../encryption/fingerprints.ts';
import {
  createEarlierSecrets,
  deriveGraphCiphersAndFingerprints,
  type GraphCiphersAndFingerprints,
} from '../encryption/keys.ts';
import { createRecordCipher } from '../encryption/sealed-records.ts';
import { createManualLinkStore, getManualLinkLabels } from '../sql/manual-links.ts';
import type { SqlSession } from '../sql/session.ts';
import { openGraphDatabase, openOrCreateRecordsDatabase, getRecordsFilePath } from './database.ts';
import { openEarlierSecretStorage, openSourceImportTimes } from './meta.ts';
import { createSqliteSession } from './session.ts';
import { openManualLinkPersonLabels } from './write/records.ts';

/** Path of the graph file, and secret of the graph (64 hexadecimal characters). */
interface GraphFileWithSecret {
  file: string;
  secret: string;
}

export interface CopyUnderSecretOptions {
  from: GraphFileWithSecret;
  to: GraphFileWithSecret;
  remake(record: StoredRecord, fingerprints: FingerprintFunctions): StoredRecord;
  onProgress?: ((done: number) => void) | undefined;
}

interface OpenedFile {
  db: Db;
  session: SqlSession;
  keys: GraphCiphersAndFingerprints;
}

/**
 * Copies all records to files under another secret, with manual links, marks of the suppression list, previous identity numbers and times of imports,
 * but without the data for an undo. Returns the rows of each identity with at least two records. Errors: those of SQLite; `wrong_secret`; those of
 * `remake`.
 */
export async function copyGraphUnderSecret({
  from,
  to,
  remake,
  onProgress,
}: CopyUnderSecretOptions): Promise<number[][]> {
  const [source, target] = [
    deriveGraphCiphersAndFingerprints(from.secret),
    deriveGraphCiphersAndFingerprints(to.secret),
  ];
  return using(from.file, source, async (old) => {
    openGraphDatabase({ file: to.file, keys: target, create: true }).close();
    return using(to.file, target, (now) =>
      now.session.runAtomically(async () => {
        const clusters = await copyRecords(old, now, { remake, onProgress });
        await copyTable(old, now, { name: 'merged', columns: ['number', 'heir'], key: ['number'] });
        await copyTable(old, now, { name: 'bore', columns: ['number', 'row'], key: ['number', 'row'] });
        await copyTable(old, now, { name: 'forgotten', columns: ['mark', 'time'], key: ['mark'] });
        const earlier = await earlierSecretsIn(old).list();
        await earlierSecretsIn(now).replace([...earlier, deriveFingerprintKey(from.secret)]);
        return clusters;
      }),
    );
  });
}

const earlierSecretsIn = ({ db, keys }: OpenedFile) =>
  createEarlierSecrets(openEarlierSecretStorage(db), keys);

async function using<T>(
  graph: string,
  keys: GraphCiphersAndFingerprints,
  work: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  const file = getRecordsFilePath(graph);
  const db = openOrCreateRecordsDatabase(file, keys);
  try {
    return await work({ db, session: createSqliteSession(db, file), keys });
  } finally {
    db.close();
  }
}

const PAGE = `SELECT id, key, identity, sealed FROM record WHERE id > $1 ORDER BY id LIMIT 500`;
const RECORD = { name: 'record', columns: ['id', 'key', 'ref', 'identity', 'sealed'], key: ['id'] };

async function copyRecords(
  old: OpenedFile,
  now: OpenedFile,
  { remake, onProgress }: Pick<CopyUnderSecretOptions, 'remake' | 'onProgress'>,
): Promise<number[][]> {
  const { fingerprints, cipher } = now.keys;
  const [read, write] = [
    createRecordCipher(old.keys.fingerprints, old.keys.cipher),
    createRecordCipher(fingerprints, cipher),
  ];
  const links = await createManualLinkStore(old.session, old.keys).list();
  /** New fingerprint of each record in a manual link, by its old fingerprint, both in hexadecimal. */
  const keys = new Map(links.flatMap(({ groups }) => groups.flat()).map((key) => [key, '']));
  const rowsOf = new Map<number, number[]>();
  const sources = new Set<string>();
  const page = (after: number) => old.session.query<[number, Buffer, number | null, Buffer]>(PAGE, [after]);
  let done = 0;
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.[0] ?? 0)) {
    for (const [id, key, identity, sealed] of rows) {
      const record = read.decrypt(sealed);
      sources.add(record.source);
      const made = write.encrypt(remake(record, fingerprints));
      await now.session.upsert(RECORD, [[id, made.key, made.ref, identity, made.sealed]]);
      if (identity !== null) rowsOf.set(identity, [...(rowsOf.get(identity) ?? []), id]);
      if (keys.has(key.toString('hex'))) keys.set(key.toString('hex'), made.key.toString('hex'));
    }
    onProgress?.((done += rows.length));
  }
  await copyManualLinks(now, links, keys);
  openSourceImportTimes(now.db, now.keys).copy(sources, openSourceImportTimes(old.db, old.keys));
  return [...rowsOf.values()].filter(({ length }) => length > 1);
}

const MANUAL_LINK = { name: 'judgement', columns: ['id', 'time', 'undone', 'sealed'], key: ['id'] };

/** Copies manual links with the new fingerprints of their records. Leaves out fingerprints of deleted records. */
async function copyManualLinks(
  { db, session, keys: { cipher } }: OpenedFile,
  links: StoredManualLink[],
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const copies = links.map((link) => ({
    ...link,
    groups: link.groups.map((group) => group.flatMap((key) => keys.get(key) || [])),
  }));
  for (const { id, undone, ...link } of copies)
    await session.upsert(MANUAL_LINK, [[id, link.time, undone, cipher.encrypt(JSON.stringify(link))]]);
  openManualLinkPersonLabels(db).replace(getManualLinkLabels(copies));
}

async function copyTable(
  old: OpenedFile,
  now: OpenedFile,
  table: Parameters<SqlSession['upsert']>[0],
): Promise<void> {
  await now.session.upsert(
    table,
    await old.session.query(`SELECT ${table.columns.join()} FROM ${table.name}`),
  );
}
