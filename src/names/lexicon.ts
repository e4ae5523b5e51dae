// Lexicon of known names: short forms, spellings, foreign equivalents, sex, and whether a name is a given name or a surname.
import { hash } from 'node:crypto';
import { BonafideError } from '../errors.ts';
import { foldLatin } from './script.ts';
import { readOperatorTable, readBuiltInTable, splitTableLines } from './tables.ts';

/** Entry of one name (lower-case a-z) in the name tables. Group numbers have a meaning only in this file. */
export interface NameEntry {
  name: string;
  fullForms: NameEntry[];
  /** Numbers of the groups of spellings that contain the name. */
  spellingGroups: number[];
  /** Numbers of the groups of foreign equivalents that contain the name. */
  cultureGroups: number[];
  /** Sum of the flags of the name: `MALE_FLAG` to `HAS_SHORT_FORMS_FLAG`. */
  flags: number;
}

export const MALE_FLAG = 1;
export const FEMALE_FLAG = 2;
export const GIVEN_NAME_FLAG = 4;
export const SURNAME_FLAG = 8;
export const COMMON_SURNAME_FLAG = 16;
/** Flag of a name for which the tables have short forms. */
export const HAS_SHORT_FORMS_FLAG = 32;

/** True if the name tables have a word with at least one of these flags. */
export const hasNameFlag = (entry: NameEntry | undefined, flags: number): boolean =>
  ((entry?.flags ?? 0) & flags) !== 0;

/** Entries of the lexicon by name. An entry that has only flags is stored as their number, which saves one object per name. */
const ENTRIES = new Map<string, NameEntry | number>();
/** The name that is listed first in each group of variants, at the index of the group number. It represents the group. */
const GROUP_HEADS: string[] = [];
let groupCount = 0;
let isLoaded = false;

function getOrCreateEntry(name: string): NameEntry {
  const known = ENTRIES.get(name);
  if (typeof known === 'object') return known;
  const entry: NameEntry = { name, fullForms: [], spellingGroups: [], cultureGroups: [], flags: known ?? 0 };
  ENTRIES.set(name, entry);
  return entry;
}

function addFlags(name: string, flags: number): void {
  const known = ENTRIES.get(name);
  if (typeof known === 'object') known.flags |= flags;
  else ENTRIES.set(name, (known ?? 0) | flags);
}

function addOnce<Item>(list: Item[], item: Item): void {
  if (!list.includes(item)) list.push(item);
}

/** Matches lines that contain only lower-case letters a-z and spaces, and need no conversion. Nearly all lines match. */
const FOLDED_LINE = /^[a-z ]*$/;

function splitNames(line: string): string[] {
  if (FOLDED_LINE.test(line)) return line.trim().split(' ');
  return line
    .split(/[\s,]+/)
    .map(foldLatin)
    .filter(Boolean);
}

function addNicknames(lines: string[]): void {
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const fullForms = splitNames(line.slice(0, colon)).map(getOrCreateEntry);
    for (const fullForm of fullForms) fullForm.flags |= GIVEN_NAME_FLAG | HAS_SHORT_FORMS_FLAG;
    for (const shortForm of splitNames(line.slice(colon + 1))) {
      const entry = getOrCreateEntry(shortForm);
      entry.flags |= GIVEN_NAME_FLAG;
      for (const fullForm of fullForms) addOnce(entry.fullForms, fullForm);
    }
  }
}

function addGroups(lines: string[], kind: 'spellingGroups' | 'cultureGroups'): void {
  let flags = GIVEN_NAME_FLAG;
  for (const line of lines) {
    if (line.startsWith('[')) {
      flags = FLAGS_OF_SECTION[line] ?? GIVEN_NAME_FLAG;
      continue;
    }
    const group = ++groupCount;
    const names = splitNames(line);
    GROUP_HEADS[group] = names[0] ?? '';
    for (const name of names) {
      const entry = getOrCreateEntry(name);
      entry.flags |= flags;
      addOnce(entry[kind], group);
    }
  }
}

const FLAGS_OF_SECTION: Record<string, number> = {
  '[male]': MALE_FLAG | GIVEN_NAME_FLAG,
  '[female]': FEMALE_FLAG | GIVEN_NAME_FLAG,
  '[either]': MALE_FLAG | FEMALE_FLAG | GIVEN_NAME_FLAG,
  '[surname]': SURNAME_FLAG,
  '[common]': SURNAME_FLAG | COMMON_SURNAME_FLAG,
};

function addFlaggedNames(lines: string[]): void {
  let flags = 0;
  for (const line of lines) {
    if (line.startsWith('[')) flags = FLAGS_OF_SECTION[line] ?? 0;
    else for (const name of splitNames(line)) addFlags(name, flags);
  }
}

function loadShippedTables(): void {
  isLoaded = true;
  addNicknames(linesOf(readBuiltInTable('nicknames.txt')));
  addGroups(linesOf(readBuiltInTable('spellings.txt')), 'spellingGroups');
  addGroups(linesOf(readBuiltInTable('cultural.txt')), 'cultureGroups');
  addFlaggedNames(linesOf(readBuiltInTable('given.txt')));
  addFlaggedNames(linesOf(readBuiltInTable('surnames.txt')));
  // Read elsewhere, but their readings, titles and particles also change look-up keys and comparisons.
  for (const file of ['han.txt', 'scripts.txt', 'words.txt']) addToHash(readBuiltInTable(file));
}

let digest = '';

/** Adds the text of a name table to the hash of all name tables. */
function addToHash(text: string): void {
  digest = hash('sha256', digest + text).slice(0, 16);
}

/** Returns the lines of a table and includes the table in the hash of all tables. */
function linesOf(text: string): string[] {
  addToHash(text);
  return splitTableLines(text);
}

/** Returns a hash of all loaded name tables. If the hash changes, look-up keys of names may have changed too. */
export function hashNameTables(): string {
  if (!isLoaded) loadShippedTables();
  return digest;
}

const OPERATOR_TABLES: string[] = [];

/** Returns the paths of the operator's name tables in the order of loading. Worker threads must load the same tables. */
export const listOperatorNameTablePaths = (): readonly string[] => OPERATOR_TABLES;

/**
 * Adds a name table of the operator to the built-in tables. Sections of the file: `[nicknames]` (lines of `full names : short forms`),
 * `[spellings]` and `[cultural]` (lines of equivalent names), `[male]`, `[female]`, `[either]`, `[surname]` and `[common]` (names). `#` starts a
 * comment. Names that are already prepared do not change. Errors: file_not_found, unreadable_file, invalid_config (unknown section).
 */
export function addNameTable(path: string): void {
  if (!isLoaded) loadShippedTables();
  OPERATOR_TABLES.push(path);
  let section = '';
  const sections = new Map<string, string[]>();
  for (const line of linesOf(readOperatorTable(path))) {
    if (line.startsWith('[')) section = line;
    else sections.set(section, [...(sections.get(section) ?? []), line]);
  }
  for (const [name, lines] of sections) addSection(name, lines, path);
}

function addSection(name: string, lines: string[], path: string): void {
  if (name === '[nicknames]') addNicknames(lines);
  else if (name === '[spellings]') addGroups(lines, 'spellingGroups');
  else if (name === '[cultural]') addGroups(lines, 'cultureGroups');
  else if (name in FLAGS_OF_SECTION) addFlaggedNames([name, ...lines]);
  else
    throw new BonafideError(
      'invalid_config',
      `The name table ${path} has ${name ? `an unknown section ${name}` : 'lines before its first section'}. Use [nicknames], [spellings], [cultural], [male], [female], [either], [surname] or [common].`,
    );
}

/** Returns the entry of a name in lower-case letters a-z. Undefined if no table contains the name. The first call loads the tables. */
export function findNameEntry(name: string): NameEntry | undefined {
  if (!isLoaded) loadShippedTables();
  return ENTRIES.has(name) ? getOrCreateEntry(name) : undefined;
}

/** Returns the first name of a group of spellings or equivalents. Look-up keys contain this name in place of the others. */
export function getRepresentativeNameOfGroup(group: number): string {
  return GROUP_HEADS[group] ?? '';
}

export function listKnownNames(): Iterable<string> {
  if (!isLoaded) loadShippedTables();
  return ENTRIES.keys();
}

const BOTH_SEXES = MALE_FLAG | FEMALE_FLAG;

/** Returns the sex of people with a given name: `MALE_FLAG`, `FEMALE_FLAG`, or 0 if both sexes have the name or it is unknown. */
export function getSexFlagOfGivenName({ flags }: NameEntry): number {
  const sex = flags & BOTH_SEXES;
  return sex === BOTH_SEXES ? 0 : sex;
}
