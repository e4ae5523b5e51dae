import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { DatabaseCounts } from '../sqlite/facts.ts';

/** The name of the manifest inside a backup; it is the last file there, so that a backup cut short has none. */
export const MANIFEST_FILE = 'backup.json';

const COUNTS = v.object({ version: v.number(), tables: v.record(v.string(), v.number()) });

const SCHEMA = v.object({
  format: v.literal(1),
  /** When it was begun, ISO 8601. */
  made: v.string(),
  /** The version of the program that made it. */
  program: v.string(),
  files: v.array(v.object({ name: v.string(), bytes: v.number(), sha256: v.string() })),
  databases: v.record(v.string(), COUNTS),
});

/** What a backup says of itself. */
export type BackupManifest = v.InferOutput<typeof SCHEMA>;

/** Errors: damaged_backup; newer_database where a later Bonafide made the backup. */
export function parseManifest(text: string): BackupManifest {
  const value = parseJson(text);
  const parsed = v.safeParse(SCHEMA, value);
  if (parsed.success) return parsed.output;
  if (Number((value as { format?: unknown } | null)?.format) > 1)
    throw new BonafideError(
      'newer_database',
      'The backup was made by a newer Bonafide: restore it with that version.',
    );
  throw new BonafideError('damaged_backup', `The backup's ${MANIFEST_FILE} is not what a backup has.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Errors: empty_backup where neither a record nor a key was backed up. */
export function requireBackupContent(databases: Record<string, DatabaseCounts>): void {
  const record = countBackupRecords(databases);
  const { keys = 0 } = databases['store.db']?.tables ?? {};
  if (record + keys > 0) return;
  throw new BonafideError(
    'empty_backup',
    'There is neither a record nor a key in it: an empty backup is neither made nor restored.',
  );
}

/** How many records databases hold; before version 4, the graph had them in its own file. */
export function countBackupRecords(databases: Record<string, DatabaseCounts>): number {
  return (databases['records.db'] ?? databases['graph.db'])?.tables.record ?? 0;
}
