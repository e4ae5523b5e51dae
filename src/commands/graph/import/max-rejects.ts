// Whether an import goes on of which much cannot be used: asked when all is read and nothing of it is in the graph.
import { confirm, isCancel } from '@clack/prompts';
import { BonafideError } from '../../../errors.ts';
import type { Kept } from '../../../import/progress.ts';

/** Beyond this share something is wrong with the file, or with how it is read. */
const ASKED_FROM = 0.1;

export interface Asking {
  /** The share of records that may be unusable, 0-1, and how it was said; null where nothing was said. */
  most: number | null;
  said: string;
  /** Whether somebody can be asked. */
  ask: boolean;
  /** Where each is told and why. */
  file: string | null;
}

/** Errors: `unreadable_file` where more cannot be used than may be, `invalid_arguments` where the answer is no. */
export async function askAboutRejects(
  { read, rejected }: Kept,
  { most, said, ask, file }: Asking,
): Promise<void> {
  const all = read + rejected;
  const share = rejected / Math.max(all, 1);
  const told = `${rejected} of ${all} records cannot be used`;
  const where = `${file === null ? '' : `${file} tells each and why; `}--dry-run tells how many of each kind.`;
  if (most !== null && share > most)
    throw new BonafideError('unreadable_file', `${told}, more than ${said}: nothing was imported. ${where}`);
  if (most !== null || share <= ASKED_FROM || read === 0 || !ask) return;
  const answer = await confirm({ message: `${told}. Import the others?`, output: process.stderr });
  if (isCancel(answer) || !answer)
    throw new BonafideError('invalid_arguments', `Nothing was imported. ${where}`);
}

/** `5%` or `5` as a share of 1. Errors: `invalid_arguments`. */
export function shareOf(said: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(said)?.[1];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw new BonafideError('invalid_arguments', '--max-rejects must be a percentage such as 5%.');
}
