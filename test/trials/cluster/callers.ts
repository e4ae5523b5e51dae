// Callers of a cluster: each check has an Idempotency-Key, and is sent again, to the next part, until it is answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, openLines } from '../kit/ask.ts';
import type { Asked, Told } from '../kit/ask.ts';
import { comparable } from '../kit/ask.ts';

/** Answers that callers received. */
export interface Heard {
  /** Request ids of checks that were answered with 200. */
  ids: Set<string>;
  /** Number of checks that were started, and of those that no try got an answer to. */
  checks: number;
  unanswered: number;
  /** Answers that differ from those of a run without kills. */
  wrong: number;
  /** Tries without an answer, and answers that an earlier try was already counted for. */
  cut: number;
  replayed: number;
  /** Answers other than 200 by status, and the forbidden ones by description. */
  refused: Map<number, number>;
  amiss: Map<string, number>;
  /** Milliseconds of first tries while all parts were healthy: of the servers, and of the server in front. */
  direct: number[];
  front: number[];
  /** Longest time of a check with all its tries, in milliseconds. */
  longestMs: number;
}

export interface CallersOptions {
  /** Ports of the parts; the last one is that of the server in front. */
  ports: number[];
  callers: number;
  perSecond: number;
  questions: { asked: Asked; answer: string }[];
  /** Returns a number that increases at each kill and each recovery; odd while all parts are healthy. */
  epoch(): number;
}

const GIVES_UP_MS = 120_000;
const AGAIN_MS = 100;
/** Statuses that a part may answer while another part is down, or while it still works on the same check. */
const ALLOWED = new Set([409, 503, 504]);

/** Starts the callers. `stop` resolves when every check has ended. */
export function startCallers(options: CallersOptions): { stop(): Promise<Heard> } {
  const { callers, perSecond, questions } = options;
  const heard = nothingYet();
  const agent = openLines(callers);
  const begun = performance.now();
  const load = { next: 0, running: true };
  const caller = async () => {
    while (load.running) {
      const number = load.next++;
      await pause(Math.max(0, begun + (number * 1000) / perSecond - performance.now()));
      const one = questions[number % questions.length];
      if (!load.running || !one) return;
      const asked = { ...one.asked, headers: { ...one.asked.headers, 'idempotency-key': randomUUID() } };
      const sent = performance.now();
      const told = await untilAnswered(heard, {
        ...options,
        number,
        send: (port) => ask(port, asked, agent),
      });
      heard.checks++;
      heard.longestMs = Math.max(heard.longestMs, performance.now() - sent);
      if (!told) heard.unanswered++;
      else if (comparable(told.text) !== one.answer) heard.wrong++;
    }
  };
  const all = Array.from({ length: callers }, caller);
  return {
    async stop() {
      load.running = false;
      await Promise.all(all);
      agent.destroy();
      return heard;
    },
  };
}

const nothingYet = (): Heard => ({
  ids: new Set(),
  checks: 0,
  unanswered: 0,
  wrong: 0,
  cut: 0,
  replayed: 0,
  refused: new Map(),
  amiss: new Map(),
  direct: [],
  front: [],
  longestMs: 0,
});

interface Check extends Pick<CallersOptions, 'ports' | 'epoch'> {
  number: number;
  send(port: number): Promise<Told>;
}

async function untilAnswered(heard: Heard, { number, ports, epoch, send }: Check): Promise<Told | null> {
  const begun = performance.now();
  for (let tries = 0; performance.now() - begun < GIVES_UP_MS; tries++) {
    const place = (number + tries) % ports.length;
    const [at, sent] = [epoch(), performance.now()];
    const told = await send(ports[place] ?? 0).catch(() => null);
    const isHealthy = at % 2 === 1 && at === epoch();
    if (told) note(heard, told, isHealthy);
    else heard.cut++;
    if (isHealthy && tries === 0)
      heard[place === ports.length - 1 ? 'front' : 'direct'].push(performance.now() - sent);
    if (told?.status === 200) return told;
    await pause(AGAIN_MS);
  }
  return null;
}

function note(heard: Heard, told: Told, isHealthy: boolean): void {
  const { ids, refused, amiss } = heard;
  const { status, id, headers } = told;
  if (status === 200) {
    ids.add(id);
    heard.replayed += Number(headers['idempotency-replayed'] === 'true');
    return;
  }
  const seen = (what: string) => amiss.set(what, (amiss.get(what) ?? 0) + 1);
  refused.set(status, (refused.get(status) ?? 0) + 1);
  if (!ALLOWED.has(status)) seen(`answered ${status} ${codeOf(told)}`);
  if (status === 503 && headers['retry-after'] === undefined) seen('answered 503 without Retry-After');
  if (isHealthy && status !== 409) seen(`answered ${status} ${codeOf(told)} while every part was healthy`);
}

const codeOf = ({ text }: Told): string => /"code":"(\w+)"/.exec(text)?.[1] ?? '';
