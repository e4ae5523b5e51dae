// npm run bench:hard: how well the comparison separates pairs of one person from pairs of two people, on the hard pairs of names, by origin. Markdown.
import { compareNames } from '../../../src/names/index.ts';
import { committedPairs } from '../names-frozen.ts';

interface Judged {
  name: string;
  real: boolean;
  same: boolean;
  confidence: number;
}

const judged: Judged[] = committedPairs()
  .filter(({ name }) => name.startsWith('hard: '))
  .map(({ name, kind, a, b }) => {
    const { same, confidence } = compareNames(a, b);
    return { name: name.slice('hard: '.length), real: kind !== 'different', same, confidence };
  });

/** Share of all combinations of a pair of one person and a pair of two people in which the former has the higher confidence; ties count a half. */
function auc(some: readonly Judged[]): number {
  const [one, two] = [some.filter(({ real }) => real), some.filter(({ real }) => !real)];
  let wins = 0;
  for (const x of one)
    for (const y of two) wins += x.confidence > y.confidence ? 1 : x.confidence === y.confidence ? 0.5 : 0;
  return wins / (one.length * two.length);
}

/** Highest recall of a threshold with 99 % precision. */
function recallAt99(some: readonly Judged[]): number {
  let most = 0;
  for (const { confidence: least } of some) {
    const found = some.filter(({ confidence }) => confidence >= least);
    const real = found.filter((one) => one.real).length;
    if (real / found.length >= 0.99) most = Math.max(most, real);
  }
  return most / some.filter(({ real }) => real).length;
}

function line(title: string, some: readonly Judged[]): string {
  const count = (real: boolean, same: boolean) =>
    some.filter((one) => one.real === real && one.same === same).length;
  const [hits, missed, wrong, apart] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return `| ${[
    title,
    hits + missed,
    wrong + apart,
    auc(some).toFixed(3),
    percent((2 * hits) / (2 * hits + wrong + missed)),
    percent(wrong / (wrong + apart)),
    percent(recallAt99(some)),
  ].join(' | ')} |`;
}

const isAgain = ({ name }: Judged) => name.endsWith(' again');
const first = judged.filter((one) => !isAgain(one));
process.stdout.write(
  [
    '| origin | one person | two people | AUC | F1 | false positives | recall at 99 % precision |',
    '|---|---|---|---|---|---|---|',
    ...[...new Set(first.map(({ name }) => name))].map((name) =>
      line(
        name,
        judged.filter((one) => one.name === name || one.name === `${name} again`),
      ),
    ),
    line('all that the engine was changed with', first),
    line('all that were written afterwards', judged.filter(isAgain)),
    '',
  ].join('\n'),
);
