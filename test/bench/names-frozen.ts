// Runs the committed pairs of names-pairs.txt and names/hard-pairs.txt, and counts the right results of each group.
import { readFileSync, writeFileSync } from 'node:fs';

import { compareNames } from '../../src/names/index.ts';

export interface GroupResult {
  pairs: number;
  /** Number of pairs with a right `same`. */
  decided: number;
  /** Number of pairs of one person with a right `variation`. */
  named: number;
}

const FILES = [
  ['names-pairs.txt', ''],
  ['names/hard-pairs.txt', 'hard: '],
] as const;
export const frozenFile = new URL('names-frozen.json', import.meta.url);

/** A committed pair; `kind` is a variation, `same` or `different`. */
export interface CommittedPair {
  name: string;
  kind: string;
  a: string;
  b: string;
}

/** Returns all committed pairs, with the names of their groups. */
export function committedPairs(): CommittedPair[] {
  const pairs: CommittedPair[] = [];
  for (const [file, prefix] of FILES) {
    let name = '';
    for (const line of readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')) {
      if (line.startsWith('[')) name = prefix + line.slice(1, -1);
      const [kind = '', a, b] = line.startsWith('#') ? [] : line.split(' | ');
      if (a !== undefined && b !== undefined) pairs.push({ name, kind, a, b });
    }
  }
  return pairs;
}

/** Returns the results of every group, and the pairs with a wrong result. */
export function runPairs(): { groups: Record<string, GroupResult>; wrong: string[] } {
  const groups: Record<string, GroupResult> = {};
  const wrong: string[] = [];
  for (const { name, kind, a, b } of committedPairs()) {
    const group = (groups[name] ??= { pairs: 0, decided: 0, named: 0 });
    const result = compareNames(a, b);
    const right = result.same === (kind !== 'different');
    group.pairs++;
    if (right) group.decided++;
    else wrong.push(`${kind} | ${a} | ${b}  ->  ${result.confidence} ${result.variation}`);
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
