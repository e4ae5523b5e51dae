import * as v from 'valibot';
import type { FinishedGraphReport } from '../../../admin/graph/report-worker.ts';
import { toIsoTime, toSnakeCaseJson } from '../../../admin/wire.ts';
import { GRAPH_ERROR_CODES, type Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';

const counted = s.timestamp('When it was counted. A slow report is kept for a minute.');

export const graphStatsSchema = s.openApiObject('Graph', 'Counts of the identity graph.', {
  records: s.integer('Number of records.'),
  identities: s.integer('Number of identities made of them.'),
  merged: s.integer('Identity numbers that lead to another identity now.'),
  postings: s.integer('Keys by which identities are found.'),
  unlinked: s.integer('Records that were imported and are not linked yet.'),
  linked_at: s.nullableTimestamp('When records were last linked; null for never.'),
  settled: s.boolean('True if linking all records again would give the same identities.'),
  warnings: s.stringList('What makes checks weaker than they could be, and what to do.'),
  counted,
});

const source = s.object('One source.', {
  source: s.string('Name of the source.'),
  records: s.integer('Number of its records.'),
  imported: s.nullableTimestamp('When its records were last imported; null if unknown.'),
  first_seen: s.nullableTimestamp('Earliest date of its records; null if none has a date.'),
  last_seen: s.nullableTimestamp('Latest date of its records.'),
});
export const sourceListSchema = s.openApiObject('Sources', 'Sources of the records in the graph.', {
  items: s.list(source, 'Largest first.'),
  counted,
});

const identities = s.integer('Number of identities.');
const counts = (of: string, about: string) =>
  s.list(s.object('A count.', { of: s.integer(of, 1), count: s.integer('How many there are.') }), about);
const sharesOf = (about: string) => counts('Number of identities that share a value.', about);
const rate = (about: string) =>
  s.nullable(s.number('From 0 to 1.'), `${about} Null if there are too few pairs.`);
export const graphSurveySchema = s.openApiObject('GraphSurvey', 'The whole graph in counts.', {
  identities,
  sizes: counts('Records per identity.', 'Identities by their number of records.'),
  years: s.list(
    s.object('A year.', {
      year: s.nullable(v.pipe(v.number(), v.integer()), 'Null for records without a date.'),
      records: s.integer('Number of records.'),
    }),
    'Records by the year in which they were last seen.',
  ),
  sources: s.list(
    s.object('A source.', {
      source: s.string('Its name.'),
      records: s.integer('Number of its records.'),
      identities,
    }),
    'Largest first.',
  ),
  combinations: s.list(
    s.object('A combination of sources.', {
      sources: s.stringList('All sources that the identities have records of.'),
      identities,
    }),
    'Most common first, at most 100.',
  ),
  having: s.object('Identities by what they have.', {
    name: s.integer('With a name.'),
    birth_date: s.integer('With a birth date.'),
    email: s.integer('With an e-mail.'),
    phone: s.integer('With a phone.'),
    address: s.integer('With an address.'),
  }),
  shares: s.object('Values by how many identities share them.', {
    email: sharesOf('E-mails by how many identities share them.'),
    phone: sharesOf('Phones.'),
    address: sharesOf('Addresses.'),
  }),
  error_rates: s.object('Error rates that linking measured.', {
    name: rate('Share of names of one person that differ.'),
    birth_date: rate('Share of birth dates of one person that differ.'),
    one_address: rate('Share of record pairs at one address that belong to one person.'),
  }),
  counted,
});

export const GRAPH_REPORT_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET graph', 'showGraph', {
    summary: 'Show counts of the graph',
    about: 'Counts, and what should be done.',
    command: 'graph stats',
    answers: graphStatsSchema,
    errors: GRAPH_ERROR_CODES,
    handle: async (_, service) => toGraphStatsJson(await service.makeReport('stats')),
  }),
  declareAdminRoute('GET graph/sources', 'listSources', {
    summary: 'List sources',
    about: 'Records by source. It reads every record.',
    command: 'graph sources',
    answers: sourceListSchema,
    errors: GRAPH_ERROR_CODES,
    async handle(_, service) {
      const { found, at } = await service.makeReport('sources');
      const items = found.map((source) => toSnakeCaseJson(source, 'imported', 'firstSeen', 'lastSeen'));
      return { items, counted: toIsoTime(at) };
    },
  }),
  declareAdminRoute('GET graph/survey', 'surveyGraph', {
    summary: 'Survey the graph',
    about:
      'Sizes of identities, age of records, overlap of sources, shared values, error rates that linking measured. It reads every record.',
    command: 'graph stats --html',
    answers: graphSurveySchema,
    errors: GRAPH_ERROR_CODES,
    async handle(_, service) {
      const { found, at } = await service.makeReport('survey');
      return { ...toSurveyJson(found), counted: toIsoTime(at) };
    },
  }),
];

export const toGraphStatsJson = ({ found, at }: FinishedGraphReport<'stats'>) => ({
  ...toSnakeCaseJson(found),
  counted: toIsoTime(at),
});

const MAX_COMBINATIONS = 100;

function toSurveyJson(survey: FinishedGraphReport<'survey'>['found']) {
  const { stats, sizes, years, sources, combinations, having, shares, errorRates } = survey;
  const { name, birth, address } = errorRates;
  return {
    identities: stats.identities,
    sizes: toCounts(sizes),
    years: Array.from(years, ([year, records]) => ({ year, records })).toSorted(
      (a, b) => (a.year ?? Infinity) - (b.year ?? Infinity),
    ),
    sources,
    combinations: combinations.slice(0, MAX_COMBINATIONS).map(({ sources: indexes, identities }) => ({
      sources: indexes.map((index) => sources[index]?.source ?? ''),
      identities,
    })),
    having,
    shares: {
      email: toCounts(shares.email),
      phone: toCounts(shares.phone),
      address: toCounts(shares.address),
    },
    error_rates: { name: name?.rate ?? null, birth_date: birth?.rate ?? null, one_address: address },
  };
}

const toCounts = (counts: Map<number, number>) =>
  Array.from(counts, ([of, count]) => ({ of, count })).toSorted((a, b) => a.of - b.of);
