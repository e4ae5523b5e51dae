// Clients that ask all the time and keep what was acknowledged.
import { setTimeout as pause } from 'node:timers/promises';
import { fault } from '../trial.ts';
import type { Tally } from '../trial.ts';
import { ask, openLines } from './ask.ts';
import type { Told } from './ask.ts';
import { comparable } from './ask.ts';
import type { Base } from './people.ts';

/** What clients were told. */
export interface Ledger {
  /** Ids of calls that were answered with 200, each with when its answer was there (milliseconds of `performance.now`). */
  acknowledged: Map<string, number>;
  statuses: Map<number, number>;
  /** Answers of 200 that an undamaged server would not give. */
  wrong: string[];
  /** Calls that got no answer at all. */
  cut: number;
  /** The longest that an answer was waited for, milliseconds. */
  slowestMs: number;
}

export const emptyLedger = (): Ledger => ({
  acknowledged: new Map(),
  statuses: new Map(),
  wrong: [],
  cut: 0,
  slowestMs: 0,
});

export interface LoadOptions {
  /** Ports of the servers, asked in turn. */
  ports: number[];
  connections: number;
  base: Base;
  ledger: Ledger;
  /** Calls a second of all connections together; as many as can be where it is missing. */
  perSecond?: number | undefined;
}

export interface Load {
  stop(): Promise<void>;
}

const AFTER_A_CUT_MS = 20;

/** Starts asking; a server that is away is asked again until the load is stopped. */
export function startLoad({ ports, connections, base, ledger, perSecond }: LoadOptions): Load {
  const stopping = new AbortController();
  let next = 0;
  const agent = openLines(connections);
  const begun = performance.now();
  const client = async () => {
    while (!stopping.signal.aborted) {
      const number = next++;
      const early = perSecond ? begun + (number * 1000) / perSecond - performance.now() : 0;
      if (early > 0) await pause(early);
      const one = base.questions[number % base.questions.length];
      if (stopping.signal.aborted || !one) return;
      const sent = performance.now();
      const told = await ask(ports[number % ports.length] ?? 0, one.asked, agent).catch(() => null);
      if (told) note(ledger, told, { answer: one.answer, took: performance.now() - sent });
      else {
        ledger.cut++;
        await pause(AFTER_A_CUT_MS);
      }
    }
  };
  const clients = Array.from({ length: connections }, client);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

export function note(
  ledger: Ledger,
  { status, id, text }: Told,
  expected: { answer: string; took: number },
): void {
  ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
  ledger.slowestMs = Math.max(ledger.slowestMs, expected.took);
  if (status !== 200) return;
  ledger.acknowledged.set(id, performance.now());
  if (comparable(text) !== expected.answer) ledger.wrong.push(text);
}

export interface Judged {
  /** Statuses beside 200. */
  allowed: number[];
  /** Whether the servers were up all the time, so that every call gets an answer. */
  alive?: boolean;
  repeat: string;
}

/** Answers of a load that must not be: a status that is not allowed becomes a fault. */
export function judge(tally: Tally, ledger: Ledger, { allowed, alive = false, repeat }: Judged): void {
  tally.wrong += ledger.wrong.length;
  if (alive && ledger.cut > 0) fault(tally, { seen: 'calls without an answer', repeat });
  for (const [status, times] of ledger.statuses)
    if (status !== 200 && !allowed.includes(status))
      for (let i = 0; i < times; i++) fault(tally, { seen: `answered ${status}`, repeat });
}
