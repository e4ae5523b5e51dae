import { blockKeys } from './blocking.js';
import { cluster } from './cluster.js';
import { NO_NOISE, noiseCounter } from './noise.js';
import { comparePair, LINK_BITS } from './pair.js';
import { sighting } from './sighting.js';
import { linkRecord, personKey } from './record.js';
/** A key that more records share than this is split by the records' names before any two are compared. */
export const WIDE = 64;
/** Decoded records kept at hand while pairs are compared. */
const CACHE = 5000;
/** Of more records with birth dates than this, only a part is looked at for measuring noise. */
const NOISE_RECORDS = 4000;
/**
 * Finds which records are one person. The partition depends on the set of records only, not on the order of their import.
 *
 * Memory: about a kilobyte a record, whatever else the records hold; keys and pairs are sorted on disk.
 */
export function linkRecords(options) {
    const { table, blocks, vault, onProgress } = options;
    const rows = table.maxRow() + 1;
    const persons = new Float64Array(rows);
    const homes = new Float64Array(rows);
    const labels = new Map();
    const survey = surveyRecords({ table, vault }, (record) => {
        for (const key of blockKeys(record, vault))
            blocks.add(key, record.row);
        persons[record.row] = personKey(record);
        homes[record.row] = homeOf(record);
        if (record.label !== null)
            labels.set(record.label, [...(labels.get(record.label) ?? []), record.row]);
    });
    const sharers = shareOut(blocks, persons);
    onProgress?.(0.2);
    const get = cached(table, vault);
    const common = { ...survey, sharers: (key) => sharers.get(key) ?? 1 };
    const noise = measureNoise({ blocks, homes, get }, common);
    const context = { ...common, noise };
    const edges = [...labelEdges(labels)];
    // What clustering asks about is mostly what was compared anyway.
    const conflicts = new Map();
    const place = (a, b) => Math.min(a, b) * rows + Math.max(a, b);
    for (const [a, b] of blocks.pairs()) {
        const found = comparePair(get(a), get(b), context);
        conflicts.set(place(a, b), found.conflict);
        if (found.bits >= LINK_BITS && !found.conflict)
            edges.push({ a, b, bits: found.bits });
        if (b % 512 === 0)
            onProgress?.(0.2 + 0.7 * (a / rows));
    }
    const clusters = cluster(edges, {
        rank: (row) => get(row).key,
        conflict: (a, b) => conflicts.get(place(a, b)) ?? comparePair(get(a), get(b), context).conflict,
    });
    return { clusters, noise };
}
/** Reads every record once and counts how common names, places, and names with a birth date are. */
export function surveyRecords({ table, vault }, visit) {
    const [names, places, bearers, dates] = [tally(), tally(), tally(), tally()];
    let [records, dated] = [0, 0];
    for (const raw of table.rows()) {
        const record = linkRecord(raw, vault);
        records++;
        names.add(record.nameKeys[0] ?? 0);
        for (const place of new Set(record.contacts.flatMap((contact) => contact.places)))
            places.add(place);
        if (record.bearer !== null) {
            dated++;
            bearers.add(record.bearer);
        }
        if (record.birthDate)
            dates.add(record.birthDate);
        visit(record);
    }
    return {
        records,
        dated,
        recurring: 1 - bearers.once() / (dated || 1),
        nameCount: names.count,
        placeCount: places.count,
        dateCount: dates.count,
        bearers: bearers.count,
    };
}
function tally() {
    const counts = new Map();
    return {
        add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
        count: (key) => counts.get(key) ?? 1,
        /** How many keys were added once. */
        once: () => {
            let once = 0;
            for (const count of counts.values())
                if (count === 1)
                    once++;
            return once;
        },
    };
}
/**
 * How many differently named people share a key, where more than one does. The records behind a widely shared key (an office phone, a
 * tower block) are paired by their names on the way.
 */
function shareOut(blocks, persons) {
    const counts = new Map();
    const wide = [];
    for (const { key, rows } of blocks.groups()) {
        const named = new Map();
        for (const row of rows)
            named.set(persons[row], [...(named.get(persons[row]) ?? []), row]);
        if (named.size > 1)
            counts.set(key, named.size);
        if (rows.length > WIDE)
            for (const group of named.values())
                wide.push(...everyTwo(group.slice(0, WIDE)));
    }
    for (const [a, b] of wide)
        blocks.addPair(a, b);
    return counts;
}
function* everyTwo(rows) {
    for (let i = 0; i < rows.length; i++)
        for (let j = i + 1; j < rows.length; j++)
            yield [rows[i], rows[j]];
}
/** Measures the noise on the pairs of one home, in a part of the homes that does not depend on the order of import. */
function measureNoise(from, survey) {
    const { blocks, homes, get } = from;
    if (survey.dated === 0)
        return NO_NOISE;
    const counter = noiseCounter();
    const drawn = 2 ** 52 * Math.min(1, NOISE_RECORDS / survey.dated);
    for (const [a, b] of blocks.pairs()) {
        if (homes[a] === 0 || homes[a] !== homes[b] || homes[a] >= drawn)
            continue;
        const seen = sighting(get(a), get(b), survey);
        if (seen)
            counter.see(seen);
    }
    return counter.noise(survey.recurring);
}
/** Fingerprint of where a record with name and birth date is at home: what a slip leaves alone of its first address; else 0. */
function homeOf(record) {
    const address = record.contacts.find(({ kind }) => kind === 'address');
    if (record.bearer === null || !address)
        return 0;
    return address.signature?.exactPart ?? address.keys[0]?.[1] ?? 0;
}
function* labelEdges(labels) {
    for (const [first, ...others] of labels.values())
        for (const row of others)
            yield { a: first, b: row, bits: 1000 };
}
/** Reads records one by one, keeping those at hand that were read last. */
function cached(table, vault) {
    const cache = new Map();
    return (row) => {
        let record = cache.get(row);
        if (record)
            return record;
        record = linkRecord(table.get(row), vault);
        if (cache.size >= CACHE)
            cache.delete(cache.keys().next().value);
        cache.set(row, record);
        return record;
    };
}
