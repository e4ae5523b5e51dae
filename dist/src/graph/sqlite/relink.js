import { linkRecords } from '../../link/link.js';
import { blockStore } from './blocks.js';
import { readMeta } from './database.js';
import { publish } from './publish.js';
import { recordTable } from './records.js';
/** Links all records of the graph and publishes the identities; again where another import added records meanwhile. */
export function linkAll({ db, vault, onProgress }) {
    const table = recordTable(db, vault);
    for (;;) {
        const revision = readMeta(db, 'revision');
        const records = table.count();
        const blocks = blockStore(db);
        // One transaction, because a temporary table costs a commit a row otherwise.
        const { clusters, noise } = db.transaction(() => linkRecords({
            table,
            blocks,
            vault,
            onProgress: (done) => onProgress?.({ phase: 'linking', records, done }),
        }))();
        blocks.drop();
        const published = publish({
            db,
            vault,
            clusters,
            revision,
            noise,
            onProgress: (done) => onProgress?.({ phase: 'publishing', records, done }),
        });
        if (!published)
            continue;
        return { identities: Number(readMeta(db, 'identities')), records };
    }
}
