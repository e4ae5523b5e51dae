// npm run bench:score: compares scores with real probabilities, and constants with fitted ones. On generated people.
import { getMaxTotalBitsByNameAgreement } from '../../../src/score/curves.ts';
import { MAX_BITS_BY_NAME_AGREEMENT } from '../../../src/score/weights.ts';
import { bitsOfPool, isotonic, line, type Point } from './fit.ts';
import { judge, ownerAgreement } from './judge.ts';
import { eachWorld } from './options.ts';
import type { Graph, LabelledCheck } from './world.ts';

const HELP = `npm run bench:score [-- --people 4000 --cases 9000 --seeds 31,32]
npm run bench:score -- --data-dir FOLDER --checks FILE
Makes worlds of invented people (or takes a graph and a file of labelled checks about it) and prints, for real people (genuine, partial)
against mixed ones (chimera), both weighing the same:
- bits that a name can carry by how much of it agrees, of cases whose contacts are all one person's, beside what src/score/weights.ts has;
- the line from bits to odds that fits best (a start of 0 and a slope of 1 are what the weights claim);
- the share that is real by tenths of the score, of answers that no bound moved.
`;

interface Case {
  real: boolean;
  weight: number;
  bits: number;
  score: number;
  bounded: boolean;
  /** Agreement of the name if all contacts belong to one person, else null. */
  agreement: number | null;
}

async function casesOf(graph: Graph, checks: readonly LabelledCheck[]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { kind, subkind, request } of checks) {
    if (!['genuine', 'partial', 'chimera'].includes(kind) || subkind === 'household') continue;
    const judged = await judge(request, graph);
    const { bestHypothesis: best, score } = judged.scored;
    cases.push({
      real: kind !== 'chimera',
      weight: 0,
      bits: best.bits,
      score: score.value,
      bounded: best.bound !== null,
      agreement: ownerAgreement(judged),
    });
  }
  return cases;
}

/** Sets weights so that each class has a total weight of one half. */
function weighed(cases: readonly Case[]): Case[] {
  const real = cases.filter((one) => one.real).length;
  return cases.map((one) => ({ ...one, weight: 0.5 / (one.real ? real : cases.length - real) }));
}

function nameLines(cases: readonly Case[]): string[] {
  const points = weighed(cases).flatMap(({ agreement: x, real, weight }): Point[] =>
    x === null ? [] : [{ x, real, weight }],
  );
  return isotonic(points).map((pool) => {
    const range = `${pool.from.toFixed(1)} to ${pool.to.toFixed(1)}`.padEnd(14);
    const carried = [pool.from, pool.to]
      .map((at) => getMaxTotalBitsByNameAgreement(at).toFixed(2))
      .join(' to ');
    return `${range} ${bitsOfPool(pool, 0.5 / cases.length)
      .toFixed(2)
      .padStart(7)}   ${carried}`;
  });
}

/** Returns the share of real cases and the mean score by tenths, and the expected calibration error. */
function reliability(cases: readonly Case[]) {
  const tenths = Array.from({ length: 10 }, () => ({ all: 0, real: 0, said: 0, n: 0 }));
  for (const { real, weight, score } of cases) {
    const tenth = tenths[Math.min(9, Math.floor(score / 10))];
    if (!tenth) continue;
    tenth.n++;
    tenth.all += weight;
    tenth.real += real ? weight : 0;
    tenth.said += (weight * score) / 100;
  }
  return { tenths, error: tenths.reduce((sum, { real, said }) => sum + Math.abs(real - said), 0) };
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %`.padStart(7) : '      -';
}

const cases: Case[] = [];
await eachWorld(
  { help: HELP, people: '4000', cases: '9000', seeds: '31,32' },
  async (graph: Graph, checks: readonly LabelledCheck[]) => {
    cases.push(...(await casesOf(graph, checks)));
  },
);
const free = weighed(cases.filter((one) => !one.bounded));
const { start, slope } = line(free.map(({ bits: x, real, weight }) => ({ x, real, weight })));
const { tenths, error } = reliability(free);
const lines = tenths.map(({ n, all, real, said }, i) =>
  [`${10 * i}-${10 * i + 9}`.padEnd(7), String(n).padStart(6), percent(real / all), percent(said / all)].join(
    '  ',
  ),
);
process.stdout.write(
  [
    'name agrees     fitted   carried (bits)',
    ...nameLines(cases),
    `knots carried: ${MAX_BITS_BY_NAME_AGREEMENT.map((knot) => knot.join(': ')).join(', ')}`,
    '',
    `${cases.length} checks, ${free.length} that no bound moved`,
    `odds of being real = 2^(${start.toFixed(2)} + ${slope.toFixed(2)} x bits)`,
    'score     checks   real   said',
    ...lines,
    `expected calibration error ${error.toFixed(4)}`,
    '',
  ].join('\n'),
);
