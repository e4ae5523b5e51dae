// Values of settings as the environment and flags write them.
import { delimiter } from 'node:path';
import { SETTINGS } from './settings.ts';
import type { Option, Setting } from './settings.ts';

/** A text as the value that it stands for; undefined where there is none. */
export function fromText(option: Option, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const { read }: Setting = SETTINGS[option];
  switch (read) {
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : text;
    case 'paths':
      return text.split(delimiter).filter(Boolean);
    case 'commas':
      return text.split(',').map((one) => one.trim());
    case 'pairs':
      return pairs(text);
    default:
      return text;
  }
}

/** `every=24h,to=/backups,keep=7` as an object; numbers and true and false are what they say. */
function pairs(text: string): Record<string, unknown> {
  const value = (word: string) => {
    if (word === 'true' || word === 'false') return word === 'true';
    return /^\d+(\.\d+)?$/.test(word) ? Number(word) : word;
  };
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', word = ''] = pair.split(/=(.*)/s);
      return [name.trim(), value(word.trim())];
    }),
  );
}
