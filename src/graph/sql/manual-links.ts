import type { StoredRecord } from '../../link/stored-record.ts';
import {
  type ManualLinkOperations,
  type ManualLink,
  createManualLinkLabel,
  type StoredManualLink,
} from '../capabilities.ts';
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { SqlSession } from './session.ts';

/** Table with the labels that valid manual links give to records. Only SQLite graphs have it; others compute the labels. */
export interface ManualLinkPersonLabelTable {
  isEmpty(): boolean;
  /** Returns the label that a manual link gives to a record; undefined if none does. `key` is the fingerprint of the record's source and id. */
  lookUp(key: Buffer): string | undefined;
  /** Replaces the content of the table by a map from record fingerprint (hexadecimal) to label. Call it inside a transaction. */
  replace(labels: ReadonlyMap<string, string>): void;
}

export interface ManualLinkStore extends ManualLinkOperations {
  /** Returns a function that gives a record the label of its manual link; null if there are no valid manual links. */
  openLabelling(): Promise<((record: StoredRecord) => StoredRecord) | null>;
}

/** Removes the label of a manual link from a record, which then has the label of its source again. */
export function restoreSourceLabelOfRecord(record: StoredRecord): StoredRecord {
  const { said, ...plain } = record;
  return said === undefined ? record : { ...plain, label: said };
}

/** Opens the manual links of a graph, which are stored encrypted. Reads all of them at once, because there are few. */
export function createManualLinkStore(
  session: SqlSession,
  { fingerprints, cipher }: Pick<GraphCiphersAndFingerprints, 'fingerprints' | 'cipher'>,
  labelTable?: ManualLinkPersonLabelTable,
): ManualLinkStore {
  const list = async (): Promise<StoredManualLink[]> => {
    const rows = await session.query<[number, number | null, Buffer]>(
      'SELECT id, undone, sealed FROM judgement ORDER BY id',
    );
    return rows.map(([id, undone, sealed]) => ({
      ...(JSON.parse(cipher.decrypt(sealed)) as ManualLink),
      id,
      undone,
    }));
  };
  const seal = (link: ManualLink) => cipher.encrypt(JSON.stringify(link));
  const change = <T>(work: () => Promise<T>): Promise<T> =>
    session.runAtomically(async () => {
      const result = await work();
      labelTable?.replace(getManualLinkLabels(await list()));
      return result;
    });
  return {
    list,
    add: (link) =>
      change(async () => {
        const text = 'INSERT INTO judgement (time, sealed) VALUES ($1, $2) RETURNING id';
        const [row] = await session.query<[number]>(text, [link.time, seal(link)]);
        return row?.[0] ?? 0;
      }),
    undo: (id, time) =>
      change(async () => {
        const text = 'UPDATE judgement SET undone = $1 WHERE id = $2 AND undone IS NULL RETURNING id';
        return (await session.query(text, [time, id])).length > 0;
      }),
    removeRecords: (keys) =>
      change(async () => {
        const forgotten = new Set(keys);
        for (const { id, undone: _, ...link } of await list()) {
          const groups = link.groups.map((group) => group.filter((key) => !forgotten.has(key)));
          if (groups.flat().length === link.groups.flat().length) continue;
          // The reason may name the person.
          const values = [seal({ ...link, why: '', groups }), id];
          await session.query('UPDATE judgement SET sealed = $1 WHERE id = $2', values);
        }
      }),
    async openLabelling() {
      const table = labelTable ?? tableOf(getManualLinkLabels(await list()));
      if (table.isEmpty()) return null;
      return (record) => {
        const own = restoreSourceLabelOfRecord(record);
        const label = table.lookUp(fingerprints.ofRecord(record.source, record.recordId));
        return label === undefined ? own : { ...own, label, said: own.label };
      };
    },
  };
}

/**
 * Returns the labels that valid manual links give to records, by record fingerprint (hexadecimal). If several contain a record, the newest one
 * decides.
 */
export function getManualLinkLabels(links: readonly StoredManualLink[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { id, undone, groups } of links)
    if (undone === null)
      for (const [i, keys] of groups.entries())
        for (const key of keys) labels.set(key, createManualLinkLabel(id, i + 1));
  return labels;
}

const tableOf = (labels: ReadonlyMap<string, string>): Omit<ManualLinkPersonLabelTable, 'replace'> => ({
  isEmpty: () => labels.size === 0,
  lookUp: (key) => labels.get(key.toString('hex')),
});
