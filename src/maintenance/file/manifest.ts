import * as v from 'valibot';
import { BonafideError, resultOr } from '../../errors.ts';
import type { DatabaseRowCounts } from '../sqlite/facts.ts';

/** Name of the manifest inside a backup. It is the last file, so that a truncated backup has none. */
export const MANIFEST_FILE = 'backup.json';

const COUNTS = v.object({ version: v.number(), tables: v.record(v.string(), v.number()) });

const SCHEMA = v.object({
  format: v.literal(1),
  made: v.pipe(v.string(), v.isoTimestamp()),
  program: v.string(),
  files: v.array(v.object({ name: v.string(), bytes: v.number(), sha256: v.string() })),
  databases: v.record(v.string(), COUNTS),
});

export type BackupManifest = v.InferOutput<typeof SCHEMA>;

/** Parses the manifest of a backup. Errors: damaged_backup; newer_database if a newer Bonafide made the backup. */
export function parseManifest(text: string): BackupManifest {
  const value: unknown = resultOr(() => JSON.parse(text), null);
  const parsed = v.safeParse(SCHEMA, value);
  if (parsed.success) return parsed.output;
  if (Number((value as { format?: unknown } | null)?.format) > 1)
    throw new BonafideError(
      'newer_database',
      'The backup was made by a newer Bonafide. Restore it with that version.',
    );
  throw new BonafideError(
    'damaged_backup',
    `${MANIFEST_FILE} in the backup is damaged. Use another copy of the backup.`,
  );
}

/** Throws if the databases contain neither a record nor an API key. Errors: empty_backup. */
export function requireNonEmptyBackup(databases: Record<string, DatabaseRowCounts>): void {
  const record = countBackupRecords(databases);
  const { keys = 0 } = databases['store.db']?.tables ?? {};
  if (record + keys > 0) return;
  throw new BonafideError(
    'empty_backup',
    'The databases contain no record and no API key, so there is nothing to back up or restore. Check that this is the right data folder or backup file.',
  );
}

/** Returns the number of records in a backup. In backups before version 4, the records are in graph.db. */
export function countBackupRecords(databases: Record<string, DatabaseRowCounts>): number {
  return (databases['records.db'] ?? databases['graph.db'])?.tables.record ?? 0;
}
