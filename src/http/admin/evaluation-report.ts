// The figures of an evaluation.
import * as v from 'valibot';
import { integerBetween, list, number, object, nullable, string, integer, oneOf } from '../schema/parts.ts';

const interval = (about: string) =>
  object(
    {
      value: nullable(v.number(), 'The figure; null where the cases cannot say it.'),
      low: nullable(v.number(), 'The lower end of its 95 % interval.'),
      high: nullable(v.number(), 'The upper end.'),
    },
    about,
  );

const FIGURES = {
  auc: 'Chance that a genuine case scores above one that is not.',
  genuine_from_65: 'Share of the genuine at 65 and above.',
  genuine_from_85: 'Share of the genuine at 85 and above.',
  genuine_below_40: 'Share of the genuine below 40.',
  genuine_at_threshold: 'Share of the genuine at the score that one of a hundred others reach.',
  not_genuine_from_65: 'Share of the others at 65 and above.',
  not_genuine_from_85: 'Share of the others at 85 and above.',
  calibration_error: 'Expected calibration error.',
  brier: 'Brier score.',
  flagged_not_genuine: 'Share of the others that are flagged as possible catfish.',
  flagged_genuine: 'Share of the genuine that are flagged.',
};

type Name = keyof typeof FIGURES;

const NAMES = Object.keys(FIGURES) as Name[];

const each = <S extends v.GenericSchema>(of: (about: string) => S) =>
  Object.fromEntries(NAMES.map((name) => [name, of(FIGURES[name])])) as Record<Name, S>;

const score = integerBetween(0, 100, 'The score.');

const side = oneOf(['genuine', 'not_genuine'], 'What it is known to be.');

const role = oneOf(
  ['genuine', 'not_genuine', 'apart'],
  'What it counts as; `apart` where no check could tell.',
);

const point = object(
  {
    x: number('Across.'),
    y: number('Up.'),
    low: number('The lower end of its interval.'),
    high: number('The upper end.'),
  },
  'A point.',
);

const threshold = object(
  {
    score,
    genuine: interval('Share of the genuine that pass.'),
    not_genuine: interval('Share of the others that pass.'),
    precision: interval('Share of the genuine among all who pass, both being as common.'),
    lost: integer('Genuine cases below it.'),
    passed: integer('Others at it and above.'),
  },
  'A score from which somebody may pass.',
);

const sort = object(
  {
    role,
    kind: string('The sort.'),
    subkind: nullable(v.string(), 'The sort within it; null for all of the kind.'),
    cases: integer('How many.'),
    mean: number('Their mean score.'),
    from_85: interval('Share at 85 and above.'),
    from_65: interval('Share at 65 and above.'),
    from_40: interval('Share at 40 and above.'),
    flagged: interval('Share that is flagged.'),
    auc: interval('Against all cases of the other class.'),
  },
  'A sort of cases.',
);

const group = object(
  {
    group: string('Which.'),
    genuine: integer('Genuine cases.'),
    not_genuine: integer('Others.'),
    auc: interval('As above, of the group.'),
    genuine_from_65: interval('As above, of the group.'),
    genuine_below_40: interval('As above, of the group.'),
    genuine_at_threshold: interval('Share of the genuine at the threshold of all.'),
    not_genuine_from_65: interval('As above, of the group.'),
  },
  'A part of the cases.',
);

const miss = object(
  {
    id: string('What the file calls it, or its line.'),
    role: side,
    kind: string('Its sort.'),
    subkind: nullable(v.string(), 'The sort within it.'),
    score,
    sent: object(
      { email: integer('E-mails.'), phone: integer('Phones.'), address: integer('Addresses.') },
      'How many values were sent.',
    ),
    steps: list(
      object(
        { bits: number('Its weight.'), text: string('What it is, without a value.') },
        'A piece of evidence.',
      ),
      'Why, in order.',
    ),
    bounds: string('The sentence on the bounds.'),
  },
  'A case that came out on the wrong side.',
);

const refused = object(
  {
    rule: string('The rule of a request that they break.'),
    lines: list(integer('A line.', 1), 'Where they stand.'),
  },
  'Cases that were not taken.',
);

export const evaluationReportSchema = object(
  {
    format: string('The version of this form.'),
    scoring_model: integer('The version of the scoring model.'),
    seed: integer('Of the resamples.'),
    resamples: integer('How many the intervals come from.'),
    cases: object(
      {
        genuine: integer('Genuine.'),
        not_genuine: integer('Not genuine.'),
        apart: integer('That no check could tell.'),
        refused: integer('Not taken.'),
      },
      'How many there are.',
    ),
    figures: object(each(interval), 'The figures.'),
    threshold: integerBetween(0, 100, 'The least score that at most one of a hundred others reach.'),
    thresholds: list(threshold, 'Where to draw the line.'),
    scores: object(
      {
        genuine: list(integer('Cases.'), 'By score, 0 to 100.'),
        not_genuine: list(integer('Cases.'), 'By score, 0 to 100.'),
      },
      'How many cases reached each score.',
    ),
    reliability: object(
      {
        curve: list(
          object(
            {
              score,
              value: nullable(v.number(), 'The share of the genuine there.'),
              low: nullable(v.number(), 'The lower end of its 90 % band.'),
              high: nullable(v.number(), 'The upper end.'),
            },
            'A score that occurs.',
          ),
          'The reliability diagram.',
        ),
        miscalibration: nullable(v.number(), 'Part of the Brier score.'),
        discrimination: nullable(v.number(), 'Part of the Brier score.'),
        uncertainty: nullable(v.number(), 'Part of the Brier score.'),
      },
      'Whether the score is right.',
    ),
    curves: object(
      {
        roc: list(point, 'Genuine that pass, against others that pass.'),
        precision: list(point, 'Genuine among who pass, against genuine that pass.'),
        marks: list(
          object(
            {
              score,
              genuine: number('Share of the genuine that pass.'),
              not_genuine: number('Share of the others that pass.'),
              precision: number('Share of the genuine among who pass.'),
            },
            'A score that bounds a verdict.',
          ),
          'Where they stand on both.',
        ),
      },
      'Every threshold at once.',
    ),
    sorts: list(sort, 'Every kind and subkind.'),
    slices: list(
      object({ by: string('By what.'), groups: list(group, 'The groups, the largest first.') }, 'A cut.'),
      'The same for parts of the cases.',
    ),
    misses: list(miss, 'The worst, eight of each class at most.'),
    refused: list(refused, 'Cases that break a rule of a request.'),
  },
  'What came of it, as `bonafide evaluate --json` prints it.',
);

const moved = object(
  { id: string('The case.'), role: side, before: score, after: score },
  'A case that moved.',
);

const compared = (about: string) =>
  object(
    {
      before: nullable(v.number(), 'Then.'),
      after: nullable(v.number(), 'Now.'),
      difference: interval('The difference; more than chance where its interval leaves out 0.'),
    },
    about,
  );

export const comparisonSchema = object(
  {
    shared: integer('Cases that both have, by their id and label.'),
    unshared: integer('Cases that one of them has.'),
    scoring_model: integer('The version of the scoring model then.'),
    figures: object(each(compared), 'The figures on the cases that both have.'),
    worse: list(moved, 'The cases that moved most for the worse.'),
    better: list(moved, 'The cases that moved most for the better.'),
    moved: integer('How many moved at all.'),
  },
  'Before and after.',
);
