// Compares the name engine with other tools for TypeScript.
//
//   npm run bench:names                                           the committed pairs beside this folder
//   npm run bench:names -- --cases DIR                            first the sources of a folder, each judged by the other sources; see sources.ts
//   npm run bench:names -- --evaluator EVAL.mjs --cases DIR       an evaluator's sets (or NAME_EVALUATOR, NAME_CASES)
//
// An evaluator is a module that exports loadCases(paths) -> { a, b, same }[] and
// run(adapter, options, cases) -> { res }; `res` holds auc, macroAUC, bestF1, bestT, own, rP99, kindAcc, ece and us.
// The other tools decide at the threshold that is best for exactly these pairs, which favours them.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import anyAscii from 'any-ascii';
import { token_set_ratio as tokenSet, token_sort_ratio as tokenSort } from 'fuzzball';
import jaroWinkler from 'jaro-winkler';
import { match as nameMatch } from 'name-match';

import * as bonafide from '../names-adapter.mjs';
import { reportSources } from './sources.ts';

/** Some tools throw on names that they cannot read. */
function attempt(similarity, a, b) {
  try {
    return similarity(a, b);
  } catch {
    return 0;
  }
}

const score = (name, similarity) => ({
  name,
  compare(a, b) {
    const confidence = Math.max(0, Math.min(100, attempt(similarity, a, b)));
    return { confidence, variation: confidence > 99 ? 'exact' : 'no_match', same: confidence >= 80 };
  },
});

const engines = [
  bonafide,
  score('jaro-winkler', (a, b) => 100 * jaroWinkler(a, b, { caseSensitive: false })),
  score(
    'jaro-winkler + any-ascii',
    (a, b) => 100 * jaroWinkler(anyAscii(a), anyAscii(b), { caseSensitive: false }),
  ),
  score('fuzzball token_set_ratio', (a, b) => tokenSet(a, b)),
  score('fuzzball token_sort_ratio + any-ascii', (a, b) => tokenSort(anyAscii(a), anyAscii(b))),
  score('name-match', (a, b) => 100 * nameMatch(a, b)),
  score('name-match + any-ascii', (a, b) => 100 * nameMatch(anyAscii(a), anyAscii(b))),
];

const { values } = parseArgs({
  options: { evaluator: { type: 'string' }, cases: { type: 'string', multiple: true } },
});
const evaluator = values.evaluator ?? process.env.NAME_EVALUATOR;
const cases = values.cases ?? process.env.NAME_CASES?.split(path.delimiter);

const percent = (x) => (Number.isFinite(x) ? (100 * x).toFixed(1) : '-');

/** Area under the ROC curve; ties count a half. */
function area(rows) {
  const sorted = [...rows].sort((x, y) => x.s - y.s);
  const positives = rows.filter((row) => row.same).length;
  let ranks = 0;
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (j < sorted.length && sorted[j].s === sorted[i].s) j++;
    for (let k = i; k < j; k++) if (sorted[k].same) ranks += (i + 1 + j) / 2;
    i = j;
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (rows.length - positives));
}

function bestF1(rows) {
  const sorted = [...rows].sort((x, y) => y.s - x.s);
  const positives = rows.filter((row) => row.same).length;
  let [hits, best] = [0, { f1: 0, fpr: 0 }];
  for (const [i, row] of sorted.entries()) {
    if (row.same) hits++;
    if (i + 1 < sorted.length && sorted[i + 1].s === row.s) continue;
    const f1 = (2 * hits) / (i + 1 + positives);
    if (f1 > best.f1) best = { f1, fpr: (i + 1 - hits) / (rows.length - positives) };
  }
  return best;
}

function committedPairs() {
  const file = readFileSync(new URL('../names-pairs.txt', import.meta.url), 'utf8');
  return file
    .split('\n')
    .filter((line) => line.includes(' | ') && !line.startsWith('#'))
    .map((line) => line.split(' | '))
    .map(([kind, a, b]) => ({ a, b, same: kind !== 'different' }));
}

function ownTable(pairs) {
  console.log('| engine | AUC | best F1 | false-positive rate there |\n|---|---|---|---|');
  for (const engine of engines) {
    const rows = pairs.map((pair) => ({ same: pair.same, s: engine.compare(pair.a, pair.b).confidence }));
    const best = bestF1(rows);
    console.log(
      `| ${engine.name} | ${area(rows).toFixed(3)} | ${percent(best.f1)} | ${percent(best.fpr)} % |`,
    );
  }
}

async function evaluatorTable(module, rows) {
  console.log(
    '| engine | AUC pooled / macro | F1 (precision) | false-positive rate | recall at 99 % precision | kind | ECE | µs a pair, p50 / p99 |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const engine of engines) {
    let { res } = await module.run(engine, { nospeed: false }, rows);
    if (engine !== bonafide) ({ res } = await module.run(engine, { threshold: res.bestT }, rows));
    const { own } = res;
    console.log(
      `| ${engine.name} | ${res.auc.toFixed(3)} / ${res.macroAUC.toFixed(3)} | ${percent(own.f1)} (${percent(own.p)} %) | ${percent(own.fpr)} % | ${percent(res.rP99)} % | ${percent(res.kindAcc)} % | ${res.ece.toFixed(3)} | ${res.us.p50.toFixed(0)} / ${res.us.p99.toFixed(0)} |`,
    );
  }
}

console.log(`Node ${process.version}, ${os.cpus().length} x ${os.cpus()[0].model.trim()}\n`);
console.log(reportSources(cases));
if (evaluator && cases) {
  const module = await import(pathToFileURL(path.resolve(evaluator)));
  await evaluatorTable(module, module.loadCases(cases));
} else {
  ownTable(committedPairs());
}
