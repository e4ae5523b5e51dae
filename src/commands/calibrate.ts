// bonafide calibrate: fits a map of scores to labelled cases, and keeps it under a name.
import { basename } from 'node:path';
import { openChecks } from '../app/checks.ts';
import { isCalibrationName, keepCalibration, type KeptCalibration } from '../app/calibrations.ts';
import { BonafideError } from '../errors.ts';
import { fit, type Fit, pointsOf } from '../evaluate/fit.ts';
import { checkCases, type Checked } from '../evaluate/run/checking.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  MAP_OPTION,
  print,
  REGION_OPTION,
  formatTable,
} from './shared/command.ts';
import { readLabelledCases, withProgress } from './labelled-cases.ts';

export default defineCommand({
  meta: {
    name: 'calibrate',
    description: 'Fit a map of scores to labelled cases, which a setting switches on',
  },
  args: {
    ...COMMON_OPTIONS,
    cases: {
      type: 'positional',
      description: 'Labelled cases, JSON Lines or CSV (gzip too), or -',
      required: true,
      valueHint: 'CASES',
    },
    name: {
      type: 'string',
      description: 'Name of the calibration (default: of the file)',
      valueHint: 'name',
    },
    ...MAP_OPTION,
    ...REGION_OPTION,
  },
  examples: ['calibrate cases.csv', 'calibrate cases.jsonl --name shop-2026'],
  async run({ args }) {
    const name = nameOf(args.name ?? basename(args.cases).replace(/\..*$/, '').toLowerCase());
    const config = await loadSettings(args, { region: args.region });
    const { cases } = await readLabelledCases(args.cases, args.map);
    // What is fitted is the score as it is, whichever map is in use.
    const checks = openChecks({ ...config, calibration: undefined });
    const { outcomes, model } = await withProgress(cases, args.json === true, (onDone) =>
      checkCases(cases, checks, onDone),
    ).finally(checks.close);
    const made = fitted(name, { outcomes, model });
    const file = keepCalibration(config.dataDir, made.calibration);
    print(args, { ...made.calibration, brier: made.brier, file }, textOf(made, file));
  },
});

/** Errors: invalid_arguments. */
function nameOf(name: string): string {
  if (isCalibrationName(name)) return name;
  throw new BonafideError(
    'invalid_arguments',
    'The name of a calibration is up to 40 lower-case letters, digits, dots, dashes and underscores: give one with --name.',
  );
}

interface Made {
  calibration: KeptCalibration;
  /** Of cases that the map was not fitted to: as scored, and as mapped. */
  brier: Pick<Fit, 'before' | 'after'>;
}

/** Errors: invalid_arguments (too few cases, or no better on cases that it was not fitted to). */
function fitted(name: string, { outcomes, model }: Pick<Checked, 'outcomes' | 'model'>): Made {
  const found = fit(pointsOf(outcomes));
  if (typeof found === 'string') throw new BonafideError('invalid_arguments', `Nothing was kept. ${found}`);
  const { knots, genuine, notGenuine, before, after } = found;
  const made = new Date().toISOString().slice(0, 10);
  const calibration = { name, scoringModel: model, knots, made, genuine, notGenuine };
  return { calibration, brier: { before, after } };
}

function textOf({ calibration, brier }: Made, file: string): string {
  const { name, knots, genuine, notGenuine } = calibration;
  return [
    `${name}: fitted to ${genuine} genuine cases and ${notGenuine} that are not, to whose scores no bound applied`,
    `Brier score on cases left out of the fit: ${brier.before.toFixed(4)}, mapped ${brier.after.toFixed(4)}`,
    '',
    formatTable([['score', 'mapped'], ...knots.map(([from, to]) => [from.toFixed(1), to.toFixed(1)])]),
    '',
    `kept in ${file}; in use once the setting calibration (BONAFIDE_CALIBRATION) is ${name}`,
  ].join('\n');
}
