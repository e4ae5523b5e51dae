// Receipts of erasures, as evidence for the requester and for the restore of an older backup. A receipt names
// no person.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { makeFolder, replaceFile, readTextFile } from '../../platform/files.ts';

export interface ErasureReceipt {
  what: 'erasure';
  /** False if the erasure was interrupted and must be completed (see `completeInterruptedErasureAndReceipt`). */
  finished: boolean;
  time: string;
  records: number;
  sources: Record<string, number>;
  /** Numbers of the identities that have no record left. In an unfinished receipt: numbers of all affected identities. */
  identities: number[];
  /** Number of deleted watches that contained values of the erased people. Absent in receipts of older Bonafide versions. */
  watches?: number;
  /** Number of deleted job lines that contained values of the erased people. Absent in receipts of older Bonafide versions. */
  job_lines?: number;
  /** Number of byte strings that were searched for in every file of the data folder, to find remaining data. */
  searched: number;
  /** Paths of files that still contain erased data: relative in the data folder, absolute outside it. */
  traces: string[];
  /**
   * Paths of files that could not be searched and may contain erased data (see `listUnsearchableFiles`). Absent in receipts of older Bonafide
   * versions.
   */
  unsearched?: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /**
   * Description of places outside the data folder where erased data may remain for a while and no command can remove it. Absent if there are
   * none.
   */
  beyond?: string;
  /** Suppression marks: hexadecimal keyed hashes that prevent a later import of the records. Without the secret, they do not reveal the records. */
  marks: string[];
}

const FOLDER = 'receipts';

/** Returns the number of records of each source. Source names that look like an e-mail or a phone are masked. */
export function countRecordsByMaskedSource(sources: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(sources.map(maskSourceNameIfContactData), (source) => source);
  return Object.fromEntries(Array.from(groups, ([source, same]) => [source, same.length]));
}

/** Patterns of an e-mail address, of a phone number with a plus sign, and of a number with nine digits or more. Dates do not match. */
const CONTACT = [/[^\s@]@[^\s@][^\s@.]*\./, /\+(?:[\s()./-]{0,2}\d){7}/, /(?:\d[\s()./-]{0,2}){9}/];

/** Returns the source name for receipts and logs. A name that looks like an e-mail or a phone is replaced by a placeholder. */
export const maskSourceNameIfContactData = (source: string): string =>
  hasContactData(source) ? '(a contact)' : source;

/**
 * Returns the sources of an import for the audit log. A source whose name equals a file name in `files` is masked, because a file name may contain a
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

/** Converts the ISO 8601 time of an erasure to the name of its receipt file. */
export const toReceiptFileName = (time: string): string =>
  `erasure-${time.slice(0, 23).replaceAll(/[:.]/g, '-')}Z.json`;

const getReceiptsFolder = (dataDir: string): string => join(dataDir, FOLDER);

export const getReceiptFilePath = (dataDir: string, name: string): string =>
  join(dataDir, FOLDER, basename(name));

/** Writes a receipt to the data folder and returns its path. A restore does not overwrite receipts. Errors: `read_only`. */
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
 * Removes the receipts of interrupted erasures whose records a later erasure has removed: all suppression marks of the receipt are among `marks`,
 * those of the later erasure.
 */
export function removeSupersededReceipts(dataDir: string, { marks }: Pick<ErasureReceipt, 'marks'>): void {
  const done = new Set(marks);
  for (const file of listReceiptFilePaths(dataDir)) {
    const receipt = readReceipt(file);
    if (receipt.finished === false && receipt.marks.every((mark) => done.has(mark))) rmSync(file);
  }
}

/** Path of the marker file of a restored backup. While the file exists, forgotten people may be in the graph again. */
const getRestoredMarkerFile = (dataDir: string) => join(getReceiptsFolder(dataDir), 'restored');

/** Warning after the restore of a backup that may contain erased people. It names the command that erases them again. */
export const FORGOTTEN_PEOPLE_RESTORED_WARNING =
  'people who were forgotten may be back: run bonafide graph forget --repeat';

/**
 * Marks a data folder as restored if it has receipts of erasures later than the backup. Returns true if it has such
 * receipts. Errors: `read_only`.
 *
 * @param made ISO 8601 time at which the backup was made
 */
export function markRestoredIfErasuresAreNewer(dataDir: string, made: string): boolean {
  const isNewer = listReceiptFilePaths(dataDir).some((file) => isReceiptSinceBackup(file, Date.parse(made)));
  if (isNewer) replaceFile(getRestoredMarkerFile(dataDir), `${made}\n`);
  else rmSync(getRestoredMarkerFile(dataDir), { force: true });
  return isNewer;
}

/**
 * True if the erasure of a receipt must be repeated after a restore: the receipt has suppression marks and is later than the backup. True also for
 * an unreadable receipt. `made` is the time of the backup in milliseconds since 1970.
 */
function isReceiptSinceBackup(file: string, made: number): boolean {
  try {
    const { time, marks } = readReceipt(file);
    return marks.length > 0 && !(Date.parse(time) < made);
  } catch {
    return true;
  }
}

export const isFolderMarkedAsRestored = (dataDir: string): boolean =>
  existsSync(getRestoredMarkerFile(dataDir));

/** Removes the marker that `markRestoredIfErasuresAreNewer` wrote. Must be called when all erasures have been repeated. */
export const removeRestoredMarker = (dataDir: string): void =>
  rmSync(getRestoredMarkerFile(dataDir), { force: true });
