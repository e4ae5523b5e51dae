// What is known about a name: which names it is a short form of, which families it belongs to, who bears it.
import { foldLatin } from './script.ts';
import { readTable, tableLines } from './tables.ts';

/** What the tables say about one folded name. Numbers identify names and groups; they have no meaning outside. */
export interface NameInfo {
  id: number;
  /** Ids of the full names that this one is a short form of. */
  formals: number[];
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

const names = new Map<string, NameInfo>();
const byId: NameInfo[] = [];
let groups = 0;
let loaded = false;

function entry(text: string): NameInfo {
  let info = names.get(text);
  if (!info) {
    info = { id: names.size + 1, formals: [], spellings: [], cultures: [], flags: 0 };
    names.set(text, info);
    byId[info.id] = info;
  }
  return info;
}

function words(line: string): string[] {
  return line
    .split(/[\s,]+/)
    .map(foldLatin)
    .filter(Boolean);
}

function addNicknames(lines: string[]): void {
  for (const line of lines) {
    const [heads, shorts] = line.split(':');
    if (shorts === undefined) continue;
    const formals = words(heads!).map(entry);
    for (const formal of formals) formal.flags |= GIVEN;
    for (const short of words(shorts)) {
      const info = entry(short);
      info.flags |= GIVEN;
      for (const formal of formals) if (!info.formals.includes(formal.id)) info.formals.push(formal.id);
    }
  }
}

function addGroups(lines: string[], kind: 'spellings' | 'cultures'): void {
  for (const line of lines) {
    const group = ++groups;
    for (const word of words(line)) {
      const info = entry(word);
      info.flags |= GIVEN;
      info[kind].push(group);
    }
  }
}

function addFlags(lines: string[]): void {
  let flags = 0;
  const sections: Record<string, number> = {
    '[male]': MALE | GIVEN,
    '[female]': FEMALE | GIVEN,
    '[either]': MALE | FEMALE | GIVEN,
    '[surname]': SURNAME,
    '[common]': SURNAME | COMMON,
  };
  for (const line of lines) {
    if (line.startsWith('[')) flags = sections[line] ?? 0;
    else for (const word of words(line)) entry(word).flags |= flags;
  }
}

function load(): void {
  loaded = true;
  addNicknames(tableLines(readTable('nicknames.txt')));
  addGroups(tableLines(readTable('spellings.txt')), 'spellings');
  addGroups(tableLines(readTable('cultural.txt')), 'cultures');
  addFlags(tableLines(readTable('given.txt')));
  addFlags(tableLines(readTable('surnames.txt')));
}

/** What the tables know of a folded name (a-z); undefined when nothing. Reads the tables on first use. */
export function lookUp(text: string): NameInfo | undefined {
  if (!loaded) load();
  return names.get(text);
}

/** Every name of the tables. */
export function knownNames(): Iterable<string> {
  if (!loaded) load();
  return names.keys();
}

/** Entry of a name by its id. */
export function entryOf(id: number): NameInfo {
  return byId[id]!;
}
