/** The month a call counts in: `2026-11`, by UTC. `time` is milliseconds. */
export function monthOf(time) {
    return new Date(time).toISOString().slice(0, 7);
}
export function toRow(call) {
    return [
        call.requestId,
        call.keyId,
        call.time,
        call.endpoint,
        call.responseVersion,
        call.emails,
        call.phones,
        call.addresses,
        call.score,
        call.band,
        call.confidence,
        call.catfish ? 1 : 0,
        call.different,
        call.unverified,
        call.latencyMs,
    ];
}
export const KEY_COLUMN = 1;
export const TIME_COLUMN = 2;
/** Prepares the writer's statement: appends one call. Runs inside the writer's transaction. */
export function appender(raw) {
    const add = raw.prepare(`INSERT INTO calls (request_id, key, time, endpoint, response_version, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, latency_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    return (row) => void add.run(row);
}
/** Prepares the writer's statement: adds `calls` to an account's month. Runs inside the writer's transaction. */
export function counter(raw) {
    const add = raw.prepare('INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls');
    return (account, month, calls) => void add.run(account, month, calls);
}
