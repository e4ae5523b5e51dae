/**
 * A group keeps the lowest number that any of its records had. Where two groups claim one number (an identity fell apart), the
 * group with more of its records keeps it, then the one with the earlier record. Groups without a number get new ones, and a
 * number that was ever given is not given to somebody else.
 */
export function numberGroups(db, groups) {
    const previous = new Map(db.prepare('SELECT id, identity FROM record WHERE identity IS NOT NULL').raw().all());
    const known = new Map(db.prepare('SELECT id, merged_into FROM identity').raw().all());
    const numbers = Array.from({ length: groups.length }, () => 0);
    const taken = new Set();
    for (const { group, number } of claimsOf(groups, previous))
        if (numbers[group] === 0 && !taken.has(number)) {
            numbers[group] = number;
            taken.add(number);
        }
    let next = 1;
    for (const number of known.keys())
        next = Math.max(next, number + 1);
    groups.forEach((_, group) => (numbers[group] ||= next++));
    const heirs = new Map();
    groups.forEach((rows, group) => {
        for (const row of rows) {
            const old = previous.get(row);
            if (old !== undefined)
                heirs.set(old, Math.min(numbers[group], heirs.get(old) ?? Infinity));
        }
    });
    const redirects = new Map();
    for (const [number, into] of known) {
        if (taken.has(number))
            continue;
        const heir = heirs.get(number) ?? (into === null ? null : taken.has(into) ? into : (heirs.get(into) ?? null));
        redirects.set(number, heir);
    }
    return { numbers, redirects };
}
function claimsOf(groups, previous) {
    const claims = [];
    groups.forEach((rows, group) => {
        const counts = new Map();
        for (const row of rows) {
            const number = previous.get(row);
            if (number !== undefined)
                counts.set(number, (counts.get(number) ?? 0) + 1);
        }
        for (const [number, records] of counts)
            claims.push({ group, number, records });
    });
    return claims.sort((a, b) => a.number - b.number || b.records - a.records || a.group - b.group);
}
