import { surveyRecords } from './link.js';
import { blockKeys } from './blocking.js';
import { comparePair, LINK_BITS } from './pair.js';
import { linkRecord, personKey } from './record.js';
/** Compares two records just as linking does, and gives the weighed evidence. Reads every record once, for the rarities. */
export function explainPair(options) {
    const { table, vault } = options;
    const [a, b] = [linkRecord(options.a, vault), linkRecord(options.b, vault)];
    const wanted = new Map();
    for (const key of [...blockKeys(a, vault), ...blockKeys(b, vault)])
        wanted.set(key, new Set());
    const survey = surveyRecords({ table, vault }, (record) => {
        for (const key of blockKeys(record, vault))
            wanted.get(key)?.add(personKey(record));
    });
    const verdict = comparePair(a, b, {
        ...survey,
        noise: options.noise,
        sharers: (key) => Math.max(1, wanted.get(key)?.size ?? 1),
    });
    return { ...verdict, together: a.identity !== null && a.identity === b.identity, needed: LINK_BITS };
}
