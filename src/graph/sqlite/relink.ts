import { linkRecords } from '../link/link.ts';
import type { Vault } from '../vault.ts';
import { blockStore } from './blocks.ts';
import { type Db, readMeta, writeMeta } from './database.ts';
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
    const { clusters, noise } = linkRecords({
      table,
      blocks: blockStore(db),
      vault,
      onProgress: (done) => onProgress?.({ phase: 'linking', records, done }),
    });
    db.exec('DROP TABLE temp.block');
    const published = publish({
      db,
      vault,
      clusters,
      revision,
      onProgress: (done) => onProgress?.({ phase: 'publishing', records, done }),
    });
    if (!published) continue;
    writeMeta(db, 'noise', JSON.stringify(noise));
    return { identities: Number(readMeta(db, 'identities')), records };
  }
}
