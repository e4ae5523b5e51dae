// Asks before something goes that no command brings back.
import { confirm, isCancel } from '@clack/prompts';
import { BonafideError } from '../../errors.ts';

/**
 * @param isGiven by --yes
 * Errors: `invalid_arguments` where the answer is no, or nobody can be asked.
 */
export async function consent(message: string, isGiven: boolean): Promise<void> {
  if (isGiven) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new BonafideError('invalid_arguments', 'Nothing was changed: say --yes where nobody can be asked.');
  const answer = await confirm({ message, output: process.stderr, initialValue: false });
  if (isCancel(answer) || !answer) throw new BonafideError('invalid_arguments', 'Nothing was changed.');
}
