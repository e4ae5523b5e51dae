// Callers of a cluster: each check carries an Idempotency-Key, and is sent again, to the next part, until it is answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, openLines } from '../kit/ask.ts';
import type { Asked, Told } from '../kit/ask.ts';
import { comparable } from '../kit/ask.ts';

/** What callers were told. */
export interface Heard {
  /** Ids that checks were answered under, with 200. */
  ids: Set<string>;
  /** Checks that were begun, and those of them that no try got an answer to. */
  checks: number;
  unanswered: number;
  /** Answers that are not those of a quiet run. */
  wrong: number;
  /** Tries that got no answer, and answers that an earlier try had been counted for. */
  cut: number;
  replayed: number;
  /** Answers beside 200 by their status, and what of them must not be. */
  refused: Map<number, number>;
  amiss: Map<string, number>;
  /** Milliseconds of first tries while all was healthy: of the servers, and of the one in front. */
  direct: number[];
  front: number[];
  /** The longest that a check took with all its tries, milliseconds. */
  longestMs: number;
}

export interface CallersOptions {
  /** The last one is that of the server in front. */
  ports: number[];
  callers: number;
  perSecond: number;
  questions: { asked: Asked; answer: string }[];
  /** Counts up at each kill and each recovery; odd while all is healthy. */
  epoch(): number;
}

const GIVES_UP_MS = 120_000;
const AGAIN_MS = 100;
/** What a part may answer while another one is away, and while it works on the same check still. */
const ALLOWED = new Set([409, 503, 504]);

/** Starts asking; what `stop` resolves to is whole: every check has ended by then. */
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
