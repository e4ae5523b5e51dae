// Command `bonafide calibrate`: fits a calibration of scores to labelled cases.
import { basename } from 'node:path';
import { isCalibrationName, keepCalibration, type KeptCalibration } from '../app/calibrations.ts';
import { openChecks } from '../app/checks.ts';
import { fit, type Fit, pointsOf } from '../evaluate/fit.ts';
import { checkCases, type Checked } from '../evaluate/run/checking.ts';
import { checkWithProgress, readLabelledCases } from './labelled-cases.ts';
import { argument, MAP_OPTION, option, REGION_OPTION, usageError } from './shared/arguments.ts';
import { defineCommand, formatDay, formatTable, loadSettings, printResult } from './shared/command.ts';

export const calibrateCommand = defineCommand('Fit a calibration of scores to labelled cases', {
  args: {
    cases: argument('Labelled cases: a JSON Lines or CSV file (also gzip), or -', 'CASES'),
    name: option('Name of the calibration (default: the name of the file)', 'name'),
    ...MAP_OPTION,
    ...REGION_OPTION,
  },
  examples: ['calibrate cases.csv', 'calibrate cases.jsonl --name shop-2026'],
  run: async (args) => {
    const name = args.name ?? basename(args.cases).replace(/\..*$/, '').toLowerCase();
    requireCalibrationName(name);
    const config = await loadSettings(args, { region: args.region });
    const { cases } = await readLabelledCases(args.cases, args.map);
    // A calibration is fitted to scores without any calibration.
    const checks = openChecks({ ...config, calibration: undefined });
    const checked = await checkWithProgress(cases, args.json === true, (onDone) =>
      checkCases(cases, checks, onDone),
    ).finally(checks.close);
    const fitted = fitCalibration(name, checked);
    const { calibration, brier } = fitted;
    const file = keepCalibration(config.dataDir, calibration);
    printResult(args, { ...calibration, brier, file }, formatCalibration(fitted, file));
  },
});

function requireCalibrationName(name: string): void {
  if (!isCalibrationName(name))
    throw usageError(
      'The name of a calibration must have 1 to 40 lower-case letters, digits, dots, dashes and underscores. Give a name with --name.',
    );
}

interface FittedCalibration {
  calibration: KeptCalibration;
  /** Brier scores before and after calibration, on cases that the calibration was not fitted to. */
  brier: Pick<Fit, 'before' | 'after'>;
}

/** Fits a calibration. Errors: invalid_arguments if there are too few cases, or if the Brier score on other cases does not improve. */
function fitCalibration(
  name: string,
  { outcomes, model }: Pick<Checked, 'outcomes' | 'model'>,
): FittedCalibration {
  const result = fit(pointsOf(outcomes));
  if (typeof result === 'string') throw usageError(`No calibration was saved. ${result}`);
  const { knots, genuine, notGenuine, before, after } = result;
  const made = formatDay(Date.now());
  const calibration = { name, scoringModel: model, knots, made, genuine, notGenuine };
  return { calibration, brier: { before, after } };
}

function formatCalibration({ calibration, brier }: FittedCalibration, file: string): string {
  const { name, knots, genuine, notGenuine } = calibration;
  return [
    `${name}: fitted to ${genuine} genuine and ${notGenuine} not genuine cases whose scores are within no bound`,
    `Brier score on other cases: ${brier.before.toFixed(4)} before calibration, ${brier.after.toFixed(4)} after`,
    '',
    formatTable([['score', 'calibrated'], ...knots.map(([from, to]) => [from.toFixed(1), to.toFixed(1)])]),
    '',
    `Saved in ${file}. To use it, set calibration (BONAFIDE_CALIBRATION) to ${name}.`,
  ].join('\n');
}
