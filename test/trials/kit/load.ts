// Clients that send checks all the time, and record the acknowledged ones.
import { setTimeout as pause } from 'node:timers/promises';
import { fault } from '../trial.ts';
import type { Tally } from '../trial.ts';
import { ask, openLines } from './ask.ts';
import type { Told } from './ask.ts';
import { comparable } from './ask.ts';
import type { Base } from './people.ts';

/** Answers that clients received. */
export interface Ledger {
  /** Request ids of answers with 200, with their time (milliseconds of `performance.now`). */
  acknowledged: Map<string, number>;
  statuses: Map<number, number>;
  /** Answers with 200 that an undamaged server would not give. */
  wrong: string[];
  /** Calls without an answer. */
  cut: number;
  /** Longest wait for an answer, in milliseconds. */
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
  /** Calls per second over all connections; unlimited if it is undefined. */
  perSecond?: number | undefined;
}

export interface Load {
  stop(): Promise<void>;
}

const AFTER_A_CUT_MS = 20;

/** Starts the load. A server that is down is asked again until the load is stopped. */
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
  /** Allowed statuses other than 200. */
  allowed: number[];
  /** True if the servers run all the time, so that every call gets an answer. */
  alive?: boolean;
  repeat: string;
}

/** Adds each status that is not allowed to the faults, and each wrong answer to the tally. */
export function judge(tally: Tally, ledger: Ledger, { allowed, alive = false, repeat }: Judged): void {
  tally.wrong += ledger.wrong.length;
  if (alive && ledger.cut > 0) fault(tally, { seen: 'calls without an answer', repeat });
  for (const [status, times] of ledger.statuses)
    if (status !== 200 && !allowed.includes(status))
      for (let i = 0; i < times; i++) fault(tally, { seen: `answered ${status}`, repeat });
}
