import { readFileSync } from 'node:fs';
import type { Judged, Leaked } from '../../admin/keys.ts';
import { BonafideError } from '../../errors.ts';

/** A sentence for each key; none of them is repeated. */
export function leakedText({ keys }: Leaked): string {
  if (keys.length === 0) return 'There is no key in this: nothing has the shape and the checksum of one.';
  return keys.map((key, i) => `${keys.length > 1 ? `${i + 1}. ` : ''}${sentenceOf(key)}`).join('\n');
}

function sentenceOf({ key, live }: Judged): string {
  if (!key) return 'This has the shape of a key, and is none of this folder.';
  const name = `${key.id} (${key.name})`;
  return live
    ? `This is ${name}, and it works. Refuse it from now on: bonafide keys revoke ${key.id}`
    : `This is ${name}. It works no more.`;
}

/** 1 where a key works, or may work elsewhere: for a script nothing is clear then. */
export const leakedCode = ({ keys }: Leaked): number =>
  keys.some(({ is, live }) => live || is === 'not ours') ? 1 : 0;

/** The text to judge: the word of the command line, or standard input where that is `-` or none. Errors: invalid_arguments. */
export function textToJudge(word: string | undefined): string {
  const text = word === undefined || word === '-' ? readFileSync(0, 'utf8') : word;
  if (text.trim() === '') throw new BonafideError('invalid_arguments', 'There is no text to look at.');
  return text;
}
