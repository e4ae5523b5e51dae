// What is known about a name: which names it is a short form of, which families it belongs to, who bears it.
import { hash } from 'node:crypto';
import { foldLatin } from './script.ts';
import { BonafideError } from '../errors.ts';
import { readOwnTable, readTable, tableLines } from './table-files.ts';

/** What the tables say about one folded name. Numbers identify groups; they have no meaning outside. */
export interface NameInfo {
  /** The folded name itself. */
  name: string;
  /** The full names that this one is a short form of. */
  formals: NameInfo[];
  /** Spelling families and cultural groups. */
  spellings: number[];
  cultures: number[];
  /** Bits: 1 male, 2 female, 4 known given name, 8 known surname, 16 very common surname. */
  flags: number;
}

export const MALE = 1;
export const FEMALE = 2;
export const GIVEN = 4;
export const SURNAME = 8;
export const COMMON = 16;

/** Entries by name; a plain number is the flags of a name of which nothing else is known, which saves an object. */
const NAMES = new Map<string, NameInfo | number>();
let groups = 0;
const HEADS: string[] = [];
let loaded = false;

function entry(text: string): NameInfo {
  const found = NAMES.get(text);
  if (typeof found === 'object') return found;
  const info = { name: text, formals: [], spellings: [], cultures: [], flags: found ?? 0 };
  NAMES.set(text, info);
  return info;
}

function addFlag(text: string, flags: number): void {
  const found = NAMES.get(text);
  if (typeof found === 'object') found.flags |= flags;
  else NAMES.set(text, (found ?? 0) | flags);
}

function add<Item>(list: Item[], item: Item): void {
  if (!list.includes(item)) list.push(item);
}

/** Nearly every line is folded already; only the others pay for folding. */
const FOLDED = /^[a-z ]*$/;

function words(line: string): string[] {
  if (FOLDED.test(line)) return line.trim().split(' ');
  return line
    .split(/[\s,]+/)
    .map(foldLatin)
    .filter(Boolean);
}

function addNicknames(lines: string[]): void {
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const formals = words(line.slice(0, colon)).map(entry);
    for (const formal of formals) formal.flags |= GIVEN;
    for (const short of words(line.slice(colon + 1))) {
      const info = entry(short);
      info.flags |= GIVEN;
      for (const formal of formals) add(info.formals, formal);
    }
  }
}

function addGroups(lines: string[], kind: 'spellings' | 'cultures'): void {
  let flags = GIVEN;
  for (const line of lines) {
    if (line.startsWith('[')) {
      flags = FLAG_SECTIONS[line] ?? GIVEN;
      continue;
    }
    const group = ++groups;
    const list = words(line);
    HEADS[group] = list[0] ?? '';
    for (const word of list) {
      const info = entry(word);
      info.flags |= flags;
      add(info[kind], group);
    }
  }
}

const FLAG_SECTIONS: Record<string, number> = {
  '[male]': MALE | GIVEN,
  '[female]': FEMALE | GIVEN,
  '[either]': MALE | FEMALE | GIVEN,
  '[surname]': SURNAME,
  '[common]': SURNAME | COMMON,
};

function addFlags(lines: string[]): void {
  let flags = 0;
  for (const line of lines) {
    if (line.startsWith('[')) flags = FLAG_SECTIONS[line] ?? 0;
    else for (const word of words(line)) addFlag(word, flags);
  }
}

function load(): void {
  loaded = true;
  addNicknames(linesOf(readTable('nicknames.txt')));
  addGroups(linesOf(readTable('spellings.txt')), 'spellings');
  addGroups(linesOf(readTable('cultural.txt')), 'cultures');
  addFlags(linesOf(readTable('given.txt')));
  addFlags(linesOf(readTable('surnames.txt')));
}

/** Digest of all tables so far. */
let digest = '';

function linesOf(text: string): string[] {
  digest = hash('sha256', digest + text).slice(0, 16);
  return tableLines(text);
}

/** Names the tables that are in use, the operator's own among them: look-up keys that were made with other ones may differ. */
export function nameTablesDigest(): string {
  if (!loaded) load();
  return digest;
}

/** The operator's own tables that were loaded. */
const OWN: string[] = [];

/** The files of the operator's own tables, in the order of loading: what a thread has to load to know the same names. */
export const loadedNameTables = (): readonly string[] => OWN;

/**
 * Adds an operator's own table to the shipped ones: a text file with the sections `[nicknames]` (a line is `full names :
 * short forms`), `[spellings]` and `[cultural]` (a line is one group of names), `[male]`, `[female]`, `[either]`,
 * `[surname]` and `[common]` (names). `#` starts a comment. Names prepared before keep what was known then.
 * Errors: file_not_found, unreadable_file, invalid_config (a section of another name).
 */
export function loadNameTables(path: string): void {
  if (!loaded) load();
  OWN.push(path);
  let section = '';
  const sections = new Map<string, string[]>();
  for (const line of linesOf(readOwnTable(path))) {
    if (line.startsWith('[')) section = line;
    else sections.set(section, [...(sections.get(section) ?? []), line]);
  }
  for (const [name, lines] of sections) {
    if (name === '[nicknames]') addNicknames(lines);
    else if (name === '[spellings]') addGroups(lines, 'spellings');
    else if (name === '[cultural]') addGroups(lines, 'cultures');
    else if (name in FLAG_SECTIONS) addFlags([name, ...lines]);
    else
      throw new BonafideError(
        'invalid_config',
        `The name table has a section ${name || 'without a heading'}; use [nicknames], [spellings], [cultural], [male], [female], [either], [surname] or [common].`,
      );
  }
}

/** What the tables know of a folded name (a-z); undefined when nothing. Reads the tables on first use. */
export function lookUp(text: string): NameInfo | undefined {
  if (!loaded) load();
  return NAMES.has(text) ? entry(text) : undefined;
}

/** The first name of a group of spellings or equivalents, which stands for all of them. */
export function headOf(group: number): string {
  return HEADS[group] ?? '';
}

/** Every name of the tables. */
export function knownNames(): Iterable<string> {
  if (!loaded) load();
  return NAMES.keys();
}

const SEXES = MALE | FEMALE;

/** Sex that a given name tells: 1 male, 2 female, 0 either or not known. */
export function sexOf(info: NameInfo): number {
  const sex = info.flags & SEXES;
  return sex === SEXES ? 0 : sex;
}
