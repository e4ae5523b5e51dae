// Counts contradictions in many random answers, by rule, with an example of each.
import * as fc from 'fast-check';
import { disagreementsOf } from '../agreement.ts';
import type { Answer, Body } from '../answer.ts';
import type { Service } from './ask.ts';
import { answersTo, knowledgeOf, legacyOf } from './ask.ts';
import { contradictionsOf } from '../contradictions.ts';
import type { Knowledge } from '../story.ts';
import { arbitraries } from './requests.ts';
import type { World } from './world.ts';

export interface Tally {
  requests: number;
  /** Number of answers that were read. */
  answers: number;
  /** Number of answers with a contradiction, or requests whose answers disagree. */
  wrong: number;
  rules: Map<string, { count: number; example: string; request: Body }>;
}

export interface CountOptions {
  service: Service;
  world: World;
  /** Number of enhanced answers to read. */
  requests: number;
  seed?: number;
  /** Every so many requests, all answers to one request are compared. */
  familyEvery?: number;
  onProgress?: (done: number) => void;
}

const BATCH = 500;
/** Calls in parallel share a commit of the call log. */
const AT_ONCE = 25;

export async function countContradictions(options: CountOptions): Promise<Tally> {
  const { service, world, requests, seed = 1, familyEvery = 10, onProgress } = options;
  const tally: Tally = { requests: 0, answers: 0, wrong: 0, rules: new Map() };
  const { body } = arbitraries(world);
  const knowledge = await knowledgeOf(service, world);
  for (let from = 0; from < requests; from += BATCH) {
    const bodies = fc.sample(body, { numRuns: Math.min(BATCH, requests - from), seed: seed + from });
    for (let at = 0; at < bodies.length; at += AT_ONCE)
      await Promise.all(
        bodies
          .slice(at, at + AT_ONCE)
          .map((request, i) => tried({ service, tally, request, knowledge }, at + i, familyEvery)),
      );
    onProgress?.(Math.min(requests, from + BATCH));
  }
  return tally;
}

interface One {
  service: Service;
  tally: Tally;
  request: Body;
  knowledge: Knowledge;
}

/** Reads the answers to one request. A valid request that is rejected counts as a contradiction. */
async function tried(of: One, i: number, familyEvery: number): Promise<void> {
  try {
    await one(of, i, familyEvery);
  } catch (error) {
    note(of.tally, of.request, [`answered: ${error instanceof Error ? error.message : 'no error'}`]);
  }
}

async function one(
  { service, tally, request, knowledge }: One,
  i: number,
  familyEvery: number,
): Promise<void> {
  const read = (body: Body, answer: Answer) => note(tally, body, contradictionsOf(body, answer, knowledge));
  const legacy = i % 5 === 4;
  const answer = await service.ask('/v1/validate/enhanced', legacy ? legacyOf(request) : request);
  read(legacy ? currentOf(request) : request, answer);
  tally.requests++;
  if (i % familyEvery > 0) return;
  const answers = await answersTo(service, request);
  note(tally, request, disagreementsOf(answers));
  for (const told of answers.intents ?? [])
    read({ ...request, intent: told.ai_insights?.trust_enhancement?.intent ?? '' }, told);
  if (answers.raw) read(request, answers.raw);
}

/** Returns what the legacy shape makes of a request: it has one line for street and second line. */
function currentOf(request: Body): Body {
  return {
    ...request,
    addresses: (request.addresses ?? []).map(({ street, street2, ...rest }) => ({
      ...rest,
      street: [street, street2].filter(Boolean).join(' '),
    })),
  };
}

function note(tally: Tally, request: Body, found: string[]): void {
  tally.answers++;
  if (found.length > 0) tally.wrong++;
  const names = new Map(found.map((line) => [line.split(':', 1)[0] ?? '', line]));
  for (const [rule, line] of names) {
    const known = tally.rules.get(rule) ?? { count: 0, example: line, request };
    tally.rules.set(rule, { ...known, count: known.count + 1 });
  }
}

/** Returns a table of the broken rules, the most frequent first. */
export function tableOf({ requests, answers, wrong, rules }: Tally, { examples = true } = {}): string {
  const rows = [...rules].toSorted(([, a], [, b]) => b.count - a.count);
  const head = `${requests} requests, ${answers} answers read, ${wrong} with a contradiction (${rules.size} rules broken)`;
  const lines = rows.map(([rule, { count, example }]) => {
    const told = examples ? `  ${example.slice(rule.length + 2, rule.length + 140)}` : '';
    return `${String(count).padStart(8)}  ${rule.padEnd(40)}${told}`;
  });
  return [head, ...lines].join('\n');
}
