import type { AppliedImport, GraphRecordOperations } from '../records.ts';
import type { SqlSession } from './session.ts';
import type { SuppressionList, TimedSuppressionMark } from './suppression-list.ts';

/** Mark of the suppression list in hexadecimal, and the time of the erasure in milliseconds since 1970. */
type StoredMark = [mark: string, time: number];

/** Data from which the last import can be undone: its description, and the records that it changed, in their previous encrypted form. */
export interface ImportUndoJournal {
  /** Begins the journal of an import, and deletes that of the import before. Call all functions that change the journal inside a transaction. */
  begin(what: object): Promise<void>;
  /** Saves the marks that the import removed from the suppression list. `undo` restores them. */
  noteLiftedMarks(marks: readonly TimedSuppressionMark[]): Promise<void>;
  last(): Promise<AppliedImport | null>;
  undo(): ReturnType<ImportUndoTable['restoreRecords']>;
  discard(): Promise<void>;
}

/** Part of the undo journal that is different in each engine. */
export interface ImportUndoTable {
  /** Restores the saved records that did not change since the import; `left` is the number of saved records that changed. */
  restoreRecords(): Promise<Awaited<ReturnType<GraphRecordOperations['undoLastImport']>>>;
  /** Called when an undo journal is deleted, so that the engine deletes its further data for the undo. */
  onClear?(): void;
  onBegin?(): void;
  /** True if the process ended between the commits of two files, so that the records contain the last import, but the published identities do not. */
  isInterrupted?(): boolean;
  /**
   * Notes that the file of the records and that of the published identities both contain the last import. If the published identities lack the import
   * later, their file was replaced by an older copy.
   */
  confirm?(): void;
  end?(): void;
  reset?(): void;
}

const LAST = `
SELECT at, what, added, replaced, removed FROM applied, (
  SELECT count(*) FILTER (WHERE put IS NOT NULL AND before IS NULL) AS added,
    count(*) FILTER (WHERE put IS NOT NULL AND before IS NOT NULL) AS replaced,
    count(*) FILTER (WHERE put IS NULL) AS removed
  FROM undo
) AS counts`;

export function createImportUndoJournal(
  session: SqlSession,
  suppression: Pick<SuppressionList, 'add'>,
  table: ImportUndoTable,
): ImportUndoJournal {
  const stored = async () => {
    const [row] = await session.query<[string]>('SELECT what FROM applied');
    return parseStored(row?.[0] ?? '{}');
  };
  const discard = async () => {
    await session.query('DELETE FROM undo');
    await session.query('DELETE FROM applied');
    table.onClear?.();
  };
  return {
    discard,
    async begin(what) {
      await discard();
      table.onBegin?.();
      const values = [new Date().getTime(), JSON.stringify(what)];
      await session.query('INSERT INTO applied (at, what) VALUES ($1, $2)', values);
    },
    async noteLiftedMarks(marks) {
      const returned = marks.map(([mark, time]): StoredMark => [mark.toString('hex'), time]);
      const { what } = await stored();
      await session.query('UPDATE applied SET what = $1', [JSON.stringify({ ...what, returned })]);
    },
    async last() {
      const [row] = await session.query<[number, string, number, number, number]>(LAST);
      if (!row) return null;
      const [at, what, added, replaced, removed] = row;
      return { at, what: parseStored(what).what, added, replaced, removed };
    },
    async undo() {
      const result = await table.restoreRecords();
      const marks = (await stored()).returned;
      if (marks.length > 0)
        await suppression.add(
          marks.map(([mark, time]): TimedSuppressionMark => [Buffer.from(mark, 'hex'), time]),
        );
      await discard();
      return result;
    },
  };
}

function parseStored(text: string): { what: object; returned: StoredMark[] } {
  const { returned = [], ...what } = JSON.parse(text) as { returned?: StoredMark[] };
  return { what, returned };
}
