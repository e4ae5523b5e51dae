// Names of settings, commands and options: deprecated names, and hints for unknown names.
import { findNearestWord } from '../normalise/typo.ts';

/** Deprecated names of settings and options, with their current names. A deprecated name still works, with a warning. */
export const DEPRECATED_NAMES = {
  setting: {} as Record<string, string>,
  command: {
    'graph judgements': 'graph manual-links',
    'accounts join': 'accounts add-key',
  } as Record<string, string>,
  option: {
    'keys create --allow': 'keys create --allowed-addresses',
    'graph import --allow-return': 'graph import --allow-reimport',
    'graph forget --allow-return': 'graph forget --allow-reimport',
    'graph forget --again': 'graph forget --repeat',
  } as Record<string, string>,
};

type NameKind = keyof typeof DEPRECATED_NAMES;

/**
 * Returns the current name for a deprecated name, after a warning on standard error. Other names stay unchanged. `path` is the command of an
 * option, such as `graph`.
 */
export function replaceDeprecatedName(kind: NameKind, name: string, path: readonly string[] = []): string {
  const deprecated = [...path, name].join(' ');
  const replacement = DEPRECATED_NAMES[kind][deprecated];
  if (replacement === undefined) return name;
  process.stderr.write(`warning: The ${kind} ${deprecated} is deprecated. Use ${replacement}.\n`);
  return replacement.split(' ').at(-1) ?? name;
}

export const replaceDeprecatedSettingNames = <V>(values: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [replaceDeprecatedName('setting', name), value]),
  );

/** Returns a hint for an unknown name: the most similar valid name, or all valid names if none is similar. */
export function formatNameSuggestion(name: string, valid: readonly string[], kind: string): string {
  const suggestion = findNearestWord(name, valid);
  return suggestion === undefined ? `Valid ${kind}: ${valid.join(', ')}.` : `Did you mean ${suggestion}?`;
}
