// Receipts of erasures, as evidence for the requester and for the restore of an older backup. A receipt names
// no person.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { RESTORED_MARKER_FILE } from '../../platform/data-folder.ts';
import { makeFolder, replaceFile, readTextFile } from '../../platform/files.ts';

export interface ErasureReceipt {
  what: 'erasure';
  /** False if the erasure is not completed yet, because it was interrupted (see `completeInterruptedErasureAndReceipt`). */
  finished: boolean;
  time: string;
  records: number;
  sources: Record<string, number>;
  /** Identity numbers of people without any record left. In an unfinished receipt: identity numbers of all erased records. */
  identities: number[];
  /** Number of deleted watches, which contained values of the erased people. Absent in receipts of older Bonafide versions. */
  watches?: number;
  /** Number of deleted job lines, which contained values of the erased people. Absent in receipts of older Bonafide versions. */
  job_lines?: number;
  /** Number of byte strings of the erased records for which every file of the data folder was searched. */
  searched: number;
  /** Paths of files that still contain erased data: relative to the data folder, absolute outside it. */
  traces: string[];
  /**
   * Paths of files that could not be searched and may contain erased data (see `listUnsearchableFiles`). Absent in receipts of older Bonafide
   * versions.
   */
  unsearched?: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /** Places outside the data folder where erased data may remain for a while and no command can remove it, in words. Absent if there are none. */
  beyond?: string;
  /** Suppression marks in hexadecimal: keyed hashes that prevent a later import of the records, and do not reveal them without the secret. */
  marks: string[];
}

const FOLDER = 'receipts';

/** Counts the records of each source. Masks source names that look like an e-mail or a phone. */
export function countRecordsByMaskedSource(sources: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(sources.map(maskSourceNameIfContactData), (source) => source);
  return Object.fromEntries(Array.from(groups, ([source, same]) => [source, same.length]));
}

/** Patterns of an e-mail, of a phone with a plus sign, and of a number of at least nine digits. Dates do not match. */
const CONTACT = [/[^\s@]@[^\s@][^\s@.]*\./, /\+(?:[\s()./-]{0,2}\d){7}/, /(?:\d[\s()./-]{0,2}){9}/];

/** Returns the name of a source for receipts and logs. A name that looks like an e-mail or a phone is replaced by a placeholder. */
export const maskSourceNameIfContactData = (source: string): string =>
  hasContactData(source) ? '(a contact)' : source;

/**
 * Returns the sources of an import for the audit log. Masks a source that is named like one of the `files`, because a file name may contain a
 * person's name.
 */
export function toAuditedSources(sources: Iterable<string>, files: readonly string[]): AuditedSources {
  const sourceTexts = Array.from(sources, (source) =>
    files.includes(source) ? FILE_S : maskSourceNameIfContactData(source),
  );
  const [only = ''] = sourceTexts;
  const some = sourceTexts.slice(0, MOST_NOTED);
  return sourceTexts.length > 1 ? { target: '', detail: { sources: some } } : { target: only, detail: {} };
}
interface AuditedSources {
  target: string;
  detail: { sources?: string[] };
}
const FILE_S = '(named by its file)';
const MOST_NOTED = 10;

export const hasContactData = (text: string): boolean => CONTACT.some((pattern) => pattern.test(text));

/** Converts the time of an erasure (ISO 8601) to the name of its receipt file. */
export const toReceiptFileName = (time: string): string =>
  `erasure-${time.slice(0, 23).replaceAll(/[:.]/g, '-')}Z.json`;

export const getReceiptFilePath = (dataDir: string, name: string): string =>
  join(dataDir, FOLDER, basename(name));

/** Writes a receipt to the data folder, where a restore of a backup does not overwrite it. Returns its path. Errors: `read_only`. */
export function writeReceipt(dataDir: string, receipt: ErasureReceipt): string {
  makeFolder(join(dataDir, FOLDER));
  const file = getReceiptFilePath(dataDir, toReceiptFileName(receipt.time));
  replaceFile(file, formatReceiptJson(receipt));
  return file;
}

export const formatReceiptJson = (receipt: ErasureReceipt): string => `${JSON.stringify(receipt, null, 2)}\n`;

export function listReceiptFilePaths(dataDir: string): string[] {
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

/** Maximum size of a receipt. The suppression marks of one record take some 500 bytes, and an erasure can remove a million records. */
const MAX_RECEIPT_BYTES = 500 * 1024 * 1024;

export function readReceipt(file: string): ErasureReceipt {
  try {
    const receipt = JSON.parse(readTextFile(file, MAX_RECEIPT_BYTES)) as ErasureReceipt;
    if (Array.isArray(receipt.marks)) return receipt;
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    // The error below reports the unreadable receipt.
  }
  throw new BonafideError('unreadable_file', `${file} is not a receipt of an erasure. Choose another file.`);
}

/**
 * Removes receipts of interrupted erasures whose records a later erasure has removed: all their suppression marks are among `marks`, those of the
 * later erasure.
 */
export function removeSupersededReceipts(dataDir: string, { marks }: Pick<ErasureReceipt, 'marks'>): void {
  const done = new Set(marks);
  for (const file of listReceiptFilePaths(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false && receipt.marks.every((mark) => done.has(mark))) rmSync(file);
  }
}

/** Returns the path of the file with the times of the last restore. It is not in `receipts`, which may be copied into the folder later. */
const getRestoredMarkerFile = (dataDir: string) => join(dataDir, RESTORED_MARKER_FILE);

/**
 * Notes that a data folder was restored from a backup. Errors: `read_only`.
 * @param made ISO 8601 time at which the backup was made
 * @param now time of the restore, in milliseconds since 1970
 */
export function markRestored(dataDir: string, made: string, now: number): void {
  replaceFile(getRestoredMarkerFile(dataDir), `${made} ${new Date(now).toISOString()}\n`);
}

/**
 * Returns a warning if the restored backup of a data folder may contain erased people: there are receipts of erasures between the backup and the
 * restore, and the erasures have not been repeated. Otherwise empty. The receipts may have been copied into the folder after the restore.
 */
export function listRestoredPeopleWarnings(dataDir: string): string[] {
  const file = getRestoredMarkerFile(dataDir);
  if (!existsSync(file)) return [];
  const [made = Number.NaN, restored = Number.NaN] = readTextFile(file).trim().split(' ').map(Date.parse);
  return listReceiptFilePaths(dataDir).some((receipt) => isReceiptBetween(receipt, made, restored))
    ? ['people who were forgotten may be back: run bonafide graph forget --repeat']
    : [];
}

/**
 * True if the erasure of a receipt was between two times (milliseconds since 1970; NaN for unknown) and has suppression marks. True also for an
 * unreadable receipt.
 */
function isReceiptBetween(file: string, start: number, end: number): boolean {
  try {
    const { time, marks } = readReceipt(file);
    return marks.length > 0 && !(Date.parse(time) < start) && !(Date.parse(time) > end);
  } catch {
    return true;
  }
}

/** Removes the mark that `markRestored` made. Call it when the erasures of all receipts have been repeated. */
export const removeRestoredMarker = (dataDir: string): void =>
  rmSync(getRestoredMarkerFile(dataDir), { force: true });
