// What is left on record of an erasure, for whoever asked for it and for whoever restores an older backup. It names nobody.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { makeFolder, replaceFile } from '../platform/files.ts';

export interface Receipt {
  what: 'erasure';
  /** ISO 8601. */
  time: string;
  records: number;
  /** Of how many records each source. */
  sources: Record<string, number>;
  /** Numbers of identities of which nothing is left. */
  identities: number[];
  /** Every file of the data folder was read afterwards, and this many byte strings that were theirs looked for. */
  searched: number;
  /** Files that still hold something. */
  traces: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /** Keyed digests that keep the records out, in hex; nothing can be read from them without the secret, nor guessed. */
  marks: string[];
}

const FOLDER = 'receipts';

/** Keeps a receipt in the data folder, where a restore leaves it. Answers its file. Errors: `read_only`. */
export function keepReceipt(dataDir: string, receipt: Receipt): string {
  const folder = join(dataDir, FOLDER);
  const name = `erasure-${receipt.time.slice(0, 23).replaceAll(/[:.]/g, '-')}Z.json`;
  makeFolder(folder);
  const file = join(folder, name);
  replaceFile(file, receiptText(receipt));
  return file;
}

export const receiptText = (receipt: Receipt): string => `${JSON.stringify(receipt, null, 2)}\n`;

/** The receipts that a data folder keeps. */
export function receiptsIn(dataDir: string): string[] {
  const folder = join(dataDir, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** The marks of a receipt. Errors: `unreadable_file`. */
export function marksIn(file: string): Buffer[] {
  try {
    const { marks } = JSON.parse(readFileSync(file, 'utf8')) as Receipt;
    return marks.filter((mark) => /^[0-9a-f]{32}$/.test(mark)).map((mark) => Buffer.from(mark, 'hex'));
  } catch {
    throw new BonafideError('unreadable_file', `${file} is no receipt of an erasure.`);
  }
}
