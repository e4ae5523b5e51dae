// Runs the committed pairs of names-pairs.txt and says how many of each group come out right.
import { readFileSync, writeFileSync } from 'node:fs';

import { compareNames } from '../../src/names/index.ts';

export interface GroupResult {
  pairs: number;
  /** Pairs whose `same` is right. */
  decided: number;
  /** Pairs of one person whose `variation` is right too. */
  named: number;
}

const pairsFile = new URL('names-pairs.txt', import.meta.url);
export const frozenFile = new URL('names-frozen.json', import.meta.url);

/** Results of every group of the committed pairs, and the pairs that came out wrong. */
export function runPairs(): { groups: Record<string, GroupResult>; wrong: string[] } {
  const groups: Record<string, GroupResult> = {};
  const wrong: string[] = [];
  let group: GroupResult | undefined;
  for (const line of readFileSync(pairsFile, 'utf8').split('\n')) {
    if (line.startsWith('[')) groups[line.slice(1, -1)] = group = { pairs: 0, decided: 0, named: 0 };
    if (!line.includes(' | ') || line.startsWith('#') || !group) continue;
    const [kind, a, b] = line.split(' | ') as [string, string, string];
    const result = compareNames(a, b);
    const right = result.same === (kind !== 'different');
    group.pairs++;
    if (right) group.decided++;
    else wrong.push(`${line}  ->  ${result.confidence} ${result.variation}`);
    if (right && (kind === 'different' || kind === 'same' || result.variation === kind)) group.named++;
  }
  return { groups, wrong };
}

if (process.argv[1] && import.meta.filename === process.argv[1]) {
  const { groups, wrong } = runPairs();
  console.table(groups);
  for (const line of wrong) console.log(line);
  if (process.argv.includes('--freeze')) {
    writeFileSync(frozenFile, `${JSON.stringify(groups, null, 2)}\n`);
    console.log('The result is frozen in names-frozen.json.');
  }
}
