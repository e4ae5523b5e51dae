import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isCalibrationName, storeCalibration, type StoredCalibration } from '../app/calibrations.ts';
import { createCheckerWithoutServer } from '../app/local-checks.ts';
import { BonafideError, resultOr } from '../errors.ts';
import { toEvaluationOrNull, compareEvaluations, type EvaluationComparison } from '../evaluate/compare.ts';
import { createEvaluation, type Evaluation, describeMissingCaseClass } from '../evaluate/evaluation.ts';
import { METRIC_NAMES, type MetricName } from '../evaluate/figures.ts';
import { fitCalibrationMap, type CalibrationFit, toCalibrationCases } from '../evaluate/fit.ts';
import { createReportPage } from '../evaluate/report/page.ts';
import {
  formatMetricChangeAndRange,
  METRIC_LABELS,
  formatMetric,
  formatMetricRange,
} from '../evaluate/report/words.ts';
import {
  runCaseChecks,
  type CaseCheckResults,
  evaluateCases,
  formatRefusedCasesAsLines,
} from '../evaluate/check-cases.ts';
import { requireNotOwnDataFile } from '../maintenance/data-files.ts';
import {
  runCaseCheckWithProgressBar,
  readLabelledCasesAndColumns,
  readReportedOutcomes,
  type ReportedOutcomeOptions,
} from './labelled-cases.ts';
import {
  defineArgument,
  defineFlag,
  COLUMN_MAP_OPTION,
  defineOption,
  defineOptionalArgument,
  REGION_OPTION,
  createUsageError,
} from './helpers/arguments.ts';
import { defineCommand, formatDay, formatTable, loadSettings, printResult } from './helpers/command.ts';
import { requireFile, writeOutputFile } from './helpers/files.ts';

const DEFAULT_OUT = 'evaluation.html';

export const evaluateCommand = defineCommand('Measure the scores on labelled cases, and write a report', {
  args: {
    cases: defineOptionalArgument('Labelled cases: a JSON Lines or CSV file (also gzip), or -', 'CASES'),
    out: defineOption(`File for the report (default ${DEFAULT_OUT}; no report with --json)`, 'file'),
    compare: defineOption('Earlier output of --json, to compare with', 'file'),
    outcomes: defineFlag('Use the calls whose outcome was reported, in place of CASES'),
    month: defineOption('With --outcomes: only this month (UTC), such as 2026-10', 'month'),
    account: defineOption('With --outcomes: only this account', 'acc_…'),
    ...COLUMN_MAP_OPTION,
    ...REGION_OPTION,
  },
  examples: [
    'evaluate cases.csv --out report.html',
    'evaluate cases.jsonl --json > before.json',
    'evaluate cases.jsonl --compare before.json',
    'evaluate --outcomes --month 2026-10',
  ],
  run: async (args) => {
    const before = args.compare === undefined ? null : readEvaluation(args.compare);
    const { evaluation, columns, title } = await runEvaluation(args);
    const comparison = before && compareEvaluations(before, evaluation);
    const out = args.out ?? (args.json ? undefined : DEFAULT_OUT);
    if (out !== undefined) {
      requireNotOwnDataFile(dirname(out), out);
      writeOutputFile(out, createReportPage(evaluation, { title, comparison }), '--out');
    }
    printResult(
      args,
      comparison === null ? evaluation : { ...evaluation, comparison },
      formatEvaluation(evaluation, { comparison, columns, out: out ?? '' }),
    );
  },
});

interface EvaluateArgs extends ReportedOutcomeOptions {
  cases?: string | undefined;
  outcomes?: boolean | undefined;
  map?: string | undefined;
  region?: string | undefined;
}

/** Evaluates labelled cases from a file, or calls with a reported outcome. Errors: invalid_arguments, and errors of reading either. */
async function runEvaluation(args: EvaluateArgs) {
  const { cases: file, outcomes, month, account } = args;
  if (outcomes === true && file === undefined) {
    const title = ['reported outcomes', account, month].filter(Boolean).join(', ');
    return { evaluation: await evaluateReportedOutcomes(args), columns: null, title };
  }
  if (file === undefined || outcomes === true || month !== undefined || account !== undefined)
    throw createUsageError(
      'Give either a file of cases, or --outcomes. --month and --account need --outcomes.',
    );
  const config = await loadSettings(args, { region: args.region });
  const { cases, columns } = await readLabelledCasesAndColumns(file, args.map);
  const checks = createCheckerWithoutServer(config);
  const evaluation = await runCaseCheckWithProgressBar(cases, args.json === true, (onDone) =>
    evaluateCases(cases, checks, onDone),
  ).finally(checks.close);
  return { evaluation, columns, title: basename(file) };
}

/** Evaluates logged calls with a reported outcome. The log has no names and contacts, so wrongly scored cases are not listed. */
async function evaluateReportedOutcomes(args: EvaluateArgs): Promise<Evaluation> {
  const { outcomes, model } = await readReportedOutcomes(args);
  const isSelection = args.month !== undefined || args.account !== undefined;
  const calls = isSelection ? ' of this selection' : '';
  if (describeMissingCaseClass(outcomes) !== null)
    throw createUsageError(
      `${outcomes.length === 0 ? `No call${calls} has a reported outcome` : `All reported outcomes${calls} are equal`}. An evaluation needs calls that were reported as genuine, and calls that were not. Callers report with POST /v1/requests/:id/outcome.`,
    );
  return createEvaluation(outcomes, { misses: [], refused: [], model });
}

/** Reads the output of an earlier `evaluate --json`. Errors: file_not_found, unreadable_file. */
function readEvaluation(file: string): Evaluation {
  requireFile(file);
  const text = readFileSync(file, 'utf8');
  const evaluation = toEvaluationOrNull(resultOr(() => JSON.parse(text), null));
  if (evaluation !== null) return evaluation;
  throw new BonafideError(
    'unreadable_file',
    `${file} is not the output of \`bonafide evaluate --json\`. Choose another file with --compare.`,
  );
}

/** Formats the figures of an evaluation with their confidence intervals. `out` is the path of the HTML report. */
function formatEvaluation(
  { cases, figures, refused }: Evaluation,
  {
    comparison,
    columns,
    out,
  }: { comparison: EvaluationComparison | null; columns: string | null; out: string },
): string {
  const { genuine, not_genuine, apart } = cases;
  const rows = METRIC_NAMES.map((figure) => [
    METRIC_LABELS[figure],
    formatMetric(figure, figures[figure].value),
    formatMetricRange(figure, figures[figure]),
    ...(comparison ? formatComparison(figure, comparison) : []),
  ]);
  return [
    ...(columns === null ? [] : [columns]),
    `Cases: ${genuine} genuine, ${not_genuine} not genuine, ${apart} reported separately`,
    ...formatRefusedCasesAsLines(refused),
    '',
    formatTable(rows),
    ...(comparison
      ? ['', `${comparison.moved} of ${comparison.shared} common cases changed their score`]
      : []),
    '',
    `report: ${out}`,
  ].join('\n');
}

function formatComparison(figure: MetricName, { figures }: EvaluationComparison): string[] {
  const { before, difference } = figures[figure];
  return [
    `before ${formatMetric(figure, before)}`,
    `difference ${formatMetricChangeAndRange(figure, difference).range}`,
  ];
}

export const calibrateCommand = defineCommand('Fit a calibration of scores to labelled cases', {
  args: {
    cases: defineArgument('Labelled cases: a JSON Lines or CSV file (also gzip), or -', 'CASES'),
    name: defineOption('Name of the calibration (default: the name of the file)', 'name'),
    ...COLUMN_MAP_OPTION,
    ...REGION_OPTION,
  },
  examples: ['calibrate cases.csv', 'calibrate cases.jsonl --name shop-2026'],
  run: async (args) => {
    const name = args.name ?? basename(args.cases).replace(/\..*$/, '').toLowerCase();
    requireCalibrationName(name);
    const config = await loadSettings(args, { region: args.region });
    const { cases } = await readLabelledCasesAndColumns(args.cases, args.map);
    // A calibration is fitted to scores without calibration.
    const checks = createCheckerWithoutServer({ ...config, calibration: undefined });
    const checked = await runCaseCheckWithProgressBar(cases, args.json === true, (onDone) =>
      runCaseChecks(cases, checks, onDone),
    ).finally(checks.close);
    const fitted = fitCalibration(name, checked);
    const { calibration, brier } = fitted;
    const file = storeCalibration(config.dataDir, calibration);
    printResult(args, { ...calibration, brier, file }, formatCalibration(fitted, file));
  },
});

function requireCalibrationName(name: string): void {
  if (!isCalibrationName(name))
    throw createUsageError(
      'The name of a calibration must have 1 to 40 lower-case letters, digits, dots, dashes and underscores. Give a name with --name.',
    );
}

interface FittedCalibration {
  calibration: StoredCalibration;
  /** Brier scores before and after calibration, measured on cases that were not used for fitting it. */
  brier: Pick<CalibrationFit, 'before' | 'after'>;
}

/** Fits a calibration. Errors: invalid_arguments if there are too few cases, or if it does not improve the Brier score of other cases. */
function fitCalibration(
  name: string,
  { outcomes, model }: Pick<CaseCheckResults, 'outcomes' | 'model'>,
): FittedCalibration {
  const result = fitCalibrationMap(toCalibrationCases(outcomes));
  if (typeof result === 'string')
    throw new BonafideError('data_missing', `No calibration was saved. ${result}`);
  const { knots, genuine, notGenuine, before, after } = result;
  const createdOn = formatDay(Date.now());
  const calibration = { name, scoringModel: model, knots, made: createdOn, genuine, notGenuine };
  return { calibration, brier: { before, after } };
}

function formatCalibration({ calibration, brier }: FittedCalibration, file: string): string {
  const { name, knots, genuine, notGenuine } = calibration;
  return [
    `${name}: fitted to ${genuine} genuine and ${notGenuine} not genuine cases without a bound`,
    `Brier score on other cases: ${brier.before.toFixed(4)} before calibration, ${brier.after.toFixed(4)} after`,
    '',
    formatTable([['score', 'calibrated'], ...knots.map(([from, to]) => [from.toFixed(1), to.toFixed(1)])]),
    '',
    `Saved in ${file}. To use it, set calibration (BONAFIDE_CALIBRATION) to ${name}.`,
  ].join('\n');
}
