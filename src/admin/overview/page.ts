// Writes a graph survey as one HTML file that opens from disk and loads no scripts, fonts or other files. The file contains counts and
// names of sources, and no person.
import { createHtmlDocument } from '../../evaluate/report/document.ts';
import {
  escapeHtml,
  formatCount,
  formatPercent,
  formatRecordAndIdentityCounts,
} from '../../evaluate/report/words.ts';
import { drawBarChart, type ChartBar, drawUpsetPlot } from './charts.ts';
import { CONTACT_KINDS, type GraphSurvey } from './survey.ts';

export interface SurveyPageOptions {
  title: string;
  made: string;
  warnings: readonly string[];
}

/** Formats a graph survey as an HTML document. The same survey always gives the same bytes. */
export function toGraphSurveyHtml(it: GraphSurvey, { title, made, warnings }: SurveyPageOptions): string {
  const { records, identities } = it.stats;
  const heading = `<header><h1>What the graph holds</h1>
<p>${escapeHtml(title)}, ${escapeHtml(made.slice(0, 16).replace('T', ' '))} UTC: ${formatRecordAndIdentityCounts({ records, identities })}.</p></header>`;
  return createHtmlDocument(`The graph ${title}`, [
    heading,
    cards(it),
    formatWarnings(warnings),
    identitiesSection(it),
    sourcesSection(it),
    contactsSection(it),
    linkingSection(it),
  ]);
}

function cards({ stats, sources, having }: GraphSurvey): string {
  const per = stats.identities === 0 ? '–' : (stats.records / stats.identities).toFixed(2);
  const reachable = share(Math.max(having.email, having.phone), stats.identities);
  const each: [string, string, string][] = [
    [
      String(stats.records),
      'records',
      stats.unlinked > 0 ? `${stats.unlinked} not linked yet` : 'all linked',
    ],
    [String(stats.identities), 'identities', `${per} records each`],
    [
      String(sources.length),
      formatCount(sources.length, 'source').replace(/^\d+ /, ''),
      sources[0] ? `the largest: ${sources[0].source}` : '',
    ],
    [share(having.name, stats.identities), 'bear a name', ''],
    [reachable, 'have the commoner of e-mail and phone', ''],
    [String(stats.merged), 'numbers lead to others', 'identities that proved to be one'],
  ];
  const shown = each.map(
    ([figure, label, small]) =>
      `<div class="card"><b>${escapeHtml(figure)}</b><span>${escapeHtml(label)}</span><small>${escapeHtml(small)}</small></div>`,
  );
  return `<div class="cards">${shown.join('\n')}</div>`;
}

const formatWarnings = (warnings: readonly string[]): string =>
  warnings.length === 0
    ? ''
    : `<section><h2>What should be done</h2>${warnings.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</section>`;

const SIZES: [string, number, number][] = [
  ...[1, 2, 3, 4, 5].map((size): [string, number, number] => [String(size), size, size]),
  ['6–9', 6, 9],
  ['10 +', 10, 19],
  ['20 +', 20, 49],
  ['50 +', 50, Infinity],
];

function binned(counts: Map<number, number>, bins: typeof SIZES): ChartBar[] {
  const within = (low: number, high: number) =>
    Array.from(counts).reduce((sum, [size, count]) => sum + (size >= low && size <= high ? count : 0), 0);
  return bins.map(([label, low, high]) => ({ label, count: within(low, high) }));
}

function identitiesSection({ sizes, years }: GraphSurvey): string {
  return `<section><h2>Identities</h2>
<div class="charts">
${figure(drawBarChart(binned(sizes, SIZES), { title: 'Identities by how many records they have', x: 'records', y: 'identities' }), '<b>How many records a person has.</b> Heights go by the square root, so that rare sizes are seen. Very large ones deserve a look: bonafide graph show.')}
${figure(drawBarChart(yearBars(years), { title: 'Records by the year in which they were seen last', x: 'seen last', y: 'records' }), '<b>How fresh the records are.</b> By <code>last_seen</code>, else <code>first_seen</code>; ? is for records without a date, which say nothing about how long somebody has been known.')}
</div></section>`;
}

const MAX_YEARS = 12;

function yearBars(years: Map<number | null, number>): ChartBar[] {
  const dated = [...years.keys()].filter((year) => year !== null).sort((a, b) => a - b);
  const last = dated.at(-1) ?? 0;
  const first = Math.max(dated[0] ?? last, last - MAX_YEARS + 1);
  const before = dated.filter((year) => year < first).reduce((sum, year) => sum + (years.get(year) ?? 0), 0);
  const each = dated.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return [
    ...(before > 0 ? [{ label: '…', count: before }] : []),
    ...each.map((year) => ({ label: `’${String(year).slice(-2)}`, count: years.get(year) ?? 0 })),
    ...(years.has(null) ? [{ label: '?', count: years.get(null) ?? 0 }] : []),
  ];
}

function sourcesSection({ sources, combinations, stats }: GraphSurvey): string {
  if (sources.length === 0) return '';
  const rows = sources.map(
    ({ source, records, identities }) =>
      `<tr><th scope="row">${escapeHtml(source)}</th><td>${records}</td><td>${identities}</td><td>${share(identities, stats.identities)}</td></tr>`,
  );
  return `<section><h2>Sources</h2>
${figure(drawUpsetPlot(sources, combinations), '<b>Where sources meet.</b> Each column is the identities that have records of just the sources with a dot (an upset plot); to the left, how many identities each source knows. Where a source overlaps with no other, it adds people and confirms nobody.')}
<div class="scroll"><table><thead><tr><th>source</th><th>records</th><th>identities</th><th>of all</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

const SHARES: [string, number, number][] = [
  ['1', 1, 1],
  ['2', 2, 2],
  ['3', 3, 3],
  ['4–7', 4, 7],
  ['8–24', 8, 24],
  ['25 +', 25, Infinity],
];
const WORDS = { email: 'E-mails', phone: 'Phones', address: 'Addresses' } as const;

function contactsSection({ shares, having, stats }: GraphSurvey): string {
  const charts = CONTACT_KINDS.map((kind) =>
    figure(
      drawBarChart(binned(shares[kind], SHARES), {
        title: `${WORDS[kind]} by how many identities share them`,
        x: 'identities that share one',
        y: 'values',
      }),
      `<b>${WORDS[kind]}.</b> ${share(having[kind], stats.identities)} of the identities have one. A value of one person says most; one of 25 and more (a switchboard, a tower block) says hardly anything.`,
    ),
  );
  return `<section><h2>Shared values</h2><div class="charts">${charts.join('\n')}</div></section>`;
}

function linkingSection({ errorRates, stats }: GraphSurvey): string {
  const { name, birth, address } = errorRates;
  const rows: [string, string][] = [
    [
      'names of one person that differ',
      name ? formatPercent(name.rate) : 'too few to tell: every disagreement counts in full',
    ],
    [
      'birth dates of one person that differ',
      birth ? formatPercent(birth.rate) : 'too few to tell: every disagreement counts in full',
    ],
    [
      'records at one address that are one person’s',
      address === null ? 'not measured' : formatPercent(address),
    ],
    [
      'settled',
      stats.settled ? 'yes: linking all records anew gives the same' : 'no: run bonafide graph link',
    ],
  ];
  return `<section><h2>What linking measured</h2>
<p>How careful the records are decides how far a disagreement speaks against one person.</p>
<div class="scroll"><table><tbody>${rows.map(([what, value]) => `<tr><th scope="row">${what}</th><td>${value}</td></tr>`).join('')}</tbody></table></div></section>`;
}

const share = (part: number, of: number): string => formatPercent(of === 0 ? null : part / of);
const figure = (picture: string, caption: string) =>
  `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;
