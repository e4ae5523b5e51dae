// bonafide evaluate: how good the scores are on labelled cases of one's own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openChecks } from '../app/checks.ts';
import { BonafideError } from '../errors.ts';
import type { Case } from '../evaluate/case.ts';
import { asEvaluation, compare, type Comparison } from '../evaluate/compare.ts';
import { evaluate, type Evaluation, tooFew } from '../evaluate/evaluation.ts';
import { report } from '../evaluate/report/page.ts';
import { evaluateCases, refusedTexts } from '../evaluate/run/checking.ts';
import { refuseOwnFile } from '../maintenance/kept-files.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  MAP_OPTION,
  print,
  REGION_OPTION,
  formatTable,
} from './shared/command.ts';
import { readLabelledCases, withProgress, readReportedOutcomes } from './labelled-cases.ts';
import { FIGURE_NAMES, type Figure } from '../evaluate/figures/figures.ts';
import { changeOf, LABELS, numberOf, rangeOf } from '../evaluate/report/words.ts';

const DEFAULT_OUT = 'evaluation.html';

export default defineCommand({
  meta: { name: 'evaluate', description: 'Judge the scores on labelled cases, and write a report' },
  args: {
    ...COMMON_OPTIONS,
    cases: {
      type: 'positional',
      description: 'Labelled cases, JSON Lines or CSV (gzip too), or -; none with --outcomes',
      required: false,
      valueHint: 'CASES',
    },
    out: {
      type: 'string',
      description: `Where the report goes (default ${DEFAULT_OUT}; with --json none)`,
      valueHint: 'file',
    },
    compare: {
      type: 'string',
      description: 'What --json printed before a change, to compare with',
      valueHint: 'file',
    },
    outcomes: {
      type: 'boolean',
      description: 'In place of cases: the calls of which callers told how they turned out',
    },
    month: {
      type: 'string',
      description: 'With --outcomes: one month alone, such as 2026-10, by UTC',
      valueHint: 'month',
    },
    account: { type: 'string', description: 'With --outcomes: one account alone', valueHint: 'acc_…' },
    ...MAP_OPTION,
    ...REGION_OPTION,
  },
  examples: [
    'evaluate cases.csv --out report.html',
    'evaluate cases.jsonl --json > before.json',
    'evaluate cases.jsonl --compare before.json',
    'evaluate --outcomes --month 2026-10',
  ],
  async run({ args }) {
    const before = args.compare === undefined ? null : readEvaluation(args.compare);
    const { evaluation, columns, title } = await evaluationOf(args);
    const comparison = before && compare(before, evaluation);
    const out = args.out ?? (args.json ? undefined : DEFAULT_OUT);
    if (out !== undefined) writeReport(out, report(evaluation, { title, comparison }));
    print(args, jsonOf(evaluation, comparison), textOf(evaluation, { comparison, columns, out: out ?? '' }));
  },
});

type Asked = Parameters<typeof readReportedOutcomes>[0] & {
  cases?: string | undefined;
  outcomes?: boolean | undefined;
  map?: string | undefined;
  region?: string | undefined;
};

/** Of the file of cases, or of what callers told. Errors: invalid_arguments, and those of either. */
async function evaluationOf(asked: Asked) {
  const { cases: file, outcomes, month, account } = asked;
  if (outcomes === true && file === undefined) {
    const title = ['outcomes that callers told', account, month].filter(Boolean).join(', ');
    return { evaluation: evaluatedTold(await readReportedOutcomes(asked)), columns: null, title };
  }
  if (file === undefined || outcomes === true || month !== undefined || account !== undefined)
    throw new BonafideError(
      'invalid_arguments',
      'Either a file of cases, or --outcomes, which --month and --account go with.',
    );
  const config = await loadSettings(asked, { region: asked.region });
  const { cases, columns } = await readLabelledCases(file, asked.map);
  const evaluation = await evaluated(cases, openChecks(config), asked.json === true);
  return { evaluation, columns, title: basename(file) };
}

/** Nothing that was sent is kept, so that no miss can be asked about again. */
function evaluatedTold({ outcomes, model }: Awaited<ReturnType<typeof readReportedOutcomes>>): Evaluation {
  const lacking = tooFew(outcomes);
  if (lacking !== null) throw new BonafideError('invalid_arguments', lacking);
  return evaluate(outcomes, { misses: [], refused: [], model });
}

async function evaluated(
  cases: Case[],
  checks: ReturnType<typeof openChecks>,
  quiet: boolean,
): Promise<Evaluation> {
  try {
    return await withProgress(cases, quiet, (onDone) => evaluateCases(cases, checks, onDone));
  } finally {
    await checks.close();
  }
}

const jsonOf = (evaluation: Evaluation, comparison: Comparison | null): object =>
  comparison === null ? evaluation : { ...evaluation, comparison };

/** Errors: file_not_found, unreadable_file. */
function readEvaluation(file: string): Evaluation {
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const evaluation = asEvaluation(parsed(readFileSync(file, 'utf8')));
  if (evaluation !== null) return evaluation;
  throw new BonafideError('unreadable_file', `${file} is not what \`bonafide evaluate --json\` prints.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Errors: unreadable_file; invalid_arguments where it is a file of a data folder. */
function writeReport(file: string, html: string): void {
  refuseOwnFile(dirname(file), file);
  try {
    writeFileSync(file, html, { mode: 0o600 });
  } catch {
    throw new BonafideError('unreadable_file', `${file} cannot be written.`);
  }
}

/** An evaluation in a terminal: the figures with their intervals, and where the report lies. */
function textOf(
  { cases, figures, refused }: Evaluation,
  { comparison, columns, out }: { comparison: Comparison | null; columns: string | null; out: string },
): string {
  const { genuine, not_genuine, apart } = cases;
  const row = (figure: Figure) => {
    const { value } = figures[figure];
    return [
      LABELS[figure],
      numberOf(figure, value),
      rangeOf(figure, figures[figure]),
      ...comparedTo(figure, comparison),
    ];
  };
  return [
    ...(columns === null ? [] : [columns]),
    `${genuine} genuine cases, ${not_genuine} that are not, ${apart} apart`,
    ...refusedTexts(refused),
    '',
    formatTable(FIGURE_NAMES.map(row)),
    ...(comparison ? ['', `${comparison.moved} of ${comparison.shared} shared cases moved`] : []),
    '',
    `report: ${out}`,
  ].join('\n');
}

function comparedTo(figure: Figure, comparison: Comparison | null): string[] {
  if (comparison === null) return [];
  const { before, difference } = comparison.figures[figure];
  return [`before ${numberOf(figure, before)}`, `difference ${changeOf(figure, difference).range}`];
}
