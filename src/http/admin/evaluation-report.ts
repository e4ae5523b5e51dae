import type * as v from 'valibot';
import * as s from '../schema/builders.ts';

const interval = (about: string) =>
  s.object(about, {
    value: s.nullableNumber('The value; null if the cases cannot tell.'),
    low: s.nullableNumber('Lower end of its 95 % interval.'),
    high: s.nullableNumber('Upper end of its 95 % interval.'),
  });

const METRICS = {
  auc: 'Probability that a genuine case scores above another case.',
  genuine_from_65: 'Share of genuine cases at 65 and above.',
  genuine_from_85: 'Share of genuine cases at 85 and above.',
  genuine_below_40: 'Share of genuine cases below 40.',
  genuine_at_threshold: 'Share of genuine cases at the score that one of a hundred other cases reaches.',
  not_genuine_from_65: 'Share of other cases at 65 and above.',
  not_genuine_from_85: 'Share of other cases at 85 and above.',
  calibration_error: 'Expected calibration error.',
  brier: 'Brier score.',
  flagged_not_genuine: 'Share of other cases with the flag `possible_catfish`.',
  flagged_genuine: 'Share of genuine cases with the flag.',
};
type Metric = keyof typeof METRICS;
const forEachMetric = <Schema extends v.GenericSchema>(toSchema: (about: string) => Schema) =>
  Object.fromEntries(Object.entries(METRICS).map(([name, about]) => [name, toSchema(about)])) as Record<
    Metric,
    Schema
  >;

const score = s.integerBetween(0, 100, 'The score.');
const label = s.oneOf(['genuine', 'not_genuine'], 'Label of the case.');

const threshold = s.object('A score from which a person passes.', {
  score,
  genuine: interval('Share of genuine cases that pass.'),
  not_genuine: interval('Share of other cases that pass.'),
  precision: interval('Share of genuine cases among all that pass, if both are equally common.'),
  lost: s.integer('Genuine cases below it.'),
  passed: s.integer('Other cases at it and above.'),
});

const kindOfCase = s.object('A kind of cases.', {
  role: s.oneOf(['genuine', 'not_genuine', 'apart'], 'How it counts; `apart` if no check could tell.'),
  kind: s.string('The kind.'),
  subkind: s.nullableString('The subkind; null for the whole kind.'),
  cases: s.integer('Number of cases.'),
  mean: s.number('Mean score.'),
  from_85: interval('Share at 85 and above.'),
  from_65: interval('Share at 65 and above.'),
  from_40: interval('Share at 40 and above.'),
  flagged: interval('Share with the flag `possible_catfish`.'),
  auc: interval('AUC against all cases with the other label.'),
});

const group = s.object('A part of the cases.', {
  group: s.string('Name of the group.'),
  genuine: s.integer('Genuine cases.'),
  not_genuine: s.integer('Other cases.'),
  auc: interval('AUC of the group.'),
  genuine_from_65: interval('Share of its genuine cases at 65 and above.'),
  genuine_below_40: interval('Share of its genuine cases below 40.'),
  genuine_at_threshold: interval('Share of its genuine cases at the threshold of all cases.'),
  not_genuine_from_65: interval('Share of its other cases at 65 and above.'),
});

const step = s.object('A piece of evidence.', {
  bits: s.number('Match weight.'),
  text: s.string('The evidence, without a value.'),
});
const misjudgedCase = s.object('A case with a wrong result.', {
  id: s.string('Id in the file, or line number.'),
  role: label,
  kind: s.string('Its kind.'),
  subkind: s.nullableString('Its subkind.'),
  score,
  sent: s.object('Number of values that were sent.', {
    email: s.integer('E-mails.'),
    phone: s.integer('Phones.'),
    address: s.integer('Addresses.'),
  }),
  steps: s.list(step, 'Evidence in order.'),
  bounds: s.string('The sentence on the bounds.'),
});

const rejectedCases = s.object('Cases that were rejected.', {
  rule: s.string('Rule of a request that they break.'),
  lines: s.list(s.integer('Number of a line.', 1), 'Their lines.'),
});

const point = s.object('A point.', {
  x: s.number('Horizontal.'),
  y: s.number('Vertical.'),
  low: s.number('Lower end of its interval.'),
  high: s.number('Upper end of its interval.'),
});
const bandBound = s.object('A score that bounds a band.', {
  score,
  genuine: s.number('Share of genuine cases that pass.'),
  not_genuine: s.number('Share of other cases that pass.'),
  precision: s.number('Share of genuine cases among all that pass.'),
});
const curves = s.object('Every threshold at once.', {
  roc: s.list(point, 'Genuine cases that pass, against other cases that pass.'),
  precision: s.list(point, 'Share of genuine cases among all that pass, against genuine cases that pass.'),
  marks: s.list(bandBound, 'The bounds of the bands on both curves.'),
});

const reliabilityPoint = s.object('A score that occurs.', {
  score,
  value: s.nullableNumber('Share of genuine cases at this score.'),
  low: s.nullableNumber('Lower end of its 90 % band.'),
  high: s.nullableNumber('Upper end of its 90 % band.'),
});
const reliability = s.object('Calibration of the score.', {
  curve: s.list(reliabilityPoint, 'The reliability diagram.'),
  miscalibration: s.nullableNumber('Miscalibration part of the Brier score.'),
  discrimination: s.nullableNumber('Discrimination part of the Brier score.'),
  uncertainty: s.nullableNumber('Uncertainty part of the Brier score.'),
});

export const evaluationReportSchema = s.object('Results, as `bonafide evaluate --json` prints them.', {
  format: s.string('Version of this format.'),
  scoring_model: s.integer('Version of the scoring model.'),
  seed: s.integer('Seed of the resamples.'),
  resamples: s.integer('Number of resamples for the intervals.'),
  cases: s.object('Number of cases.', {
    genuine: s.integer('Genuine.'),
    not_genuine: s.integer('Not genuine.'),
    apart: s.integer('Cases that no check could tell.'),
    refused: s.integer('Rejected.'),
  }),
  figures: s.object('The metrics.', forEachMetric(interval)),
  threshold: s.integerBetween(0, 100, 'Lowest score that at most one of a hundred other cases reaches.'),
  thresholds: s.list(threshold, 'Possible thresholds.'),
  scores: s.object('Number of cases by score.', {
    genuine: s.list(s.integer('Cases.'), 'By score, 0 to 100.'),
    not_genuine: s.list(s.integer('Cases.'), 'By score, 0 to 100.'),
  }),
  reliability,
  curves,
  sorts: s.list(kindOfCase, 'Every kind and subkind.'),
  slices: s.list(
    s.object('A division of the cases into groups.', {
      by: s.string('Property that divides the cases.'),
      groups: s.list(group, 'Largest group first.'),
    }),
    'The metrics of parts of the cases.',
  ),
  misses: s.list(misjudgedCase, 'The worst cases, at most eight of each label.'),
  refused: s.list(rejectedCases, 'Cases that break a rule of a request.'),
});

const movedCase = s.object('A case whose score changed.', {
  id: s.string('The case.'),
  role: label,
  before: score,
  after: score,
});
const comparedMetric = (about: string) =>
  s.object(about, {
    before: s.nullableNumber('Value of the earlier evaluation.'),
    after: s.nullableNumber('Value of this evaluation.'),
    difference: interval('The difference; significant if its interval does not contain 0.'),
  });
export const evaluationComparisonSchema = s.object('Comparison with the earlier evaluation.', {
  shared: s.integer('Cases of both evaluations, by id and label.'),
  unshared: s.integer('Cases of one of the evaluations only.'),
  scoring_model: s.integer('Version of the scoring model of the earlier evaluation.'),
  figures: s.object('The metrics of the cases of both.', forEachMetric(comparedMetric)),
  worse: s.list(movedCase, 'Cases that changed most for the worse.'),
  better: s.list(movedCase, 'Cases that changed most for the better.'),
  moved: s.integer('Number of cases whose score changed.'),
});
