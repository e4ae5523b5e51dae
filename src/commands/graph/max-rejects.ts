// Refuses an import of which too much cannot be used, before anything of it is kept.
import { BonafideError } from '../../errors.ts';
import { type ImportOptions, importRecords } from '../../import.ts';
import type { ImportInput } from '../../import/keep.ts';

/**
 * Reads the files once without keeping anything.
 *
 * Errors: `invalid_arguments` for a share that is none and for standard input, which cannot be read twice; `unreadable_file` where more of the
 * records cannot be used; those of `importRecords`.
 */
export async function requireFew(
  open: () => ImportInput[],
  reading: Omit<ImportOptions, 'graph' | 'inputs'>,
  said: string,
): Promise<void> {
  const most = shareOf(said);
  const inputs = open();
  if (inputs.some(({ name }) => name === '-'))
    throw new BonafideError(
      'invalid_arguments',
      '--max-rejects reads twice: name a file, not standard input.',
    );
  const { read, rejected } = await importRecords({ ...reading, graph: null, inputs });
  const share = rejected / Math.max(read + rejected, 1);
  if (share <= most) return;
  throw new BonafideError(
    'unreadable_file',
    `${rejected} of ${read + rejected} records cannot be used, more than ${said}: nothing was imported. --dry-run --rejects FILE tells each and why.`,
  );
}

/** `5%` or `5` as a share of 1. */
function shareOf(said: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(said)?.[1];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw new BonafideError('invalid_arguments', '--max-rejects must be a percentage such as 5%.');
}
