import { nameTablesDigest } from '../../names/index.js';
import { readMeta, writeMeta } from './database.js';
import { exactPartsOf, gather } from './identities.js';
import { numberGroups } from './numbers.js';
import { packPostings, stage } from './postings.js';
import { recordTable } from './records.js';
/**
 * Writes identities and postings from a partition of the records, in one transaction: readers see the old graph, then the new one.
 * Returns false, having written nothing, where records changed since they were linked.
 */
export function publish(options) {
    return options.db.transaction(() => publishNow(options)).immediate();
}
function publishNow({ db, vault, clusters, revision, noise, onProgress }) {
    if (readMeta(db, 'revision') !== revision)
        return false;
    const table = recordTable(db, vault);
    const groups = groupRows(db, clusters);
    const { numbers, redirects } = numberGroups(db, groups);
    db.exec('DELETE FROM identity; DELETE FROM anchor');
    const write = identityWriter(db, vault);
    groups.forEach((rows, i) => {
        if (i % 500 === 0)
            onProgress?.(i / groups.length);
        write(numbers[i], rows, gather(rows.map((row) => table.get(row)), vault));
    });
    const gone = db.prepare('INSERT INTO identity VALUES (?, ?, NULL, NULL, 0, 0, NULL, NULL)');
    for (const [number, heir] of redirects)
        gone.run(number, heir);
    writeMeta(db, 'postings', String(packPostings(db)));
    writeMeta(db, 'linked_revision', revision);
    writeMeta(db, 'link_noise', JSON.stringify(noise));
    writeMeta(db, 'name_tables', nameTablesDigest());
    writeMeta(db, 'linked_at', new Date().toISOString());
    writeMeta(db, 'identities', String(groups.length));
    return true;
}
/** All rows in groups, each ascending; the groups ordered by their first row. */
function groupRows(db, clusters) {
    const groups = clusters.map((rows) => rows.toSorted((a, b) => a - b));
    const grouped = new Set(groups.flat());
    for (const row of db.prepare('SELECT id FROM record').pluck().all())
        if (!grouped.has(row))
            groups.push([row]);
    return groups.sort((a, b) => a[0] - b[0]);
}
function identityWriter(db, vault) {
    const identity = db.prepare('INSERT INTO identity VALUES (?, NULL, ?, ?, ?, ?, ?, ?)');
    const exactParts = db.prepare('INSERT INTO anchor VALUES (?, ?)');
    const belongs = db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?');
    const post = stage(db);
    return (number, rows, it) => {
        const names = it.names.length ? vault.seal(it.names.join('\n')) : null;
        const signatures = it.signatures.length ? vault.seal(JSON.stringify(it.signatures)) : null;
        identity.run(number, it.firstSeen, it.lastSeen, it.records, it.sources, names, signatures);
        if (signatures)
            exactParts.run(number, exactPartsOf(it.signatures));
        for (const row of rows)
            belongs.run(number, row, number);
        for (const [key, primary] of it.postings)
            post(key, number, primary);
    };
}
