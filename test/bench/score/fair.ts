// npm run bench:fair: share of genuine people and of impostors above thresholds, by origin of the name and by living conditions. Markdown.
import { judge } from './judge.ts';
import { eachWorld } from './options.ts';
import type { Graph, LabelledCheck } from './world.ts';

const HELP = `npm run bench:fair [-- --people 6000 --cases 12000 --seeds 41,42]
npm run bench:fair -- --data-dir FOLDER --checks FILE
Makes worlds of invented people (or takes a graph and the checks that were generated with it) and prints, with 95 % intervals (Wilson, 1927):
- the share of real people above the score that 1 % of chimeras pass, by origin of the name and by situation;
- the share of impostors of the same origin (near or other names, with all contacts of the victim) that reach 65 and 85;
- the same of impostors under the victim's own name, by what they know and what they send beside it: nothing (alone), an e-mail and a phone that
  nobody has, that are their own on record elsewhere, or in the victim's household (own_at_home; household: these and nothing of the victim's).
`;

interface Row extends Pick<LabelledCheck, 'kind' | 'subkind' | 'origin'> {
  score: number;
}

const rows: Row[] = [];
await eachWorld(
  { help: HELP, people: '6000', cases: '12000', seeds: '41,42' },
  async (graph: Graph, checks: readonly LabelledCheck[]) => {
    for (const { kind, subkind, origin, request } of checks) {
      if (!['genuine', 'chimera', 'impostor'].includes(kind)) continue;
      const relative = subkind === 'household';
      rows.push({
        kind: relative ? 'impostor' : kind,
        subkind,
        origin,
        score: (await judge(request, graph)).scored.score.value,
      });
    }
  },
);

/** Formats a share in per cent with its interval (Wilson, 1927). */
function share(some: number, all: number): string {
  if (all === 0) return '–';
  const [z, p] = [1.96, some / all];
  const middle = (p + z ** 2 / (2 * all)) / (1 + z ** 2 / all);
  const half = (z / (1 + z ** 2 / all)) * Math.sqrt((p * (1 - p)) / all + z ** 2 / (4 * all ** 2));
  const points = (value: number) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${points(p)} % (${points(middle - half)} to ${points(middle + half)})`;
}

const reaching = (some: readonly Row[], score: number) =>
  share(some.filter((one) => one.score >= score).length, some.length);

const chimeras = rows.filter(({ kind }) => kind === 'chimera');
const genuine = rows.filter(({ kind }) => kind === 'genuine');
const scores = chimeras.map(({ score }) => score).sort((a, b) => b - a);
/** The lowest score that at most 1 % of the chimeras reach. */
const threshold = (scores[Math.floor(scores.length / 100)] ?? 0) + 1;
/** Kinds of chimeras with another name of the same origin as the victim's. */
const OTHER_NAMES = new Set(['near_name', 'same_origin_name']);

const lines = [
  `${genuine.length} real people, ${chimeras.length} chimeras; 1 % of the chimeras reach ${threshold}.`,
  '',
  `| origin of the name | real people | reach ${threshold} | reach 65 | below 40 | impostors under another name | reach 65 | reach 85 |`,
  '|---|---|---|---|---|---|---|---|',
  ...groups(genuine, 'origin').map(([origin, real]) => {
    const others = chimeras.filter((one) => one.origin === origin && OTHER_NAMES.has(one.subkind));
    const below = share(real.filter(({ score }) => score < 40).length, real.length);
    return line([
      origin,
      real.length,
      reaching(real, threshold),
      reaching(real, 65),
      below,
      others.length,
      reaching(others, 65),
      reaching(others, 85),
    ]);
  }),
  '',
  `| situation | real people | reach ${threshold} | reach 65 |`,
  '|---|---|---|---|',
  ...groups(genuine, 'subkind').map(([situation, real]) =>
    line([situation.replaceAll('_', ' '), real.length, reaching(real, threshold), reaching(real, 65)]),
  ),
  '',
  "| what the impostor knows and sends beside the victim's name | cases | reach 65 | reach 85 |",
  '|---|---|---|---|',
  ...groups(
    rows.filter(({ kind }) => kind === 'impostor'),
    'subkind',
  ).map(([known, some]) =>
    line([known.replaceAll('_', ' '), some.length, reaching(some, 65), reaching(some, 85)]),
  ),
];
process.stdout.write(`${lines.join('\n')}\n`);

function groups(some: readonly Row[], by: 'origin' | 'subkind'): [string, Row[]][] {
  const found = new Map<string, Row[]>();
  for (const one of some) found.set(one[by], [...(found.get(one[by]) ?? []), one]);
  return [...found].toSorted(([a], [b]) => a.localeCompare(b));
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
