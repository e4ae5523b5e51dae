// The pages and the help of the commands use the terms of the glossary with one spelling each.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandDef } from 'citty';
import { describe, expect, test } from 'vitest';
import { ROOT_COMMAND } from '../../src/commands/command-line.ts';
import { pageText, ROOT, rows, textOf } from '../kit/pages.ts';

/** Words that the project does not use, each with the term or the kind of word that replaces it. */
const REPLACED: [word: RegExp, use: string][] = [
  [/\bjudge?ments?\b/, 'manual link'],
  [/\b(judged?|judges|judging)\b/, 'assess, compare, decide'],
  [/\brooms?\b/, 'module, capacity'],
  [/\b(houses?(?! numbers?)|story|stories)\b/, 'module, layer, entry point'],
  [/\b(borne|bore|bearers?)\b/, 'name holder'],
  [/\bbarred\b/, 'suppressed, on the suppression list'],
  [/\b(desk|office)s?\b/, 'worker client, operator service'],
  [/\brehearsals?\b/, 'warm-up'],
  [/\b(asked|told|tells|telling)\b/, 'request, report, show'],
  [/\b(bears?|whoever|remembers?)\b/, 'have the name, a person who, store'],
  [/\bfolk\b/, 'people'],
  [/\bdead letters?\b/, 'reject'],
];

const violations = (text: string): string[] =>
  REPLACED.flatMap(([word, use]) =>
    Array.from(text.matchAll(new RegExp(word, 'gi')), ([found]) => `${found}: use ${use}`),
  );

/** Returns the prose of a page, without examples and without code marks, which contain deprecated names. */
const prose = (text: string): string => text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

const PAGES = readdirSync(join(ROOT, 'data/docs')).map((file) => `data/docs/${file}`);

test.each(['README.md', '.github/CONTRIBUTING.md', ...PAGES])('%s uses the terms of the glossary', (file) => {
  expect(violations(prose(textOf(file)))).toEqual([]);
});

test.each(['README.md', ...PAGES])('no heading of %s is a question or a clause', (file) => {
  const headings = Array.from(textOf(file).matchAll(/^#+ (.+)$/gm), ([, text = '']) => text);
  expect(headings.filter((text) => /^(What|Who|Whose|Where|When|Which|How|If|Of)\b|\?$/.test(text))).toEqual(
    [],
  );
});

/** Returns the descriptions and option descriptions of a command and of all its subcommands. */
async function helpOf(command: CommandDef): Promise<string[]> {
  const resolve = async (part: unknown) => (typeof part === 'function' ? part() : part);
  const { description = '' } = ((await resolve(command.meta)) ?? {}) as { description?: string };
  const args = ((await resolve(command.args)) ?? {}) as Record<string, { description?: string }>;
  const below = Object.values(((await resolve(command.subCommands)) ?? {}) as Record<string, unknown>);
  const parts = await Promise.all(below.map(async (part) => helpOf((await resolve(part)) as CommandDef)));
  return [description, ...Object.values(args).map((arg) => arg.description ?? ''), ...parts.flat()];
}

describe('the help of the commands', () => {
  test('uses the terms of the glossary', async () => {
    const help = await helpOf(ROOT_COMMAND as CommandDef);
    expect(help.length).toBeGreaterThan(200);
    expect(help.flatMap(violations)).toEqual([]);
  });
});

describe('the glossary', () => {
  const terms = rows(pageText('glossary')).map(([term = '']) => term);

  test('defines each term once', () => {
    expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
    expect(terms.length).toBeGreaterThan(80);
  });

  test('defines none of the words that are replaced', () => {
    expect(terms.flatMap(violations)).toEqual([]);
  });

  test('a planted word is found', () => {
    expect(violations('The judgements of an operator, and its rooms.')).toEqual([
      'judgements: use manual link',
      'rooms: use module, capacity',
    ]);
  });
});
