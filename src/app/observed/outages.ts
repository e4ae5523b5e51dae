// Store and graph that are lost, and back: a line of the log each, however many calls are refused meanwhile.
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import type { Data } from '../data/data.ts';
import type { Figures } from './figures.ts';

type Part = 'store' | 'graph';

/** By which problems calls are refused for the sake of each. */
const CODES: Record<Part, readonly string[]> = {
  store: ['store_unavailable'],
  graph: ['graph_unavailable', 'graph_timeout', 'graph_bad_response'],
};
const PARTS = Object.keys(CODES) as Part[];

type Seen = Pick<Figures, 'counted' | 'state'>;

interface Options {
  log: Pick<Log, 'error' | 'info'>;
  data: Pick<Data, 'engine' | 'graph'>;
}

const LOOK_EVERY_MS = 1000;

/** Looks every second at what a server of one thread has counted. */
export function watchOutages({ figures, ...options }: Options & { figures(): Figures }): NodeJS.Timeout {
  const tell = tellingOutages(options);
  return setInterval(() => tell(figures()), LOOK_EVERY_MS).unref();
}

/** Gives a function that is to be told all figures, every second or so. */
export function tellingOutages({ log, data }: Options): (seen: Seen) => void {
  const away = new Map<Part, { since: number; refused: number }>();
  const before = new Map<Part, number>();
  return (seen) => {
    for (const part of PARTS) {
      const refused = refusedFor(part, seen);
      const isAway = seen.state.parts[part] === 'failed';
      const outage = away.get(part);
      if (isAway && !outage) {
        // Those that found it out were refused before this looked.
        away.set(part, { since: performance.now(), refused: before.get(part) ?? 0 });
        log.error(`the ${part} is lost, and calls are refused until it is back${because(WHY[part](data))}`);
      } else if (!isAway && outage) {
        away.delete(part);
        const seconds = Math.round((performance.now() - outage.since) / 1000);
        log.info(`the ${part} is back after ${seconds} s; calls refused: ${refused - outage.refused}`);
      }
      before.set(part, refused);
    }
  };
}

/** Only our own sentences are told: another's may hold a value. */
const because = (error: unknown) => (error instanceof BonafideError ? `: ${error.message}` : '');

const WHY: Record<Part, (data: Options['data']) => unknown> = {
  store: ({ engine }) => engine.getFailure(),
  graph({ graph }) {
    try {
      return graph.ping();
    } catch (error) {
      return error;
    }
  },
};

function refusedFor(part: Part, { counted }: Seen): number {
  const problems = counted.find(({ name }) => name === 'bonafide_problems_total')?.samples ?? [];
  return problems
    .filter(({ labels }) => CODES[part].includes(labels?.code ?? ''))
    .reduce((sum, { value }) => sum + Number(value), 0);
}
