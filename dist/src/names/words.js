// Words around a name that are not the name: titles, degrees, generational suffixes, particles.
import { readTable, tableLines } from './tables.js';
let tables;
function load() {
    const sections = new Map();
    let current = [];
    for (const line of tableLines(readTable('words.txt'))) {
        if (line.startsWith('['))
            sections.set(line, (current = []));
        else
            current.push(...line.split(/\s+/));
    }
    const suffixes = new Map();
    for (const pair of sections.get('[suffixes]') ?? []) {
        const [word, generation] = pair.split('=');
        suffixes.set(word, generation);
    }
    return {
        titles: new Set(sections.get('[titles]')),
        softTitles: new Set(sections.get('[soft titles]')),
        degrees: new Set(sections.get('[degrees]')),
        softDegrees: new Set(sections.get('[degrees after a comma]')),
        particles: new Set(sections.get('[particles]')),
        suffixes,
    };
}
/** The word lists, read on first use. */
export function wordTables() {
    return (tables ??= load());
}
