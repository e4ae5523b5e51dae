// Comparison of two evaluations of the same cases, such as before and after a change.
import { type MetricName, METRIC_NAMES, METRIC_DEFINITIONS } from './figures.ts';
import {
  toConfidenceInterval,
  type ConfidenceInterval,
  RESAMPLE_COUNT,
  type PackedScoresByClass,
  packScoresByClass,
  RESAMPLE_SEED,
  countScores,
} from './sample.ts';
import { EVALUATION_FORMAT, type Evaluation } from './evaluation.ts';
import { Random } from '../generate/random.ts';

export interface EvaluationComparison {
  /** Number of cases that both evaluations have, with the same id and the same label (genuine or not). */
  shared: number;
  unshared: number;
  scoring_model: number;
  figures: Record<
    MetricName,
    { before: number | null; after: number | null; difference: ConfidenceInterval }
  >;
  /** Cases whose scores changed most, for the worse and for the better. `moved` is the number of all changed cases. */
  worse: ChangedCase[];
  better: ChangedCase[];
  moved: number;
}
export interface ChangedCase {
  id: string;
  role: 'genuine' | 'not_genuine';
  before: number;
  after: number;
}
type Answered = Evaluation['answers'][number];
type Pair = { before: Answered; after: Answered };

const SHOWN = 10;

/** Parses the output of an earlier `evaluate --json`. Returns null for any other value. */
export function toEvaluationOrNull(value: unknown): Evaluation | null {
  const known =
    typeof value === 'object' && value !== null && 'format' in value && value.format === EVALUATION_FORMAT;
  return known ? (value as Evaluation) : null;
}

/**
 * Compares two evaluations on the cases that they share. The confidence intervals of the differences come from resampled pairs of answers to one
 * case.
 */
export function compareEvaluations(before: Evaluation, after: Evaluation): EvaluationComparison {
  const pairs = pairsOf(before.answers, after.answers);
  const moved = pairs.flatMap(movedOf);
  const gain = ({ role, before, after }: ChangedCase) =>
    role === 'genuine' ? after - before : before - after;
  const ranked = moved.toSorted((a, b) => gain(a) - gain(b));
  const shared = pairs.length;
  return {
    shared,
    unshared: before.answers.length + after.answers.length - 2 * shared,
    scoring_model: before.scoring_model,
    figures: differences(pairs),
    worse: ranked.filter((one) => gain(one) < 0).slice(0, SHOWN),
    better: ranked
      .filter((one) => gain(one) > 0)
      .toReversed()
      .slice(0, SHOWN),
    moved: moved.length,
  };
}

/** Pairs the answers of two evaluations by id. An id that occurs more than once is ignored. */
function pairsOf(before: Answered[], after: Answered[]): Pair[] {
  const once = (answers: Answered[]) => {
    const byId = Map.groupBy(answers, ({ id }) => id);
    return new Map(answers.filter(({ id }) => byId.get(id)?.length === 1).map((one) => [one.id, one]));
  };
  const earlier = once(before);
  return [...once(after).values()].flatMap((one) => {
    const other = earlier.get(one.id);
    return other?.role === one.role ? [{ before: other, after: one }] : [];
  });
}

function movedOf({ before, after }: Pair): ChangedCase[] {
  const { id, role } = after;
  if (role === 'apart' || before.score === after.score) return [];
  return [{ id, role, before: before.score, after: after.score }];
}

function differences(pairs: Pair[]): EvaluationComparison['figures'] {
  const of = (role: Answered['role']) => pairs.filter(({ after }) => after.role === role);
  const [genuine, notGenuine] = [of('genuine'), of('not_genuine')];
  const [then, now] = [figuresOf(genuine, notGenuine, 'before'), figuresOf(genuine, notGenuine, 'after')];
  const drawn = METRIC_NAMES.map((): number[] => []);
  for (let i = 0; i < RESAMPLE_COUNT; i++) {
    const random = new Random(RESAMPLE_SEED, 1, i);
    const [some, others] = [again(genuine, random), again(notGenuine, random)];
    const [was, is] = [figuresOf(some, others, 'before'), figuresOf(some, others, 'after')];
    for (const [at, list] of drawn.entries()) list.push((is[at] ?? Number.NaN) - (was[at] ?? Number.NaN));
  }
  const rows = METRIC_NAMES.map((name, i) => {
    const [from = Number.NaN, to = Number.NaN] = [then[i], now[i]];
    const difference = toConfidenceInterval(to - from, drawn[i] ?? []);
    return [
      name,
      { before: toConfidenceInterval(from, []).value, after: toConfidenceInterval(to, []).value, difference },
    ] as const;
  });
  return Object.fromEntries(rows) as EvaluationComparison['figures'];
}

const again = (pairs: Pair[], random: Random): Pair[] =>
  pairs.length === 0 ? [] : pairs.map(() => random.pick(pairs));

function figuresOf(genuine: Pair[], notGenuine: Pair[], when: keyof Pair): number[] {
  const answers = (pairs: Pair[]) => pairs.map((pair) => pair[when]);
  const sample: PackedScoresByClass = packScoresByClass(answers(genuine), answers(notGenuine));
  const tally = countScores(sample);
  return METRIC_NAMES.map((name) => METRIC_DEFINITIONS[name].of(tally));
}
