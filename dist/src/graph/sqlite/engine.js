import { BonafideError } from '../../errors.js';
import { NAME_LIMIT } from '../graph.js';
import { missing } from '../../link/likeness.js';
import { openDatabase, readMeta, translated } from './database.js';
import { choose } from './candidates.js';
import { isWide, lookUps } from './lookup.js';
import { graphStats, graphWarnings } from './stats.js';
import { NAMELESS, shortExactPart } from './identities.js';
/** Identities without any contact in common that a slip is looked for in, because they may bear the name. */
const SLIPS_BY_NAME = 6;
/** One slip changes at most three letter pairs on a side (an exchange of two letters; Ukkonen 1992 for the general bound). */
const SLIP_PAIRS = 3;
/** Shorter than this, one slip leaves too little to recognise. */
const SLIP_LENGTH = 6;
/**
 * The embedded engine: one SQLite file, read by prepared statements inside one read transaction for all checks of a turn of the
 * event loop (a transaction costs more than the look-ups in it).
 * Errors on opening: those of `openDatabase`. Errors of `resolve`: `graph_unavailable`, `damaged_database`.
 */
export function openSqliteGraph(options) {
    const { file, vault } = options;
    const db = openDatabase({ file, vault, create: options.create ?? true });
    try {
        return translated(file, () => engineOn(db, options));
    }
    catch (error) {
        db.close();
        throw error;
    }
}
function engineOn(db, { file, vault }) {
    const reads = turnReader(db);
    const look = lookUps(db, vault);
    const identity = db
        .prepare('SELECT names, first_seen, last_seen, records, sources FROM identity WHERE id = ?')
        .raw();
    const exactParts = db.prepare('SELECT anchors FROM anchor WHERE id = ?').pluck();
    const signatures = db.prepare('SELECT sketches FROM identity WHERE id = ?').pluck();
    const readIdentity = (id) => {
        const row = identity.get(id);
        if (!row)
            return null;
        const names = row[0] === null ? [] : vault.open(row[0]).split('\n');
        return { id, names, firstSeen: row[1], lastSeen: row[2], records: row[3], sources: row[4] };
    };
    const readSignatures = (id) => {
        const sealed = signatures.get(id);
        return sealed ? JSON.parse(vault.open(sealed)) : [];
    };
    const readExactParts = (id) => exactParts.get(id)?.split(' ').map(Number) ?? [];
    const slips = (signature, known) => {
        if (known.length === 0 || signature.text.length < SLIP_LENGTH)
            return [];
        const exactPart = vault.key('anchor', `${signature.kind}|${signature.exactPart}`);
        const likely = known.filter(([, short]) => short.includes(shortExactPart(exactPart)));
        if (likely.length === 0)
            return [];
        const grams = vault.grams(signature.text);
        const near = (one) => one.kind === signature.kind && one.exactPart === exactPart && slipApart(one.grams, grams);
        return (likely
            .filter(([id]) => readSignatures(id).some(near))
            // Never the primary value: what is on record is written otherwise.
            .map(([identity]) => ({ identity, type: 'typo', primary: false, share: 1 })));
    };
    const resolve = (query) => {
        const asked = lookUpAll(query, look);
        const named = namedBy(asked.nameKeys);
        const values = agreementsOf(asked.values, named, look);
        let known;
        query.values.forEach(({ signature }, i) => {
            if (!signature || values[i].length > 0)
                return;
            known ??= mayBear(named, values).map((id) => [id, readExactParts(id)]);
            values[i] = slips(signature, known);
        });
        const has = (found, id) => look.primaryOf(found, id) !== undefined;
        const { read, given } = choose({ ...asked, values, named, has });
        const identities = new Map();
        for (const id of read) {
            const one = readIdentity(id);
            if (one)
                identities.set(id, one);
        }
        const name = { identities: named, bearers: asked.nameKeys[0]?.share ?? 0, given };
        return { total: asked.total, values, name, identities };
    };
    return {
        engine: 'sqlite',
        resolve: (query) => guarded(file, () => reads(() => resolve(query))),
        stats: () => guarded(file, () => graphStats(db)),
        warnings: () => guarded(file, () => graphWarnings(db)),
        ping: () => void guarded(file, () => readMeta(db, 'secret_check')),
        close: () => db.close(),
    };
}
/** Everything that a query asks for, in one go: keys of the name, identities without a name, and the keys of each value. */
function lookUpAll(query, look) {
    const keys = query.nameKeys.map((text) => ({ type: 'name', text }));
    keys.push(NAMELESS);
    if (query.givenKey !== null)
        keys.push({ type: 'name', text: query.givenKey });
    const wanted = query.values.map((value) => wantedKeys(value.keys));
    for (const some of wanted)
        keys.push(...some);
    const { found, total } = look.all(keys);
    let at = query.nameKeys.length;
    return {
        total,
        nameKeys: found.slice(0, at),
        nameless: found[at++],
        givenKey: query.givenKey === null ? null : found[at++],
        values: wanted.map((some) => found.slice(at, (at += some.length))),
    };
}
/** A street alone says little beside a whole address: it is looked up only where nothing stricter was given. */
function wantedKeys(keys) {
    return keys.length > 1 ? keys.filter(({ type }) => type !== 'street') : keys;
}
/**
 * Who each value is linked to, by its strictest key. Of a value that very many share the first ones are read, and those are asked for
 * that the name or a value of few points to; all values are resolved against the same ones, so their order does not matter.
 */
function agreementsOf(values, named, look) {
    const candidates = new Set();
    if (values.some((keys) => keys.some(isWide))) {
        for (const id of named)
            candidates.add(id);
        for (const keys of values)
            for (const found of keys)
                if (!isWide(found))
                    for (const id of found.ids)
                        candidates.add(id);
    }
    return values.map((keys) => {
        const shared = keys.filter(({ share }) => share > 0);
        if (shared.length === 0)
            return [];
        const agreed = new Map();
        const add = ({ type, share }, identity, primary) => {
            const known = agreed.get(identity);
            if (!known)
                agreed.set(identity, { identity, type, primary, share });
            else if (primary)
                known.primary = true;
        };
        for (const found of shared) {
            found.ids.forEach((id, i) => add(found, id, found.primary[i]));
            if (isWide(found))
                for (const id of candidates) {
                    const primary = look.primaryOf(found, id);
                    if (primary !== undefined)
                        add(found, id, primary);
                }
        }
        return [...agreed.values()];
    });
}
/** Identities that a key of the name points to, the exact key's first. */
function namedBy(keys) {
    const named = new Set();
    for (const { ids } of keys)
        for (const id of ids)
            named.add(id);
    return [...named].slice(0, NAME_LIMIT);
}
/** Those of the named identities that a value is linked to; where there is none, the first few. */
function mayBear(named, values) {
    const linked = new Set();
    for (const agreements of values)
        for (const { identity } of agreements)
            linked.add(identity);
    const both = named.filter((id) => linked.has(id));
    return both.length > 0 ? both : named.slice(0, SLIPS_BY_NAME);
}
function slipApart(a, b) {
    return missing(a, b) <= SLIP_PAIRS && missing(b, a) <= SLIP_PAIRS;
}
/** Opens a read transaction for the first read of a turn of the event loop, and ends it after the turn. */
function turnReader(db) {
    const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')];
    return (read) => {
        if (!db.inTransaction) {
            begin.run();
            setImmediate(() => {
                if (db.open && db.inTransaction)
                    commit.run();
            });
        }
        return read();
    };
}
function guarded(file, work) {
    try {
        return translated(file, work);
    }
    catch (error) {
        if (error instanceof BonafideError) {
            if (error.code === 'damaged_database')
                throw new BonafideError('graph_bad_response', error.message);
            throw new BonafideError('graph_unavailable', error.message);
        }
        throw error;
    }
}
