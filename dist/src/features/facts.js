import { VERDICT_WORDS } from './plugin/facts.js';
const DAY_MS = 86_400_000;
function fieldFacts(rows) {
    const count = (status) => rows.filter((row) => row.status === status).length;
    const primary = count('primary');
    const secondary = count('secondary');
    return {
        submitted: rows.length,
        matched: primary + secondary,
        primary,
        secondary,
        different: count('different'),
        unverified: count('unverified'),
    };
}
function daysSince(time, now) {
    return time === null ? null : Math.max(0, Math.floor((now - time) / DAY_MS));
}
function streamRecord(call) {
    return {
        time: call.time,
        contacts: call.emails + call.phones + call.addresses,
        different: call.different,
        unverified: call.unverified,
        score: call.score,
        catfish: call.catfish,
    };
}
/** One extractor per fact. `names` and `stream` cost work and are only called for a feature that declares them. */
const EXTRACT = {
    intent: ({ intent }) => intent,
    score: ({ verdict }) => ({
        score: verdict.score,
        band: verdict.band,
        verdict: VERDICT_WORDS[verdict.band],
        confidence: verdict.confidence,
        possible_catfish: verdict.catfish,
    }),
    matches: ({ verdict }) => ({
        name: verdict.name.status,
        email: fieldFacts(verdict.emails),
        phone: fieldFacts(verdict.phones),
        address: fieldFacts(verdict.addresses),
        contacts: fieldFacts([...verdict.emails, ...verdict.phones, ...verdict.addresses]),
        identities: verdict.identities,
    }),
    history: ({ verdict: { history }, now }) => ({
        days_since_first_seen: daysSince(history.firstSeen, now),
        days_since_last_seen: daysSince(history.lastSeen, now),
    }),
    stream: async ({ stream, now }) => ({ now, records: (await stream()).records.map(streamRecord) }),
    names: ({ names }) => names(),
};
/** The declared facts of one request and nothing else. Waits only where the stream was declared. */
export function factsFor(declared, source) {
    const entries = declared.map((name) => [name, EXTRACT[name](source)]);
    if (!entries.some(([, value]) => value instanceof Promise))
        return Object.fromEntries(entries);
    return Promise.all(entries.map(async ([name, value]) => [name, await value])).then((known) => Object.fromEntries(known));
}
