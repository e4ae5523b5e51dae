// Receipts of erasures, as evidence for the requester and for the restore of an older backup. A receipt names no person.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { makeFolder, replaceFile } from '../../platform/files.ts';

export interface ErasureReceipt {
  what: 'erasure';
  /** False if the erasure was interrupted; see `completeInterruptedForget`. */
  finished: boolean;
  time: string;
  records: number;
  sources: Record<string, number>;
  /** Numbers of identities of which no record is left; in an unfinished receipt, of all affected identities. */
  identities: number[];
  /** Number of deleted watches with values of the people. Absent in receipts of earlier versions. */
  watches?: number;
  /** Number of deleted lines of jobs with values of the people. Absent in receipts of earlier versions. */
  job_lines?: number;
  /** Number of byte strings of the erased records that were searched for in every file of the data folder. */
  searched: number;
  /**
   * Files that still contain erased data: paths relative to the data folder, and absolute paths of rejects files outside the data folder.
   */
  traces: string[];
  /** Files that could not be searched and may contain erased data; see `listUnsearchableFiles`. Absent in receipts of earlier versions. */
  unsearched?: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /**
   * Places outside the data folder where erased data may remain for a while, and from which no command can remove it; absent if there are
   * none.
   */
  beyond?: string;
  /** Keyed digests in hexadecimal that prevent a later import of the records. Without the secret, they can neither be read nor guessed. */
  marks: string[];
}

const FOLDER = 'receipts';

/** Counts the records by source. A source whose name looks like an e-mail or phone is masked. */
export function countBySource(sources: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(sources.map(maskSource), (source) => source);
  return Object.fromEntries(Array.from(groups, ([source, same]) => [source, same.length]));
}

/** Patterns of an e-mail address, of a number with a plus sign, and of nine or more digits, which no date has. */
const CONTACT = [/[^\s@]@[^\s@][^\s@.]*\./, /\+(?:[\s()./-]{0,2}\d){7}/, /(?:\d[\s()./-]{0,2}){9}/];

/** Returns the name of a source for receipts and logs. A name that looks like a contact is masked. */
export const maskSource = (source: string): string => (looksLikeContact(source) ? '(a contact)' : source);

/**
 * Returns the sources of an import for the audit log. Sources named after a file in `files` are masked: a file name may contain a person's
 * name, and log entries are never deleted.
 */
export function describeSourcesForAudit(sources: Iterable<string>, files: readonly string[]): SourcesNoted {
  const sourceTexts = Array.from(sources, (source) => (files.includes(source) ? FILE_S : maskSource(source)));
  const [only = ''] = sourceTexts;
  const some = sourceTexts.slice(0, MOST_NOTED);
  return sourceTexts.length > 1 ? { target: '', detail: { sources: some } } : { target: only, detail: {} };
}
interface SourcesNoted {
  target: string;
  detail: { sources?: string[] };
}
const FILE_S = '(named by its file)';
const MOST_NOTED = 10;

export const looksLikeContact = (text: string): boolean => CONTACT.some((pattern) => pattern.test(text));

export const toReceiptName = (time: string): string =>
  `erasure-${time.slice(0, 23).replaceAll(/[:.]/g, '-')}Z.json`;

export const getReceiptsFolder = (dataDir: string): string => join(dataDir, FOLDER);

export const getReceiptFile = (dataDir: string, name: string): string =>
  join(dataDir, FOLDER, basename(name));

/** Writes a receipt to the data folder, where a restore does not overwrite it. Returns its path. Errors: `read_only`. */
export function writeReceipt(dataDir: string, receipt: ErasureReceipt): string {
  makeFolder(join(dataDir, FOLDER));
  const file = getReceiptFile(dataDir, toReceiptName(receipt.time));
  replaceFile(file, toReceiptText(receipt));
  return file;
}

export const toReceiptText = (receipt: ErasureReceipt): string => `${JSON.stringify(receipt, null, 2)}\n`;

export function listReceipts(dataDir: string): string[] {
  const folder = join(dataDir, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name));
}

export const readSuppressionMarks = (file: string): Buffer[] =>
  readReceipt(file)
    .marks.filter((mark) => /^[0-9a-f]{32}$/.test(mark))
    .map((mark) => Buffer.from(mark, 'hex'));

export function readReceipt(file: string): ErasureReceipt {
  try {
    const receipt = JSON.parse(readFileSync(file, 'utf8')) as ErasureReceipt;
    if (Array.isArray(receipt.marks)) return receipt;
  } catch {
    // The error below reports the unreadable receipt.
  }
  throw new BonafideError('unreadable_file', `${file} is not a receipt of an erasure. Choose another file.`);
}

/** Removes receipts of interrupted erasures whose records a later erasure has removed completely. */
export function removeSupersededReceipts(dataDir: string, { marks }: Pick<ErasureReceipt, 'marks'>): void {
  const done = new Set(marks);
  for (const file of listReceipts(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false && receipt.marks.every((mark) => done.has(mark))) rmSync(file);
  }
}

// Path of the marker file of a restored backup. While it exists, forgotten people may be in the graph again.
const noteIn = (dataDir: string) => join(getReceiptsFolder(dataDir), 'restored');

/** Warning that is shown while the marker of a restored backup exists. */
export const REPEAT_FORGET_WARNING =
  'people who were forgotten may be back: run bonafide graph forget --repeat';

/**
 * Marks a data folder as restored from a backup of the time `made` (ISO 8601), if it has receipts of later erasures. Returns true if it
 * has. Errors: `read_only`.
 */
export function markFolderAsRestored(dataDir: string, made: string): boolean {
  const isNewer = listReceipts(dataDir).some((file) => isSince(file, Date.parse(made)));
  if (isNewer) replaceFile(noteIn(dataDir), `${made}\n`);
  else rmSync(noteIn(dataDir), { force: true });
  return isNewer;
}

/** True if a receipt is later than the backup and suppresses records. An unreadable receipt counts as later. */
function isSince(file: string, made: number): boolean {
  try {
    const { time, marks } = readReceipt(file);
    return marks.length > 0 && !(Date.parse(time) < made);
  } catch {
    return true;
  }
}

export const isFolderMarkedAsRestored = (dataDir: string): boolean => existsSync(noteIn(dataDir));

/** Removes the marker of a restored backup, after all receipts were repeated. */
export const clearRestoredMark = (dataDir: string): void => rmSync(noteIn(dataDir), { force: true });
