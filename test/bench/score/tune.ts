// npm run bench:tune: fits the constants of the score to generated people, and prints them beside those of src/score/weights.ts.
import type { CheckEvidence } from '../../../src/model.ts';
import { weighContactsOnRecord } from '../../../src/score/values.ts';
import { findBestHypothesis } from '../../../src/score/weigh.ts';
import * as weights from '../../../src/score/weights.ts';
import { judge } from './judge.ts';
import { eachWorld } from './options.ts';
import type { Graph, LabelledCheck } from './world.ts';

const HELP = `npm run bench:tune [-- --people 3000 --cases 6000 --seeds 51,52,53]
npm run bench:tune -- --data-dir FOLDER,FOLDER --checks FILE,FILE
Makes worlds of invented people (or takes graphs and the checks that were generated with them), and moves one constant after the other to where
the log loss of the score before its bounds is least: real people (genuine, partial) against mixed ones (chimera, impostors whose own contacts
are on record elsewhere), both weighing the same. Every second case is held out. Where a constant hardly matters the old one stays.
`;

interface Case {
  evidence: CheckEvidence;
  real: boolean;
  held: boolean;
}

/** Kinds of mixed cases. A check with more values of the victim may also come from the victim with a relative's contact, and is left out. */
const MIXED = /^chimera\/|^impostor\/(?:email|phone|address)_own_elsewhere$|^impostor\/address_own_at_home$/;
const cases: Case[] = [];
await eachWorld(
  { help: HELP, people: '3000', cases: '6000', seeds: '51,52,53' },
  async (graph: Graph, checks: readonly LabelledCheck[]) => {
    for (const { kind, subkind, request } of checks) {
      const real = kind === 'genuine' || kind === 'partial';
      if (!real && !MIXED.test(`${kind}/${subkind}`)) continue;
      cases.push({ evidence: (await judge(request, graph)).evidence, real, held: cases.length % 2 === 1 });
    }
  },
);

/** Returns the mean log loss in bits; real and mixed cases have the same total weight. */
function loss(held: boolean): number {
  const sums = { real: 0, mixed: 0 };
  const all = { real: 0, mixed: 0 };
  for (const one of cases) {
    if (one.held !== held) continue;
    const said = Math.min(
      0.999,
      Math.max(0.001, findBestHypothesis(one.evidence, weighContactsOnRecord(one.evidence)).adjusted / 100),
    );
    const sort = one.real ? 'real' : 'mixed';
    sums[sort] -= Math.log2(one.real ? said : 1 - said);
    all[sort]++;
  }
  return (sums.real / all.real + sums.mixed / all.mixed) / 2;
}

interface Constant {
  name: string;
  /** Size of the first step, and the bounds of the constant. */
  step: number;
  least: number;
  most: number;
  get(): number;
  set(value: number): void;
}

function constant(path: string, step: number, [least, most]: readonly [number, number]): Constant {
  const [group = '', key = ''] = path.split('.');
  const holder = (weights as unknown as Record<string, Record<string, number>>)[group];
  if (!holder) throw new Error(path);
  return {
    name: path,
    step,
    least,
    most,
    get: () => holder[key] ?? 0,
    set: (value) => {
      holder[key] = value;
    },
  };
}

const CONSTANTS = [
  constant('START_WEIGHT.bits', 0.2, [-4, 2]),
  constant('MAX_BITS_OF_MATCHING_CONTACTS.email', 0.4, [0, 8]),
  constant('MAX_BITS_OF_MATCHING_CONTACTS.phone', 0.4, [0, 8]),
  constant('MAX_BITS_OF_MATCHING_CONTACTS.address', 0.4, [0, 8]),
  constant('RECORDED_NAME_WEIGHT.least', 0.2, [0, 3]),
  constant('RECORDED_NAME_WEIGHT.most', 0.2, [0, 3]),
  constant('HISTORY_LENGTH_WEIGHT.most', 0.2, [0, 2]),
  constant('OTHER_PERSON_CONTACT_WEIGHTS.most', 0.5, [0, 10]),
  constant('OTHER_PERSON_CONTACT_WEIGHTS.unsupported', 0.5, [0, 8]),
  constant('OTHER_PERSON_CONTACT_WEIGHTS.further', 0.2, [0, 1]),
  constant('OTHER_PERSON_ADDRESS_WEIGHT.most', 0.3, [0, 6]),
  constant('HOUSEHOLD_WEIGHT_REDUCTION.less', 0.2, [0, 1]),
  constant('HOUSEHOLD_WEIGHT_REDUCTION.alike', 0.5, [0, 4]),
  constant('MAX_OTHER_PERSON_CERTAINTY.relative', 0.1, [0, 1]),
  constant('MAX_OTHER_PERSON_CERTAINTY.namesake', 0.2, [0, 1]),
  constant('NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT.bits', 0.3, [-4, 4]),
  constant('SHARERS_THAT_HALVE_WEIGHT.email', 1, [1, 12]),
  constant('SHARERS_THAT_HALVE_WEIGHT.phone', 1, [1, 12]),
  constant('SHARERS_THAT_HALVE_WEIGHT.address', 2, [2, 20]),
];
/** Smaller improvements are chance. */
const MATTERS = 0.0002;

const before = CONSTANTS.map((one) => one.get());
const [fitted, heldOut] = [loss(false), loss(true)];
let best = fitted;
const steps = new Map(CONSTANTS.map((one) => [one, one.step]));
for (let sweep = 0; sweep < 5; sweep++) {
  const from = best;
  for (const one of CONSTANTS) best = moved(one, best);
  process.stderr.write(`sweep ${sweep + 1}: ${best.toFixed(5)}\n`);
  if (from - best < MATTERS) break;
}

/** Moves a constant while the loss decreases. If neither direction helps, halves its step for the next time. */
function moved(one: Constant, from: number): number {
  let [least, step] = [from, steps.get(one) ?? one.step];
  for (const sign of [1, -1]) {
    let went = false;
    for (;;) {
      const at = one.get();
      const next = Math.round(Math.min(one.most, Math.max(one.least, at + sign * step)) * 1000) / 1000;
      if (next === at) break;
      one.set(next);
      const now = loss(false);
      if (now > least - MATTERS / 4) {
        one.set(at);
        break;
      }
      [least, went] = [now, true];
    }
    if (went) return least;
  }
  step /= 2;
  steps.set(one, step);
  return least;
}

const lines = CONSTANTS.map((one, i) => `| ${one.name} | ${before[i]} | ${one.get()} |`);
process.stdout.write(
  [
    `${cases.length} cases, ${cases.filter(({ real }) => real).length} of them real people; every second one held out.`,
    `log loss in bits: ${fitted.toFixed(4)} -> ${best.toFixed(4)} fitted, ${heldOut.toFixed(4)} -> ${loss(true).toFixed(4)} held out`,
    '',
    '| constant | in the code | fitted |',
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n'),
);
