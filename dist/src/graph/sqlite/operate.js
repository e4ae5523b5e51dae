import { BonafideError } from '../../errors.js';
import { NO_NOISE } from '../../link/noise.js';
import { explainPair } from '../../link/why.js';
import { openDatabase, readMeta, translated } from './database.js';
import { recordTable } from './records.js';
import { graphStats, graphWarnings } from './stats.js';
/** What an operator asks of the embedded graph. Errors on opening: those of `openDatabase`. */
export function openOperator({ file, vault }) {
    const db = openDatabase({ file, vault, create: false });
    const table = translated(file, () => recordTable(db, vault));
    return {
        stats: () => translated(file, () => graphStats(db)),
        warnings: () => translated(file, () => graphWarnings(db)),
        *identities() {
            const rows = table.rows();
            for (;;) {
                const { value, done } = translated(file, () => rows.next());
                if (done)
                    return;
                yield { record_id: value.recordId, source: value.source, identity: value.identity };
            }
        },
        why: (a, b) => translated(file, () => explainPair({ table, vault, noise: noiseOf(db), a: find(table, a), b: find(table, b) })),
        show: (identity) => translated(file, () => show(db, vault, identity)),
        close: () => db.close(),
    };
}
/** How noisy the records were found to be when they were linked last. */
function noiseOf(db) {
    return { ...NO_NOISE, ...JSON.parse(readMeta(db, 'link_noise') ?? '{}') };
}
/** A record by its id, or by `source:id` where two sources use one id. */
function find(table, text) {
    const rows = table.byRef(text);
    for (let colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1))
        rows.push(...table.byRef(text.slice(colon + 1)).filter((row) => row.source === text.slice(0, colon)));
    if (rows.length === 1)
        return rows[0];
    if (rows.length === 0)
        throw new BonafideError('not_found', `There is no record ${text} in the graph.`);
    const sources = rows.map((row) => row.source).join(', ');
    throw new BonafideError('invalid_arguments', `Several sources have a record ${text} (${sources}): say SOURCE:${text}.`);
}
function show(db, vault, asked) {
    const read = db.prepare('SELECT id, merged_into, names, first_seen, last_seen FROM identity WHERE id = ?');
    let row = read.get(asked);
    if (row && row.merged_into !== null)
        row = read.get(row.merged_into);
    if (!row)
        throw new BonafideError('not_found', `There is no identity ${asked} in the graph.`);
    return {
        identity: row.id,
        mergedFrom: row.id === asked ? null : asked,
        names: row.names === null ? [] : vault.open(row.names).split('\n'),
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        records: recordTable(db, vault)
            .byIdentity(row.id)
            .map(({ recordId, source }) => ({ recordId, source })),
    };
}
