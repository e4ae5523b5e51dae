import { WIDE } from '../../link/link.js';
/**
 * Keeps (key, row) pairs and the pairs of rows that follow from them in temporary tables that SQLite sorts on disk, so that linking
 * needs no memory for them. `add` everything first; what is read first sorts.
 */
export function blockStore(db) {
    const drop = () => {
        for (const table of ['block', 'shared', 'wide', 'pair'])
            db.exec(`DROP TABLE IF EXISTS temp.${table}`);
    };
    drop();
    db.exec('CREATE TEMP TABLE block (key INTEGER, row INTEGER); CREATE TEMP TABLE wide (a INTEGER, b INTEGER)');
    const insert = db.prepare('INSERT INTO temp.block VALUES (?, ?)');
    const insertPair = db.prepare('INSERT INTO temp.wide VALUES (?, ?)');
    let sorted = false;
    let paired = false;
    return {
        add: (key, row) => void insert.run(key, row),
        *groups() {
            if (!sorted)
                sortKeys(db);
            sorted = true;
            yield* grouped(db);
        },
        addPair: (a, b) => void insertPair.run(Math.min(a, b), Math.max(a, b)),
        *pairs() {
            if (!paired)
                pairUp(db);
            paired = true;
            yield* db.prepare('SELECT a, b FROM temp.pair ORDER BY rowid').raw().iterate();
        },
        drop,
    };
}
function sortKeys(db) {
    db.exec(`
    CREATE TEMP TABLE shared (key INTEGER, row INTEGER, rows INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
    INSERT INTO temp.shared
      SELECT key, row, rows FROM (SELECT key, row, count(*) OVER (PARTITION BY key) AS rows FROM temp.block)
      WHERE rows > 1 ORDER BY key, row;
    DROP TABLE temp.block`);
}
function pairUp(db) {
    db.exec(`
    CREATE TEMP TABLE pair AS
      SELECT x.row AS a, y.row AS b FROM temp.shared x JOIN temp.shared y ON y.key = x.key AND y.row > x.row
        WHERE x.rows <= ${WIDE}
      UNION SELECT a, b FROM temp.wide ORDER BY 1, 2`);
}
function* grouped(db) {
    const pairs = db.prepare('SELECT key, row FROM temp.shared').raw();
    let key = null;
    let rows = [];
    for (const [next, row] of pairs.iterate()) {
        if (next !== key) {
            if (key !== null)
                yield { key, rows };
            key = next;
            rows = [];
        }
        rows.push(row);
    }
    if (key !== null)
        yield { key, rows };
}
