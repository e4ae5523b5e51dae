import { readFileSync } from 'node:fs';
import type { Leaked } from '../../admin/keys.ts';

/** The verdict as a sentence; the string itself is never repeated. */
export function leakedText({ is, key, live }: Leaked): string {
  if (is === 'no key') return 'This is no key: its shape or its checksum is wrong.';
  if (!key) return 'This has the shape of a key, and is none of this folder.';
  const name = `${key.id} (${key.name})`;
  return live
    ? `This is ${name}, and it works. Refuse it from now on: bonafide keys revoke ${key.id}`
    : `This is ${name}. It works no more.`;
}

/** The string to judge: the word of the command line, or the first line of standard input where that is `-` or none. */
export function textToJudge(word: string | undefined): string {
  const text = word === undefined || word === '-' ? readFileSync(0, 'utf8') : word;
  return (text.split('\n')[0] ?? '').trim();
}
