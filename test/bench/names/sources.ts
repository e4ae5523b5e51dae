// Prints how well names of one source are judged with values from the other sources.
//
//   npm run bench:names                        prints this first: the committed pairs by origin
//   npm run bench:names -- --cases DIR         and the sets of a folder: files of JSON lines { a, b, same, weak?, resolvable? }, one file a source
//   node test/bench/names/sources.ts --cases DIR    only this table, without the other tools
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { compareNames } from '../../../src/names/index.ts';
import { committedPairs } from '../names-frozen.ts';
import { bootstrapSources, type Figures, type JudgedPair, judgeSources } from './leave-one-out.ts';

/** Figures, their titles, and whether they are shown in per cent. */
const FIGURES: readonly (readonly [key: keyof Figures, title: string, isPercent: boolean])[] = [
  ['auc', 'AUC', false],
  ['f1', 'F1 at the threshold of the others', true],
  ['falsePositives', 'false positives there', true],
  ['f1OfSame', 'F1 of `same`', true],
  ['falsePositivesOfSame', 'false positives of `same`', true],
  ['recallAt99', 'recall where the others have 99 % precision', true],
  ['precisionAt99', 'precision there', true],
  ['calibrationError', 'calibration error', false],
];

const show = (value: number, isPercent: boolean) =>
  Number.isNaN(value) ? '–' : isPercent ? (100 * value).toFixed(1) : value.toFixed(3);

/** Returns the two tables, all sources and each source, as Markdown. */
export function formatSources(pairs: readonly JudgedPair[]): string {
  const { pooled, macro, sources } = judgeSources(pairs);
  const intervals = bootstrapSources(pairs);
  const cell = (kind: 'pooled' | 'macro', key: keyof Figures, isPercent: boolean) => {
    const [least, most] = intervals[kind][key];
    const value = (kind === 'pooled' ? pooled : macro)[key];
    return `${show(value, isPercent)} (${show(least, isPercent)} to ${show(most, isPercent)})`;
  };
  return [
    `Each of ${sources.size} sources is judged by thresholds and a calibration of the others (${pairs.length} pairs; 95 % intervals from drawing sources and pairs again).`,
    '',
    '| figure | pooled | mean of the sources |',
    '|---|---|---|',
    ...FIGURES.map(
      ([key, title, isPercent]) =>
        `| ${title}${isPercent ? ', %' : ''} | ${cell('pooled', key, isPercent)} | ${cell('macro', key, isPercent)} |`,
    ),
    '',
    '| source left out | one person | two people | AUC | F1 | false positives | recall | precision |',
    '|---|---|---|---|---|---|---|---|',
    ...[...sources].map(
      ([source, { one, two, auc, f1, falsePositives, recallAt99, precisionAt99 }]) =>
        `| ${source} | ${one} | ${two} | ${show(auc, false)} | ${[f1, falsePositives, recallAt99, precisionAt99].map((value) => show(value, true)).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

/** A labelled pair of names. */
interface LabelledPair {
  source: string;
  same: boolean;
  a: string;
  b: string;
}

/** Returns the pairs of files or folders of JSON lines, without those marked as weak or unresolvable. Each file is a source. */
function loadPairs(paths: readonly string[]): LabelledPair[] {
  const files = paths.flatMap((place) =>
    statSync(place).isDirectory()
      ? readdirSync(place)
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => path.join(place, name))
      : [place],
  );
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(
        (line) => JSON.parse(line) as Omit<LabelledPair, 'source'> & { weak?: boolean; resolvable?: boolean },
      )
      .filter(({ weak, resolvable }) => !weak && resolvable !== false)
      .map(({ a, b, same }) => ({ source: path.basename(file, '.jsonl'), a, b, same })),
  );
}

/** Returns the committed pairs; the hard pairs of each origin are a source, and all other pairs one more. */
function loadCommittedPairs(): LabelledPair[] {
  return committedPairs().map(({ name, kind, a, b }) => ({
    source: name.startsWith('hard: ') ? name.replace('hard: ', '').replace(' again', '') : 'other pairs',
    same: kind !== 'different',
    a,
    b,
  }));
}

/** Compares the pairs of the given files and folders, or the committed pairs, and returns the tables. */
export function reportSources(paths: readonly string[] | undefined): string {
  const pairs = paths?.length ? loadPairs(paths) : loadCommittedPairs();
  return formatSources(
    pairs.map(({ source, same, a, b }) => ({ source, same, confidence: compareNames(a, b).confidence })),
  );
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { cases: { type: 'string', multiple: true } } });
  process.stdout.write(reportSources(values.cases));
}
