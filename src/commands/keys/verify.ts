import { readFileSync } from 'node:fs';
import { looksLikeKey } from '../../accounts/key-text.ts';
import { isValid } from '../../accounts/keys.ts';
import type { KeyInfo } from '../../accounts/keys.ts';
import { keyOfText } from '../../store/sqlite/keys.ts';
import type { Store } from '../../store/sqlite/open.ts';

/** What a string turned out to be: no key by its shape and checksum, none of this store's, or one of them. */
export interface Leaked {
  is: 'no key' | 'not ours' | 'ours';
  key: KeyInfo | null;
  /** It works now. */
  live: boolean;
}

/** Whether a string that turned up somewhere is a key, whose, and whether it works. */
export function judgeText(store: Store | null, text: string, now: number): Leaked {
  const key = store && keyOfText(store, text);
  if (key) return { is: 'ours', key, live: isValid(key, now) };
  return { is: looksLikeKey(text) ? 'not ours' : 'no key', key: null, live: false };
}

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
