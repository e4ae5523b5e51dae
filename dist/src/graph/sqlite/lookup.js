import { unpack } from './postings.js';
/** Look-ups in the postings. */
export function lookUps(db, vault) {
    const statements = new Map();
    const one = db.prepare('SELECT meta FROM crowd WHERE key = ? AND id = ?').pluck();
    return {
        all(wanted) {
            const keys = wanted.map(({ type, text }) => vault.key(type, text));
            let select = statements.get(keys.length);
            if (!select)
                statements.set(keys.length, (select = statement(db, keys.length)));
            const rows = select.all(keys);
            const found = keys.map((key, i) => unpack(wanted[i].type, key, rows[i]));
            return { found, total: rows[keys.length] ?? 0 };
        },
        primaryOf(found, id) {
            const place = found.ids.indexOf(id);
            if (place >= 0)
                return found.primary[place];
            const meta = isWide(found) ? one.get(found.key, id) : undefined;
            return meta === undefined ? undefined : meta === 1;
        },
    };
}
/** Do more identities share the key than were read? */
export function isWide({ share, ids }) {
    return share > ids.length;
}
/**
 * One statement for `count` keys, a row each in their order (the right side of a LEFT JOIN is never read first), and a last row for
 * how many identities there are. Entering SQLite costs as much as a look-up, and so does a subquery with a cursor of its own.
 */
function statement(db, count) {
    const keys = Array.from({ length: count }, () => '(?)').join();
    return db
        .prepare(`SELECT ids FROM (VALUES ${keys}) LEFT JOIN posting ON key = column1
       UNION ALL SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'identities'`)
        .pluck();
}
