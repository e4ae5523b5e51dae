import type { Comparison } from '../../evaluate/compare.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { FIGURE_NAMES, type Figure } from '../../evaluate/figures/figures.ts';
import { changeOf, LABELS, numberOf, rangeOf } from '../../evaluate/report/words.ts';
import { refusedTexts } from '../../evaluate/run/checking.ts';
import { table } from '../command.ts';

/** An evaluation in a terminal: the figures with their intervals, and where the report lies. */
export function textOf(
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
    table(FIGURE_NAMES.map(row)),
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
