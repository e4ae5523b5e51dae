import { linkRecords } from '../../link/link.ts';
import type { Vault } from '../vault.ts';
import { blockStore } from './blocks.ts';
import { type Db, readMeta } from './database.ts';
import { publish } from './publish.ts';
import { recordTable } from './records.ts';

export interface RelinkOptions {
  db: Db;
  vault: Vault;
  onProgress?: (progress: { phase: 'linking' | 'publishing'; records: number; done: number }) => void;
}

/** Links all records of the graph and publishes the identities; again where another import added records meanwhile. */
export function linkAll({ db, vault, onProgress }: RelinkOptions): { identities: number; records: number } {
  const table = recordTable(db, vault);
  for (;;) {
    const revision = readMeta(db, 'revision') as string;
    const records = table.count();
    const blocks = blockStore(db);
    // One transaction, because a temporary table costs a commit a row otherwise.
    const { clusters, noise } = db.transaction(() =>
      linkRecords({
        table,
        blocks,
        vault,
        onProgress: (done) => onProgress?.({ phase: 'linking', records, done }),
      }),
    )();
    blocks.drop();
    const published = publish({
      db,
      vault,
      clusters,
      revision,
      noise,
      onProgress: (done) => onProgress?.({ phase: 'publishing', records, done }),
    });
    if (!published) continue;
    return { identities: Number(readMeta(db, 'identities')), records };
  }
}
