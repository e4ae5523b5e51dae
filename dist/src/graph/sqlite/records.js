export function recordTable(db, vault) {
    const exists = db.prepare('SELECT 1 FROM record WHERE key = ?').pluck();
    const upsert = db.prepare('INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed');
    const columns = 'SELECT id, key, identity, sealed FROM record';
    const one = db.prepare(`${columns} WHERE id = ?`);
    const ref = db.prepare(`${columns} WHERE ref = ? ORDER BY id`);
    const ofIdentity = db.prepare(`${columns} WHERE identity = ? ORDER BY id`);
    const page = db.prepare(`${columns} WHERE id > ? ORDER BY id LIMIT 500`);
    const read = (raw) => {
        const { id, key, identity, sealed } = raw;
        return {
            ...JSON.parse(vault.open(sealed)),
            row: id,
            key: key.toString('hex'),
            identity,
        };
    };
    const put = db.transaction((records) => {
        let replaced = 0;
        for (const record of records) {
            const key = vault.recordKey(record.source, record.recordId);
            if (exists.get(key))
                replaced++;
            upsert.run(key, vault.key('label', record.recordId), vault.seal(JSON.stringify(record)));
        }
        db.prepare("UPDATE meta SET value = value + 1 WHERE name = 'revision'").run();
        return { added: records.length - replaced, replaced };
    });
    return {
        put: (records) => put.immediate(records),
        get: (row) => read(one.get(row)),
        byRef: (recordId) => ref.all(vault.key('label', recordId)).map(read),
        byIdentity: (identity) => ofIdentity.all(identity).map(read),
        *rows() {
            // In pages, because nothing may be written on a connection while it iterates.
            for (let after = 0;;) {
                const rows = page.all(after).map(read);
                if (rows.length === 0)
                    return;
                yield* rows;
                after = rows[rows.length - 1].row;
            }
        },
        maxRow: () => db.prepare('SELECT coalesce(max(id), 0) FROM record').pluck().get(),
        count: () => db.prepare('SELECT count(*) FROM record').pluck().get(),
    };
}
