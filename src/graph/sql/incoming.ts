// Records of an import: stored in a temporary database of this process, then applied to the graph in one transaction.
import type { StoredRecord } from '../../link/stored-record.ts';
import { createRowWriter, openTemporaryDatabase } from '../../platform/sqlite.ts';
import type { RecordCipher, SealedRecord } from '../encryption/sealed-records.ts';
import type { GraphRecordOperations, IncomingRecordStorage } from '../records.ts';
import { type ManualLinkStore, restoreSourceLabelOfRecord } from './manual-links.ts';
import type { RecordTable } from './records.ts';
import type { SqlSession } from './session.ts';
import type { SuppressionList, TimedSuppressionMark } from './suppression-list.ts';
import type { ImportUndoJournal } from './undo.ts';

export interface GraphPartsForImport extends Pick<GraphRecordOperations, 'readAllFingerprints'> {
  session: SqlSession;
  table: RecordTable;
  undo: ImportUndoJournal;
  suppression: SuppressionList;
  manualLinks: ManualLinkStore;
}

/** Encrypted record of an import, or the removal of one (`sealed` is null). `place` is its position in the order of arrival. */
interface StagedRecord {
  place: number;
  key: Buffer;
  ref: number | null;
  sealed: Buffer | null;
}

/** Opens the temporary storage for one import. */
export async function openIncomingRecordStorage(target: GraphPartsForImport): Promise<IncomingRecordStorage> {
  const { session, table, undo } = target;
  const [present, first] = await target.readAllFingerprints();
  const { pages, removals, putSealed, ...staging } = openStaging(table);
  return {
    ...staging,
    generateRecordId: (first ?? present).generateRecordId,
    ...(!first && { putSealed }),
    apply: ({ journal, allowReturn = false } = {}) =>
      session.runAtomically(async () => {
        if (journal) await undo.begin(journal);
        const { suppressed, alike, lifted } = await applySuppression(target, pages(), allowReturn);
        if (journal && lifted.length > 0) await undo.noteLiftedMarks(lifted);
        const isJournaled = journal !== undefined;
        const put = await withLabels(target, notIn(suppressed, recordsIn(pages())));
        const counts = await table.put(put, isJournaled);
        const keys = removals();
        // Runs after all records are stored: otherwise an added record could get the row number of a removed one.
        const removed = keys.length > 0 ? await table.remove(keys, isJournaled) : 0;
        return { ...counts, removed, barred: suppressed.size, alike };
      }),
  };
}

/** Adds or replaces records without an import. Of several records with the same source and id, stores the last one. */
export async function upsertRecords(
  target: GraphPartsForImport,
  records: StoredRecord[],
  allowReturn: boolean,
) {
  const { session, table } = target;
  const sealed = table.encryptAll(records.map(restoreSourceLabelOfRecord));
  return session.runAtomically(async () => {
    const { suppressed, alike } = await applySuppression(target, [sealed], allowReturn);
    const byKey = new Map<string, SealedRecord>();
    for (const record of notIn(suppressed, sealed)) byKey.set(record.key.toString('hex'), record);
    const { added } = await table.put(await withLabels(target, byKey.values()), false);
    const barred = sealed.filter(({ key }) => suppressed.has(key.toString('hex'))).length;
    return { added, replaced: records.length - barred - added, barred, alike };
  });
}

interface SuppressedRecords {
  /** Fingerprints (`key`, hexadecimal) of records that are not imported, because their people are on the suppression list. */
  suppressed: Set<string>;
  /** Number of imported records that share an e-mail or a phone with a person on the suppression list. */
  alike: number;
  /** Marks that were removed from the suppression list, because `allowReturn` allows these people to return. */
  lifted: TimedSuppressionMark[];
}

/**
 * Finds the records of an import whose people are on the suppression list. Must run in the transaction of the import, so that nobody can be added to
 * the list meanwhile.
 */
async function applySuppression(
  { table, suppression, readAllFingerprints }: GraphPartsForImport,
  pages: Iterable<Pick<StagedRecord, 'key' | 'sealed'>[]>,
  allowReturn: boolean,
): Promise<SuppressedRecords> {
  const all: SuppressedRecords = { suppressed: new Set(), alike: 0, lifted: [] };
  if ((await suppression.count()) === 0) return all;
  const fingerprints = await readAllFingerprints();
  for (const page of pages) {
    const incoming = page.flatMap(({ key, sealed }) =>
      sealed ? [{ key, record: table.decrypt(sealed) }] : [],
    );
    const records = incoming.map(({ record }) => record);
    const matches = await suppression.check(records, fingerprints);
    const isForgotten = (_: unknown, i: number) => matches[i] === 'forgotten';
    if (allowReturn) all.lifted.push(...(await suppression.lift(records.filter(isForgotten), fingerprints)));
    else for (const { key } of incoming.filter(isForgotten)) all.suppressed.add(key.toString('hex'));
    all.alike += matches.filter((match) => match === 'alike').length;
  }
  return all;
}

function* notIn(keys: ReadonlySet<string>, records: Iterable<SealedRecord>): Iterable<SealedRecord> {
  for (const record of records) if (keys.size === 0 || !keys.has(record.key.toString('hex'))) yield record;
}

/** Gives records the labels of manual links. Decrypts no record if there are no manual links. */
async function withLabels(
  { table, manualLinks }: GraphPartsForImport,
  records: Iterable<SealedRecord>,
): Promise<Iterable<SealedRecord>> {
  const label = await manualLinks.openLabelling();
  return label ? relabel(records, table, label) : records;
}

function* relabel(
  records: Iterable<SealedRecord>,
  table: RecordCipher,
  label: (record: StoredRecord) => StoredRecord,
): Iterable<SealedRecord> {
  for (const sealed of records) {
    const record = table.decrypt(sealed.sealed);
    const labelled = label(record);
    yield labelled === record ? sealed : table.encrypt(labelled);
  }
}

function* recordsIn(pages: Iterable<StagedRecord[]>): Iterable<SealedRecord> {
  for (const page of pages)
    for (const { key, ref, sealed } of page) if (sealed) yield { key, ref: ref ?? 0, sealed };
}

const PAGE = 500;

interface Staging extends Omit<IncomingRecordStorage, 'apply' | 'generateRecordId'> {
  pages(): Iterable<StagedRecord[]>;
  /** Returns the fingerprints (`key`) of records that the import removes. */
  removals(): Buffer[];
}

function openStaging(table: RecordCipher): Staging {
  const db = openTemporaryDatabase();
  db.exec('CREATE TABLE staged (place INTEGER PRIMARY KEY, key BLOB NOT NULL, ref INTEGER, sealed BLOB)');
  const rows = createRowWriter(db, 'staged (key, ref, sealed)', 3);
  const add = db.transaction((records: Omit<StagedRecord, 'place'>[]) => {
    for (const { key, ref, sealed } of records) rows.add(key, ref, sealed);
    rows.end();
  });
  const page = db.prepare<[number], StagedRecord>(
    `SELECT * FROM staged WHERE place > ? ORDER BY place LIMIT ${PAGE}`,
  );
  let isStaged: ((key: string) => boolean) | undefined;
  return {
    put: (records) => add(table.encryptAll(records)),
    putSealed: (records) => add(records),
    remove: (names) => add(names.map((name) => ({ key: table.keyOf(name), ref: null, sealed: null }))),
    resolveDuplicates(merge) {
      db.exec(
        'CREATE TABLE duplicate AS SELECT key FROM staged GROUP BY key HAVING count(*) > 1 ORDER BY min(place)',
      );
      const count = db.prepare<[], number>('SELECT count(*) FROM duplicate').pluck().get() ?? 0;
      if (count === 0) return 0;
      let repeated = 0;
      const resolveOne = duplicateResolver(db, table, merge);
      const key = db.prepare<[number], Buffer>('SELECT key FROM duplicate WHERE rowid = ?').pluck();
      for (let at = 1; at <= count; at++) repeated += resolveOne(key.get(at) ?? Buffer.alloc(0));
      return repeated;
    },
    has: (key) => (isStaged ??= keyLookup(db))(key),
    *pages() {
      for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.place ?? 0)) yield rows;
    },
    removals: () =>
      db.prepare<[], Buffer>('SELECT key FROM staged WHERE sealed IS NULL ORDER BY place').pluck().all(),
    drop: () => void db.close(),
  };
}

type Scratch = ReturnType<typeof openTemporaryDatabase>;

const INDEX = 'CREATE INDEX IF NOT EXISTS staged_key ON staged (key)';

function keyLookup(db: Scratch): (key: string) => boolean {
  db.exec(INDEX);
  const findStagedKey = db.prepare<[Buffer]>('SELECT 1 FROM staged WHERE key = ?');
  return (key) => findStagedKey.get(Buffer.from(key, 'hex')) !== undefined;
}

/**
 * Creates a function that reduces all staged records with one fingerprint of source and id (`key`) to one: the last one, or the result of `merge`. It
 * returns the number of results of `merge` that it left out, because they have the source and id of another staged record.
 */
function duplicateResolver(
  db: Scratch,
  table: RecordCipher,
  merge: Parameters<IncomingRecordStorage['resolveDuplicates']>[0],
) {
  db.exec(INDEX);
  const ends = db.prepare<[Buffer], { first: number; last: number; removal: number | null }>(
    'SELECT min(place) AS first, max(place) AS last, max(iif(sealed IS NULL, place, NULL)) AS removal FROM staged WHERE key = ?',
  );
  const next = db.prepare<[Buffer, number, number], StagedRecord>(
    'SELECT * FROM staged WHERE key = ? AND place > ? AND place <= ? ORDER BY place LIMIT 1',
  );
  const remove = db.prepare('DELETE FROM staged WHERE key = ? AND place >= ? AND place <= ?');
  const findStagedKey = db.prepare<[Buffer]>('SELECT 1 FROM staged WHERE key = ?');
  const insert = db.prepare('INSERT INTO staged (place, key, ref, sealed) VALUES (?, ?, ?, ?)');
  const between = function* (key: Buffer, after: number, last: number) {
    for (let staged = next.get(key, after, last); staged; staged = next.get(key, staged.place, last))
      if (staged.sealed) yield table.decrypt(staged.sealed);
  };
  return (key: Buffer): number => {
    let repeated = 0;
    const { first = 0, last = 0, removal = null } = ends.get(key) ?? {};
    let result: Omit<StagedRecord, 'place'> | undefined = next.get(key, last - 1, last);
    if (merge && removal !== last) {
      result = undefined;
      for (const record of merge(between(key, removal ?? 0, last))) {
        const sealed = table.encrypt(record);
        const isRepeated =
          result?.key.equals(sealed.key) || (!sealed.key.equals(key) && findStagedKey.get(sealed.key));
        if (isRepeated) repeated++;
        else if (result) insert.run(null, sealed.key, sealed.ref, sealed.sealed);
        else result = sealed;
      }
    }
    remove.run(key, first, last);
    if (result) insert.run(first, result.key, result.ref, result.sealed);
    return repeated;
  };
}
