import type { Looks } from '../../../admin/graph/looks.ts';

/** A graph as a whole, for programs. */
export function surveyView({
  stats,
  sizes,
  years,
  sources,
  combinations,
  having,
  shares,
  errorRates,
}: Looks['survey']) {
  const { name, birth, address } = errorRates;
  return {
    identities: stats.identities,
    sizes: counted(sizes),
    years: Array.from(years, ([year, records]) => ({ year, records })).toSorted(
      (a, b) => (a.year ?? Infinity) - (b.year ?? Infinity),
    ),
    sources,
    combinations: combinations.slice(0, MOST_COMBINATIONS).map(({ sources: of, identities }) => ({
      sources: of.map((place) => sources[place]?.source ?? ''),
      identities,
    })),
    having,
    shares: { email: counted(shares.email), phone: counted(shares.phone), address: counted(shares.address) },
    error_rates: { name: name?.rate ?? null, birth_date: birth?.rate ?? null, one_address: address },
  };
}

const MOST_COMBINATIONS = 100;

const counted = (counts: Map<number, number>) =>
  Array.from(counts, ([of, count]) => ({ of, count })).toSorted((a, b) => a.of - b.of);
