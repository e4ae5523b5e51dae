// Data folders for backups, and their content for comparisons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackup } from '../../src/maintenance/backup.ts';
import type { BackupOptions } from '../../src/maintenance/backup.ts';
import { restoreBackup } from '../../src/maintenance/restore.ts';
import type { RestoreOptions } from '../../src/maintenance/restore.ts';
import { createKey, listKeys } from '../../src/store/keys.ts';
import { openSqliteStore, getStoreFile } from '../../src/store/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesOf, importRows, operate, queryOf, strangers } from '../kit/graphs/graph.ts';

export const NOW = Date.UTC(2026, 10, 22, 1, 2, 3);

/** Creates a folder with `records` records and a key of this name. */
export async function filledFolder(records = 5, key = 'shop'): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [strangers(records)]);
  const store = openSqliteStore({ file: getStoreFile(folder) });
  createKey(store, { name: key, scopes: ['validate'] }, NOW);
  store.close();
  return folder;
}

export const secretOf = (folder: string) => readFileSync(join(folder, 'secret'), 'utf8').trim();

/** Returns everything that a restore brings back: identities, an answer, and keys. */
export async function stateOf(folder: string): Promise<object> {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const keys = listKeys(store).map(({ id, name }) => `${id} ${name}`);
  store.close();
  const query = queryOf({ name: 'Ada Abernathy', emails: ['ada.abernathy.0@stranger.example'] });
  const answer = await operate(folder, (graph) => graph.resolve(query));
  return { keys, answer, identities: await identitiesOf(folder) };
}

export function backUp(dataDir: string, over: Partial<BackupOptions> = {}) {
  const file = over.file ?? join(freshFolder(), 'backup.tar');
  const secret = 'secret' in over ? over.secret : secretOf(dataDir);
  return createBackup({ dataDir, now: NOW, ...over, secret, file });
}

export function restoreTo(dataDir: string, file: string, over: Partial<RestoreOptions> = {}) {
  return restoreBackup({ dataDir, file, now: NOW, ...over });
}
