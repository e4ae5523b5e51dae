// What several threads count, as one.
import type { ServerState } from './server.ts';
import type { Distribution, Family, Sample } from './text.ts';

/** Families of the same name as one, samples of the same labels added. */
export function sumFamilies(all: Family[][]): Family[] {
  const sums = new Map<string, Family>();
  for (const family of all.flat()) {
    const samples = [...(sums.get(family.name)?.samples ?? []), ...family.samples];
    sums.set(family.name, { ...family, samples: sumSamples(samples) });
  }
  return [...sums.values()];
}

function sumSamples(samples: Sample[]): Sample[] {
  const alike = Map.groupBy(samples, ({ labels = {} }) => JSON.stringify(labels));
  return Array.from(alike.values(), (same) => same.reduce(addSample));
}

const addSample = (one: Sample, other: Sample): Sample => ({ ...one, value: add(one.value, other.value) });

function add(one: Sample['value'], other: Sample['value']): Sample['value'] {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  return addDistribution(one, other);
}

const addDistribution = (one: Distribution, other: Distribution): Distribution => ({
  bounds: one.bounds,
  counts: Array.from(one.counts, (count, i) => count + (other.counts[i] ?? 0)),
  beyond: one.beyond + other.beyond,
  sum: one.sum + other.sum,
});

/** What threads are together: well where each is. */
export const sumStates = (states: ServerState[]): ServerState => states.reduce(addState, NOTHING);

/** Of a server without a thread. */
const NOTHING: ServerState = {
  ready: true,
  parts: {},
  workers: 0,
  replaced: 0,
  inFlight: 0,
  waiting: 0,
  logLinesLost: 0,
  spansLost: 0,
};

const addState = (one: ServerState, other: ServerState): ServerState => ({
  ready: one.ready && other.ready,
  parts: { ...one.parts, ...other.parts, ...unwell(one.parts) },
  ...(one.graphs || other.graphs
    ? { graphs: { ...one.graphs, ...other.graphs, ...unwell(one.graphs ?? {}) } }
    : {}),
  workers: one.workers + other.workers,
  replaced: one.replaced + other.replaced,
  inFlight: one.inFlight + other.inFlight,
  waiting: one.waiting + other.waiting,
  logLinesLost: one.logLinesLost + other.logLinesLost,
  spansLost: one.spansLost + other.spansLost,
});

const unwell = <T extends string | number>(parts: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).filter(([, state]) => state !== 'ok'));

/** What stays of a thread that has ended: what it counted since its start, and nothing of how it was. */
export const sumLeft = ({ spansLost }: ServerState): ServerState => ({ ...NOTHING, spansLost });
