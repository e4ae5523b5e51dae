// Who was forgotten and may be back, since the folder holds an older backup: noted beside the receipts until they have been gone through.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../platform/files.ts';
import { readReceipt, receiptsFolder, receiptsIn } from './receipt.ts';

const noteIn = (dataDir: string) => join(receiptsFolder(dataDir), 'restored');

/** What is said as long as it may be so. */
export const MAY_BE_BACK = 'people who were forgotten may be back: run bonafide graph forget --repeat';

/**
 * Notes that a folder is as it was at a time (ISO 8601), where it has receipts of people who were forgotten since. Answers whether it has.
 * Errors: `read_only`.
 */
export function noteRestored(dataDir: string, made: string): boolean {
  const isNewer = receiptsIn(dataDir).some((file) => isSince(file, Date.parse(made)));
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

export const mayBeBack = (dataDir: string): boolean => existsSync(noteIn(dataDir));

/** All receipts have been gone through. */
export const noneIsBack = (dataDir: string): void => rmSync(noteIn(dataDir), { force: true });
