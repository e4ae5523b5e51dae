// Every regular expression is proved linear by recheck 4.5.0 (test/fixtures/patterns.txt; see trials/hostile/patterns.ts), or meets short texts only.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectPatterns } from './trials/hostile/patterns.ts';

/** Files whose unproved patterns meet texts of a bounded length, with the number of these patterns, and the bound. */
const BOUNDED: Record<string, [patterns: number, length: number, reason: string]> = {
  'src/commands/check/output.ts': [1, 4, 'the cut end of a text: an incomplete character at most'],
  'src/commands/evaluate.ts': [1, 255, 'a file name that the operator names'],
  'src/commands/serve/console.ts': [1, 2000, 'an address in the settings'],
  'src/config/sources.ts': [1, 200, 'names of environment variables of the operator'],
  'src/console/check/paste.ts': [2, 10_000, 'what users paste into their own browser'],
  'src/features/guard/names.ts': [1, 600, 'a sentence of a model: the schema of its answer has this bound'],
  'src/features/plugin-file.ts': [
    1,
    4096,
    'first line of the stack of a plugin, which the operator installed',
  ],
  'src/generate/records.ts': [1, 40, 'an invented phone number'],
  'src/import/columns/words.ts': [1, 200, 'longer keys of headers have no meaning; also in headers.ts'],
  'src/http/pages.ts': [1, 100_000, 'pages that are part of this program'],
  'src/import/columns/map.ts': [1, 16_384, 'the map of columns that the operator sends'],
  'src/import/input/wrapped.ts': [1, 4096, 'the element is cut before'],
  'src/maintenance/file/age.ts': [1, 64, 'base64 of a header of this program'],
  'src/maintenance/file/program.ts': [1, 200, 'version that this program prints'],
  'src/names/compare/spelling.ts': [1, 200, 'a word of a name'],
  'src/names/prepare/marks.ts': [1, 200, 'a name; each quantifier has a bound of its own'],
  'src/names/traditions/east-asia/japanese.ts': [
    1,
    200,
    'a word of a name; measured linear, in index.test.ts',
  ],
  'src/names/traditions/east-asia/korean.ts': [1, 200, 'a word of a name'],
  'src/normalise/address/oneline.ts': [5, 1000, 'parts of an address have 200 characters at most'],
  'src/normalise/address/parse.ts': [3, 1000, 'parts of an address have 200 characters at most'],
  'src/normalise/address/street.ts': [1, 200, 'a word of an address'],
  'src/normalise/address/unit.ts': [1, 200, 'a word of an address'],
  'src/observe/trace/otlp.ts': [1, 4096, 'a header in the settings'],
  'src/platform/assets.ts': [2, 100_000, 'pages that are part of this program'],
  'src/score/texts/phrases.ts': [1, 21, 'a number'],
};

const proved = new Set(readFileSync(new URL('fixtures/patterns.txt', import.meta.url), 'utf8').split('\n'));

test('every regular expression is proved linear, or is in the list of those with a bound', () => {
  const unproved = collectPatterns().filter(({ text }) => !proved.has(text));
  const counts = Object.entries(Object.groupBy(unproved, ({ file }) => file)).map(
    ([file, patterns = []]) => [file, patterns.map(({ text }) => text)] as const,
  );
  // Prove a new pattern: see trials/hostile/patterns.ts. If it is not linear, change it, or check the length of its text before.
  expect(counts.filter(([file, texts]) => texts.length > (BOUNDED[file]?.[0] ?? 0))).toEqual([]);
});

test('no bound is left over', () => {
  const files = new Set(
    collectPatterns()
      .filter(({ text }) => !proved.has(text))
      .map(({ file }) => file),
  );
  expect(Object.keys(BOUNDED).filter((file) => !files.has(file))).toEqual([]);
});
