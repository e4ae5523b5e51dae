import { nameKeys, nameParts, prepareName } from '../names/index.js';
export function linkRecord(record, vault) {
    const prepared = record.names.map(prepareName);
    let words;
    const first = prepared[0] ? nameKeys(prepared[0]) : [];
    return {
        ...record,
        prepared,
        // Worked out when first asked for: most records are told apart or joined without.
        words: () => (words ??= prepared.map(nameWords)),
        suffix: prepared.map((name) => nameParts(name).suffix).find(Boolean) ?? '',
        nameKeys: first.map((text) => vault.key('name', text)),
        bearer: first[0] && record.birthDate ? vault.key('birth', `${record.birthDate}|${first[0]}`) : null,
    };
}
function nameWords(name) {
    const { given, middle, family } = nameParts(name);
    const full = (word) => word !== undefined && word.length > 1;
    return {
        given: full(given[0]) ? prepareName(given[0]) : null,
        words: [...given, ...middle, ...family].filter(full).map(prepareName),
    };
}
/** Records with this in common count as one name among those who share a value: Bob and Robert are not two people. */
export function personKey(record) {
    return record.nameKeys[1] ?? record.nameKeys[0] ?? 0;
}
