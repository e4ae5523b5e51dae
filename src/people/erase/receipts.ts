// What is left on record of an erasure, for whoever asked for it and for whoever restores an older backup. It names nobody.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { makeFolder, replaceFile } from '../../platform/files.ts';

export interface Receipt {
  what: 'erasure';
  /** False: it was begun, and cut short before its end; see `completeForgetting`. */
  finished: boolean;
  /** When it was begun, ISO 8601. */
  time: string;
  records: number;
  /** Of how many records each source. */
  sources: Record<string, number>;
  /** Numbers of identities of which nothing is left; until it is finished, of all that records go from. */
  identities: number[];
  /** Every file of the data folder was read afterwards, and this many byte strings that were theirs looked for. */
  searched: number;
  /** Files that still hold something, by their ways in the data folder; rejects of imports that lie elsewhere, by their paths. */
  traces: string[];
  /** What could not be searched, and may hold something; see `unsearchedIn`. Not in receipts of earlier versions. */
  unsearched?: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /** Where bytes of them may be for a while that no command can take out; not there where that is nowhere. */
  beyond?: string;
  /** Keyed digests that keep the records out, in hex; nothing can be read from them without the secret, nor guessed. */
  marks: string[];
}

const FOLDER = 'receipts';

/** Of which sources the records are; a source that is called like somebody's e-mail or phone is told by its kind. */
export function countBySource(sources: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(sources.map(maskSource), (source) => source);
  return Object.fromEntries(Array.from(groups, ([source, same]) => [source, same.length]));
}

/** An e-mail address; a number from its plus sign; nine digits or more, which no date has. */
const CONTACT = /[^\s@]@[^\s@]+\.|\+(?:[\s()./-]{0,2}\d){7}|(?:\d[\s()./-]{0,2}){9}/;

/** What is written down of a source's name. */
export const maskSource = (source: string): string => (looksLikeContact(source) ? '(a contact)' : source);

/**
 * What an act says of the sources of an import. `files` are those that some of them got their names from: a file may be called like somebody,
 * and the log cannot forget.
 */
export function describeSources(sources: Iterable<string>, files: readonly string[]): SourcesNoted {
  const told = Array.from(sources, (source) => (files.includes(source) ? FILE_S : maskSource(source)));
  const [only = ''] = told;
  const some = told.slice(0, MOST_NOTED);
  return told.length > 1 ? { target: '', detail: { sources: some } } : { target: only, detail: {} };
}
interface SourcesNoted {
  target: string;
  detail: { sources?: string[] };
}
const FILE_S = '(named by its file)';
const MOST_NOTED = 10;

/** May a text hold somebody's e-mail address or phone number? */
export const looksLikeContact = (text: string): boolean => CONTACT.test(text);

/** What the receipt of an erasure that begins at a time is called. */
export const toReceiptName = (time: string): string =>
  `erasure-${time.slice(0, 23).replaceAll(/[:.]/g, '-')}Z.json`;

export const getReceiptsFolder = (dataDir: string): string => join(dataDir, FOLDER);

/** Where a data folder keeps a receipt of that name. */
export const getReceiptFile = (dataDir: string, name: string): string =>
  join(dataDir, FOLDER, basename(name));

/** Keeps a receipt in the data folder, where a restore leaves it. Answers its file. Errors: `read_only`. */
export function writeReceipt(dataDir: string, receipt: Receipt): string {
  makeFolder(join(dataDir, FOLDER));
  const file = getReceiptFile(dataDir, toReceiptName(receipt.time));
  replaceFile(file, toReceiptText(receipt));
  return file;
}

export const toReceiptText = (receipt: Receipt): string => `${JSON.stringify(receipt, null, 2)}\n`;

/** The receipts that a data folder keeps. */
export function listReceipts(dataDir: string): string[] {
  const folder = join(dataDir, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** The marks of a receipt. Errors: `unreadable_file`. */
export const readMarks = (file: string): Buffer[] =>
  readReceipt(file)
    .marks.filter((mark) => /^[0-9a-f]{32}$/.test(mark))
    .map((mark) => Buffer.from(mark, 'hex'));

/** Errors: `unreadable_file`. */
export function readReceipt(file: string): Receipt {
  try {
    const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt;
    if (Array.isArray(receipt.marks)) return receipt;
  } catch {
    // As below.
  }
  throw new BonafideError('unreadable_file', `${file} is no receipt of an erasure.`);
}

/** Removes receipts of erasures that were cut short, all of which another one has taken out since. */
export function removeSupersededReceipts(dataDir: string, { marks }: Pick<Receipt, 'marks'>): void {
  const done = new Set(marks);
  for (const file of listReceipts(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false && receipt.marks.every((mark) => done.has(mark))) rmSync(file);
  }
}

// Who was forgotten and may be back, since the folder holds an older backup: noted beside the receipts until they have been gone through.
const noteIn = (dataDir: string) => join(getReceiptsFolder(dataDir), 'restored');

/** What is said as long as it may be so. */
export const REPEAT_FORGET_WARNING =
  'people who were forgotten may be back: run bonafide graph forget --repeat';

/**
 * Notes that a folder is as it was at a time (ISO 8601), where it has receipts of people who were forgotten since. Answers whether it has.
 * Errors: `read_only`.
 */
export function markRestored(dataDir: string, made: string): boolean {
  const isNewer = listReceipts(dataDir).some((file) => isSince(file, Date.parse(made)));
  if (isNewer) replaceFile(noteIn(dataDir), `${made}\n`);
  else rmSync(noteIn(dataDir), { force: true });
  return isNewer;
}

/** Whom a receipt does not keep out may be there; one that cannot be read may be of anybody. */
function isSince(file: string, made: number): boolean {
  try {
    const { time, marks } = readReceipt(file);
    return marks.length > 0 && !(Date.parse(time) < made);
  } catch {
    return true;
  }
}

export const isMarkedRestored = (dataDir: string): boolean => existsSync(noteIn(dataDir));

/** All receipts have been gone through. */
export const clearRestoredMark = (dataDir: string): void => rmSync(noteIn(dataDir), { force: true });
