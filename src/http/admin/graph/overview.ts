// The graph as a whole.
import * as v from 'valibot';
import type { TimedReport } from '../../../admin/graph/report-worker.ts';
import type { GraphReports } from '../../../admin/graph/reports.ts';
import { isoTime, toWire } from '../../../admin/wire.ts';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import {
  boolean,
  list,
  namedObject,
  number,
  object,
  nullable,
  string,
  strings,
  timestamp,
  integer,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

const counted = timestamp('When it was counted: what takes long is told again for a minute.');

export const graphStatsSchema = namedObject(
  'Graph',
  {
    records: integer('Records.'),
    identities: integer('Identities made of them.'),
    merged: integer('Numbers of identities that lead to others now.'),
    postings: integer('Keys by which identities are found.'),
    unlinked: integer('Records that were imported and are not linked yet.'),
    linked_at: nullable(timestamp(''), 'When they were linked last; null for never.'),
    settled: boolean('The identities are those that linking all records anew would give.'),
    warnings: strings('What makes checks weaker than they could be, and what to do.'),
    counted,
  },
  'What the identity graph holds.',
);

const source = object(
  {
    source: string('Its name, as the records say it.'),
    records: integer('Records of it.'),
    imported: nullable(timestamp(''), 'When records of it were imported last; null where that is not known.'),
    first_seen: nullable(timestamp(''), 'The earliest date among them; null where none carries one.'),
    last_seen: nullable(timestamp(''), 'The latest.'),
  },
  'One source.',
);

export const sourceListSchema = namedObject(
  'Sources',
  { items: list(source, 'The largest first.'), counted },
  'Where the graph’s records come from.',
);

const identities = integer('Identities.');

const counts = (of: string, about: string) =>
  list(object({ of: integer(of, 1), count: integer('How many there are.') }, 'A count.'), about);

const rate = (about: string) => nullable(number('From 0 to 1.'), `${about} Null where too few tell.`);

export const graphSurveySchema = namedObject(
  'GraphSurvey',
  {
    identities,
    sizes: counts('So many records.', 'Identities by how many records they have.'),
    years: list(
      object(
        {
          year: nullable(v.pipe(v.number(), v.integer()), 'Null for no date.'),
          records: integer('Records.'),
        },
        'A year.',
      ),
      'Records by the year in which they were seen last.',
    ),
    sources: list(
      object({ source: string('Its name.'), records: integer('Records.'), identities }, 'A source.'),
      'The largest first.',
    ),
    combinations: list(
      object({ sources: strings('All that they have records of.'), identities }, 'Where sources meet.'),
      'The commonest first, 100 at most.',
    ),
    having: object(
      {
        name: integer('A name.'),
        birth_date: integer('A birth date.'),
        email: integer('An e-mail.'),
        phone: integer('A phone.'),
        address: integer('An address.'),
      },
      'Identities that have one.',
    ),
    shares: object(
      {
        email: counts('So many identities.', 'E-mails by how many share them.'),
        phone: counts('So many identities.', 'Phones.'),
        address: counts('So many identities.', 'Addresses.'),
      },
      'Values by how many identities share them.',
    ),
    error_rates: object(
      {
        name: rate('Names of one person that differ.'),
        birth_date: rate('Birth dates of one person that differ.'),
        one_address: rate('Pairs of records at one address that are one person’s.'),
      },
      'What linking measured.',
    ),
    counted,
  },
  'A graph as a whole.',
);

export const GRAPH_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET graph', 'showGraph', {
    summary: 'What the graph holds',
    about: 'Counts, and what should be done. `bonafide graph stats`.',
    answers: graphStatsSchema,
    errors: GRAPH_ERRORS,
    handle: async (_, service) => statsView(await service.report('stats')),
  }),
  adminRoute('GET graph/sources', 'listSources', {
    summary: 'Where records come from',
    about: 'Records by source. Every record is read for it. `bonafide graph sources`.',
    answers: sourceListSchema,
    errors: GRAPH_ERRORS,
    handle: async (_, service) => {
      const { found, at } = await service.report('sources');
      const items = found.map((source) => toWire(source, 'imported', 'firstSeen', 'lastSeen'));
      return { items, counted: isoTime(at) };
    },
  }),
  adminRoute('GET graph/survey', 'surveyGraph', {
    summary: 'The whole graph in counts',
    about:
      'How large identities are, how fresh the records, where sources meet, which values are shared, what linking measured. Every record is read for it. `bonafide graph stats --html`.',
    answers: graphSurveySchema,
    errors: GRAPH_ERRORS,
    handle: async (_, service) => {
      const { found, at } = await service.report('survey');
      return { ...surveyView(found), counted: isoTime(at) };
    },
  }),
];

/** Answer for the counts of a graph. */
export const statsView = ({ found, at }: TimedReport<'stats'>) => ({
  ...toWire(found),
  counted: isoTime(at),
});

/** A graph as a whole, for programs. */
function surveyView({
  stats,
  sizes,
  years,
  sources,
  combinations,
  having,
  shares,
  errorRates,
}: GraphReports['survey']) {
  const { name, birth, address } = errorRates;
  return {
    identities: stats.identities,
    sizes: countsOf(sizes),
    years: Array.from(years, ([year, records]) => ({ year, records })).toSorted(
      (a, b) => (a.year ?? Infinity) - (b.year ?? Infinity),
    ),
    sources,
    combinations: combinations.slice(0, MOST_COMBINATIONS).map(({ sources: of, identities }) => ({
      sources: of.map((place) => sources[place]?.source ?? ''),
      identities,
    })),
    having,
    shares: {
      email: countsOf(shares.email),
      phone: countsOf(shares.phone),
      address: countsOf(shares.address),
    },
    error_rates: { name: name?.rate ?? null, birth_date: birth?.rate ?? null, one_address: address },
  };
}

const MOST_COMBINATIONS = 100;

const countsOf = (counts: Map<number, number>) =>
  Array.from(counts, ([of, count]) => ({ of, count })).toSorted((a, b) => a.of - b.of);
