import { BonafideError } from '../../errors.ts';
import { everyValue } from './command.ts';

/** The number of an identity, as it is written. Errors: `invalid_arguments`. */
export function parseIdentity(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BonafideError('invalid_arguments', 'An identity is a positive whole number.');
}

/**
 * Every `--set key=value` of a command line by its key; numbers, true, false and JSON are read as such.
 * Errors: invalid_arguments.
 */
export function parseSetOptions(rawArgs: string[]): Record<string, unknown> {
  return Object.fromEntries(everyValue(rawArgs, 'set').map(pair));
}

function pair(text: string): [string, unknown] {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
  if (!key || value === undefined) throw new BonafideError('invalid_arguments', '--set takes key=value.');
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}
