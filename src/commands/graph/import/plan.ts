// What the columns of a table will be taken for: shown before the import, asked about in a terminal.
import { writeFileSync } from 'node:fs';
import { confirm, isCancel } from '@clack/prompts';
import { BonafideError } from '../../../errors.ts';
import type { Plan } from '../../../import/source/plan.ts';
import { table } from '../../command.ts';

export interface Planning {
  /** Whether somebody can be asked, and is to be. */
  ask: boolean;
  /** Whether nothing but JSON is wanted. */
  quiet: boolean;
  /** Where the map goes. */
  saveMap?: string | undefined;
}

/**
 * Shows a plan on standard error, keeps its map and asks.
 *
 * Errors: `invalid_arguments` where the answer is no, `read_only` where the map cannot be written.
 */
export async function showPlan(plan: Plan, { ask, quiet, saveMap }: Planning): Promise<void> {
  if (saveMap !== undefined) saveTo(saveMap, plan.map);
  if (!quiet || ask) process.stderr.write(`${planText(plan)}\n`);
  if (!ask) return;
  const answer = await confirm({ message: 'Import it like this?', output: process.stderr });
  if (isCancel(answer) || !answer)
    throw new BonafideError(
      'invalid_arguments',
      `Nothing of ${plan.input} was imported. Say what its columns are with --map, or keep this plan with --save-map FILE, edit it and give it to --map.`,
    );
}

function saveTo(file: string, map: string): void {
  try {
    writeFileSync(file, map, { mode: 0o600 });
  } catch {
    throw new BonafideError('read_only', `Cannot write the map to ${file}: choose another with --save-map.`);
  }
}

/** A line a column: header, field, masked examples. */
export function planText({ input, columns }: Plan): string {
  const rows = columns.map(({ header, field, group, examples }) => [
    `  ${header || '(no header)'}`,
    field === null ? 'not used' : group === '' ? field : `${field} (${group})`,
    examples.join('  '),
  ]);
  return `${input}, its columns and what they are taken for (x a letter, 9 a digit):\n${table(rows)}`;
}
