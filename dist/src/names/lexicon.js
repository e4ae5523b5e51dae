// What is known about a name: which names it is a short form of, which families it belongs to, who bears it.
import { hash } from 'node:crypto';
import { foldLatin } from './script.js';
import { BonafideError } from '../errors.js';
import { readOwnTable, readTable, tableLines } from './tables.js';
export const MALE = 1;
export const FEMALE = 2;
export const GIVEN = 4;
export const SURNAME = 8;
export const COMMON = 16;
/** Entries by name; a plain number is the flags of a name of which nothing else is known, which saves an object. */
const names = new Map();
const byId = [];
let groups = 0;
let ids = 0;
const heads = [];
let loaded = false;
const none = [];
function entry(text) {
    const found = names.get(text);
    if (typeof found === 'object')
        return found;
    const info = { name: text, id: ++ids, formals: none, spellings: none, cultures: none, flags: found ?? 0 };
    names.set(text, info);
    byId[info.id] = info;
    return info;
}
function addFlag(text, flags) {
    const found = names.get(text);
    if (typeof found === 'object')
        found.flags |= flags;
    else
        names.set(text, (found ?? 0) | flags);
}
function add(info, kind, id) {
    if (info[kind].length === 0)
        info[kind] = [id];
    else if (!info[kind].includes(id))
        info[kind].push(id);
}
/** Nearly every line is folded already; only the others pay for folding. */
const folded = /^[a-z ]*$/;
function words(line) {
    if (folded.test(line))
        return line.trim().split(' ');
    return line
        .split(/[\s,]+/)
        .map(foldLatin)
        .filter(Boolean);
}
function addNicknames(lines) {
    for (const line of lines) {
        const colon = line.indexOf(':');
        if (colon < 0)
            continue;
        const formals = words(line.slice(0, colon)).map(entry);
        for (const formal of formals)
            formal.flags |= GIVEN;
        for (const short of words(line.slice(colon + 1))) {
            const info = entry(short);
            info.flags |= GIVEN;
            for (const formal of formals)
                add(info, 'formals', formal.id);
        }
    }
}
function addGroups(lines, kind) {
    for (const line of lines) {
        const group = ++groups;
        const list = words(line);
        heads[group] = list[0] ?? '';
        for (const word of list) {
            const info = entry(word);
            info.flags |= GIVEN;
            add(info, kind, group);
        }
    }
}
const flagSections = {
    '[male]': MALE | GIVEN,
    '[female]': FEMALE | GIVEN,
    '[either]': MALE | FEMALE | GIVEN,
    '[surname]': SURNAME,
    '[common]': SURNAME | COMMON,
};
function addFlags(lines) {
    let flags = 0;
    for (const line of lines) {
        if (line.startsWith('['))
            flags = flagSections[line] ?? 0;
        else
            for (const word of words(line))
                addFlag(word, flags);
    }
}
function load() {
    loaded = true;
    addNicknames(linesOf(readTable('nicknames.txt')));
    addGroups(linesOf(readTable('spellings.txt')), 'spellings');
    addGroups(linesOf(readTable('cultural.txt')), 'cultures');
    addFlags(linesOf(readTable('given.txt')));
    addFlags(linesOf(readTable('surnames.txt')));
}
/** Digest of all tables so far. */
let digest = '';
function linesOf(text) {
    digest = hash('sha256', digest + text).slice(0, 16);
    return tableLines(text);
}
/** Names the tables that are in use, the operator's own among them: look-up keys that were made with other ones may differ. */
export function nameTablesDigest() {
    if (!loaded)
        load();
    return digest;
}
/**
 * Adds an operator's own table to the shipped ones: a text file with the sections `[nicknames]` (a line is `full names :
 * short forms`), `[spellings]` and `[cultural]` (a line is one group of names), `[male]`, `[female]`, `[either]`,
 * `[surname]` and `[common]` (names). `#` starts a comment. Names prepared before keep what was known then.
 * @throws BonafideError file_not_found, unreadable_file; invalid_config for a section of another name
 */
export function loadNameTables(path) {
    if (!loaded)
        load();
    let section = '';
    const sections = new Map();
    for (const line of linesOf(readOwnTable(path))) {
        if (line.startsWith('['))
            section = line;
        else
            sections.set(section, [...(sections.get(section) ?? []), line]);
    }
    for (const [name, lines] of sections) {
        if (name === '[nicknames]')
            addNicknames(lines);
        else if (name === '[spellings]')
            addGroups(lines, 'spellings');
        else if (name === '[cultural]')
            addGroups(lines, 'cultures');
        else if (name in flagSections)
            addFlags([name, ...lines]);
        else
            throw new BonafideError('invalid_config', `The name table has a section ${name || 'without a heading'}; use [nicknames], [spellings], [cultural], [male], [female], [either], [surname] or [common].`);
    }
}
/** What the tables know of a folded name (a-z); undefined when nothing. Reads the tables on first use. */
export function lookUp(text) {
    if (!loaded)
        load();
    return names.has(text) ? entry(text) : undefined;
}
/** The first name of a group of spellings or equivalents, which stands for all of them. */
export function headOf(group) {
    return heads[group] ?? '';
}
/** Every name of the tables. */
export function knownNames() {
    if (!loaded)
        load();
    return names.keys();
}
/** Entry of a name by its id. */
export function entryOf(id) {
    return byId[id];
}
