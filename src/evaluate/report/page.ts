// Evaluation report as one HTML file that can be opened from disk: no script, no font, no other host, no submitted values.
import { createHtmlDocument } from './document.ts';
import type { EvaluationComparison } from '../compare.ts';
import type { Evaluation } from '../evaluation.ts';
import type { MetricName } from '../figures.ts';
import type { WronglyScoredCase } from '../outcome.ts';
import {
  drawScoreHistogram,
  drawPrecisionChart,
  drawReliabilityChart,
  drawRocChart,
  drawEvidenceWaterfallChart,
} from './charts.ts';
import {
  createComparisonTable,
  createChangedCasesTable,
  createRefusedCasesList,
  createGroupSection,
  createCaseTypeTable,
  createThresholdTable,
} from './tables.ts';
import { escapeHtml, METRIC_LABELS, formatMetric, formatCount, formatMetricRange } from './words.ts';

export interface ReportOptions {
  title: string;
  comparison: EvaluationComparison | null;
}

/** Creates the HTML document of a report. The same evaluation gives the same bytes. */
export function createReportPage(it: Evaluation, { title, comparison }: ReportOptions): string {
  return createHtmlDocument(`Evaluation of ${title}`, [
    heading(it, title),
    cards(it),
    compared(comparison),
    pictures(it),
    thresholds(it),
    slices(it),
    misses(it.misses),
    sorts(it),
    notes(it),
  ]);
}

function heading(
  { cases: { genuine, not_genuine, apart, refused }, scoring_model }: Evaluation,
  title: string,
) {
  const counts = [
    `${formatCount(genuine, 'genuine case')}`,
    `${not_genuine} that ${not_genuine === 1 ? 'is' : 'are'} not`,
  ];
  if (apart > 0) counts.push(`${apart} that no check can tell`);
  if (refused > 0) counts.push(`${refused} not taken`);
  return `<header><h1>How good are the scores?</h1>
<p>${escapeHtml(title)}: ${counts.join(', ')}. Scoring model ${scoring_model}.</p></header>`;
}

const CARDS: MetricName[] = [
  'auc',
  'genuine_from_65',
  'genuine_below_40',
  'not_genuine_from_65',
  'not_genuine_from_85',
  'calibration_error',
];

function cards({ figures }: Evaluation): string {
  const each = CARDS.map((figure) => {
    const { value } = figures[figure];
    return `<div class="card"><b>${formatMetric(figure, value)}</b><span>${METRIC_LABELS[figure]}</span><small>${formatMetricRange(figure, figures[figure])}</small></div>`;
  });
  return `<div class="cards">${each.join('\n')}</div>
<p class="hint">Below each figure: where it would lie, 95 times in a hundred, with other cases of the same sort.</p>`;
}

function compared(comparison: EvaluationComparison | null): string {
  if (comparison === null) return '';
  const { shared, unshared, moved, worse, better } = comparison;
  const apart = unshared > 0 ? ` ${unshared} stand in one of the two only and are left out.` : '';
  return `<section><h2>Before and after</h2>
<p>Both have ${formatCount(shared, 'case')} in common, of which ${moved} moved.${apart} A coloured difference is more than chance.</p>
${createComparisonTable(comparison)}
<div class="charts">${createChangedCasesTable(worse, 'worse')}${createChangedCasesTable(better, 'better')}</div></section>`;
}

const KEY = '<span class="key is">genuine</span> <span class="key not">not genuine</span>';

function pictures(it: Evaluation): string {
  const { miscalibration, discrimination, uncertainty } = it.reliability;
  const parts = [miscalibration, discrimination, uncertainty].map((one) => (one ?? 0).toFixed(3));
  return `<section><h2>The scores</h2>
<div class="charts">
${figure(drawScoreHistogram(it), `<b>Who scores what.</b> ${KEY}. Heights go by the square root, so that rare scores are seen.`)}
${figure(drawReliabilityChart(it), `<b>Is the score right?</b> The share of the genuine at each score, by isotonic regression, with its 90 % band; on the dashed line a score of 70 is right seven times in ten. The grey foot shows where the cases are. Brier score: miscalibration ${parts[0]} − discrimination ${parts[1]} + uncertainty ${parts[2]}.`)}
${figure(drawRocChart(it), '<b>ROC.</b> Every threshold at once, with its 95 % band: the nearer to the upper left corner, the better. The corner is stretched open. Dots mark the scores 85, 65 and 40.')}
${figure(drawPrecisionChart(it), '<b>Precision and recall.</b> How pure they are who pass, as more of the genuine do. Both classes are counted as equally common; the corner is stretched open.')}
</div></section>`;
}

const figure = (picture: string, caption: string) =>
  `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;

const thresholds = (it: Evaluation) => `<section><h2>Where to draw the line</h2>
<p>Who passes if a score is asked for, who of the genuine is lost, and who of the others comes through.</p>
${createThresholdTable(it)}</section>`;

function slices({ slices, threshold }: Evaluation): string {
  if (slices.length === 0) return '';
  return `<section><h2>Is it the same for everybody?</h2>
<p>Group by group, at ${threshold}: the least score that at most one in a hundred of all that are not genuine reach${threshold === 100 ? ', or the highest there is' : ''}. Below a group: genuine + not genuine cases.</p>
${slices.map((slice) => createGroupSection(slice, threshold)).join('\n')}</section>`;
}

function misses(all: WronglyScoredCase[]): string {
  if (all.length === 0) return '';
  const part = (role: WronglyScoredCase['role'], title: string) => {
    const some = all.filter((one) => one.role === role);
    return some.length === 0 ? '' : `<h3>${title}</h3><div class="misses">${some.map(miss).join('\n')}</div>`;
  };
  return `<section><h2>The worst misses</h2>
<p>Each score as the sum that it is, in bits: every piece of evidence starts where the one before ended. What was sent is not shown; look it up by the case’s id.</p>
${part('genuine', 'Genuine, and scored low')}
${part('not_genuine', 'Not genuine, and scored high')}</section>`;
}

function miss({ id, kind, subkind, score, sent, steps, bounds }: WronglyScoredCase): string {
  const contacts = [
    sent.email > 0 && formatCount(sent.email, 'e-mail'),
    sent.phone > 0 && formatCount(sent.phone, 'phone'),
    sent.address > 0 && formatCount(sent.address, 'address', 'addresses'),
  ].filter(Boolean);
  const sort = [kind, subkind].filter((one) => one !== null).join(' / ');
  return `<article class="miss"><header><span>${escapeHtml(id)}</span><b>${score}</b></header>
<p>${escapeHtml(sort)}; sent: ${contacts.join(', ') || 'no contact'}</p>
${drawEvidenceWaterfallChart(steps)}
<p>${escapeHtml(bounds)}</p></article>`;
}

const sorts = ({ sorts, refused }: Evaluation) => `<section><h2>Sorts of cases</h2>
<p>Cases apart are those that no check can tell: a person whom no record knows, a name alone, somebody who sends exactly what the victim would send. They count in no figure above.</p>
${createCaseTypeTable(sorts)}
${createRefusedCasesList(refused)}</section>`;

const notes = ({ seed, resamples }: Evaluation) => `<section><h2>How to read this</h2>
<p>An interval comes from ${resamples} resamples of the cases with replacement, seed ${seed}; the same cases give the same report. AUC is the chance that a genuine case scores above one that is not. The calibration error is how far the share of the genuine is from the score, in ten bins of ten points; in it, in the Brier score and wherever “genuine among” is said, both classes weigh the same, however many cases each has.</p></section>`;
