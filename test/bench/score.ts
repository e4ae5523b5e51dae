// npm run bench:score: is the score the probability that it says? Fits odds of being real to the sum of bits, on labelled checks.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { check } from '../../src/check.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';

const HELP = `npm run bench:score -- --data-dir FOLDER --checks FILE [--region US]
FILE holds the checks that "bonafide graph generate --checks" writes, FOLDER the graph that its records were imported into.
Prints, for real people (genuine, partial) against mixed ones (chimera), both weighing the same: the line from bits to odds that fits best
(a start of 0 and a slope of 1 are what the weights claim), and the share that is real by tenths of the score, of answers that no bound moved.
`;

interface Case {
  bits: number;
  score: number;
  real: boolean;
  bounded: boolean;
}

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    checks: { type: 'string' },
    region: { type: 'string', default: 'US' },
    help: { type: 'boolean', default: false },
  },
});

async function casesOf(dataDir: string, checks: string): Promise<Case[]> {
  const graph = openGraph({ dataDir, secret: process.env.BONAFIDE_SECRET, create: false });
  const cases: Case[] = [];
  for (const line of readFileSync(checks, 'utf8').split('\n').filter(Boolean)) {
    const { kind, subkind, request } = JSON.parse(line);
    if (!['genuine', 'partial', 'chimera'].includes(kind) || subkind === 'household') continue;
    const { score } = await check(parseClaim({ value: request, issues: [] }, options.region), graph);
    const bounded = !score.combined.explanation.includes('no bound');
    cases.push({ bits: score.trustScore.raw, score: score.value, real: kind !== 'chimera', bounded });
  }
  await graph.close();
  return cases;
}

/** Each class weighs one half. */
function weightsOf(cases: readonly Case[]): (one: Case) => number {
  const real = cases.filter((one) => one.real).length;
  return (one) => 0.5 / (one.real ? real : cases.length - real);
}

/** Logistic regression of real on bits, by Newton's method. */
function fit(cases: readonly Case[]): { start: number; slope: number } {
  const weight = weightsOf(cases);
  let [start, slope] = [0, 1];
  for (let round = 0; round < 30; round++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const one of cases) {
      const share = 1 / (1 + 2 ** -(start + slope * one.bits));
      const off = weight(one) * (Number(one.real) - share);
      const bend = weight(one) * share * (1 - share) * Math.LN2;
      g0 += off;
      g1 += off * one.bits;
      h00 += bend;
      h01 += bend * one.bits;
      h11 += bend * one.bits * one.bits;
    }
    const det = h00 * h11 - h01 * h01;
    start += (h11 * g0 - h01 * g1) / det;
    slope += (h00 * g1 - h01 * g0) / det;
  }
  return { start, slope };
}

/** Share that is real and mean score by tenths, and the expected calibration error. */
function reliability(cases: readonly Case[]) {
  const weight = weightsOf(cases);
  const tenths = Array.from({ length: 10 }, () => ({ all: 0, real: 0, said: 0, n: 0 }));
  for (const one of cases) {
    const tenth = tenths[Math.min(9, Math.floor(one.score / 10))];
    if (!tenth) continue;
    tenth.n++;
    tenth.all += weight(one);
    tenth.real += one.real ? weight(one) : 0;
    tenth.said += (weight(one) * one.score) / 100;
  }
  return { tenths, error: tenths.reduce((sum, { real, said }) => sum + Math.abs(real - said), 0) };
}

const { 'data-dir': dataDir, checks } = options;
if (options.help || dataDir === undefined || checks === undefined) {
  process.stdout.write(HELP);
  process.exit(options.help ? 0 : 2);
}
const cases = await casesOf(dataDir, checks);
const free = cases.filter((one) => !one.bounded);
const { start, slope } = fit(free);
const { tenths, error } = reliability(free);
const lines = tenths.map(({ n, all, real, said }, i) =>
  [`${10 * i}-${10 * i + 9}`.padEnd(7), String(n).padStart(6), percent(real / all), percent(said / all)].join(
    '  ',
  ),
);
process.stdout.write(
  [
    `${cases.length} checks, ${free.length} that no bound moved`,
    `odds of being real = 2^(${start.toFixed(2)} + ${slope.toFixed(2)} x bits)`,
    'score     checks   real   said',
    ...lines,
    `expected calibration error ${error.toFixed(4)}`,
    '',
  ].join('\n'),
);

function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %`.padStart(7) : '      -';
}
