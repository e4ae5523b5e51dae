// Contract test of a graph plugin: its form, valid and repeatable results, and its reaction to an abort.
import * as v from 'valibot';
import { GRAPH_PLUGIN_ANSWER_SCHEMA, type AnyGraph, type GraphPerson, type GraphQuestion } from '../graph.ts';
import { describeInvalidPluginProperty } from '../member-rules.ts';
import { listSchemaIssueSentences } from '../issues.ts';
import { createSecretReader } from '../../model.ts';
import {
  callWithTimeout,
  doesPromiseSettle,
  CallTimeoutError,
  deepFreeze,
  listOptionProblems,
} from './helpers.ts';

/** Options, environment and limits of one contract test of a graph plugin. */
export interface GraphCase {
  options?: unknown;
  /** Environment variables that the plugin's `secret({ env })` reads. */
  env?: Readonly<Record<string, string | undefined>>;
  /** False if the test cannot reach the service. Then only the plugin's members and its reaction to an abort are tested. */
  answers?: boolean;
  /** Additional query, besides the one about an invented person. */
  question?: GraphQuestion;
  /** Maximum duration of one call in milliseconds. Default: 10 s. */
  withinMs?: number;
}

const NOBODY: GraphQuestion = { name: '', values: [] };
const MADE_UP: GraphQuestion = {
  name: 'Zebulon Markworth',
  values: [
    { kind: 'email', text: 'zebulon.markworth@example.com' },
    { kind: 'phone', text: '+15550100199' },
    {
      kind: 'address',
      line1: '1 Nowhere Lane',
      line2: '',
      city: 'Springfield',
      region: 'IL',
      postalCode: '62701',
      countryCode: 'US',
    },
  ],
};

type Ask = (question: GraphQuestion, signal?: AbortSignal) => Promise<unknown>;

async function findingProblems(ask: Ask, question: GraphQuestion): Promise<string[]> {
  const first = await ask(question);
  const finding = v.safeParse(GRAPH_PLUGIN_ANSWER_SCHEMA, first);
  if (!finding.success)
    return listSchemaIssueSentences(GRAPH_PLUGIN_ANSWER_SCHEMA, finding.issues).map(
      (problem) => `finding: ${problem}`,
    );
  const { people, total } = finding.output;
  const ids = people.map(({ id }) => id);
  const places = people.flatMap(({ has }) => has.map(({ value }) => value));
  const rules: [boolean, string][] = [
    [new Set(ids).size === ids.length, 'names a person twice'],
    [
      places.every((place) => place < question.values.length),
      'people[].has names a value that was not queried',
    ],
    [people.length <= total, 'total is smaller than the number of people'],
    [people.every(isInOrder), 'tells a first date after the last one: both would be left out'],
    [
      JSON.stringify(await ask(question)) === JSON.stringify(first),
      'the same question gives a different answer',
    ],
  ];
  return rules.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

function isInOrder({ firstSeen, lastSeen }: Pick<GraphPerson, 'firstSeen' | 'lastSeen'>): boolean {
  return !firstSeen || !lastSeen || Date.parse(firstSeen) <= Date.parse(lastSeen);
}

async function signalProblems(ask: Ask): Promise<string[]> {
  if (!(await doesPromiseSettle(ask(MADE_UP, AbortSignal.abort()))))
    return ['lookUp does not settle when its signal is aborted already'];
  const later = new AbortController();
  const running = ask(MADE_UP, later.signal);
  setTimeout(() => later.abort(), 5);
  return (await doesPromiseSettle(running))
    ? []
    : ['lookUp does not settle when its signal is aborted on the way'];
}

/**
 * Tests a graph with a query for an invented person, an empty query, the query of the case, and an aborted
 * signal.
 *
 * @returns violations of the plugin contract, one sentence each; empty if there are none
 */
export async function graphProblems(
  graph: AnyGraph,
  { options: given = {}, env = {}, answers = true, question, withinMs }: GraphCase = {},
): Promise<string[]> {
  const form = describeInvalidPluginProperty(graph);
  if (form) return [form];
  const parsed = graph.options ? v.safeParse(graph.options, given) : { success: true, output: given };
  if (!parsed.success) return listOptionProblems(graph.options, given);
  const options = parsed.output as never;
  const secret = createSecretReader(env);
  try {
    const state = (await callWithTimeout('open', () => graph.open?.({ options, secret }), withinMs)) as never;
    const ask: Ask = async (asked, signal = new AbortController().signal) =>
      graph.lookUp(deepFreeze(structuredClone(asked)), { options, state, secret, signal });
    const questions = {
      nobody: NOBODY,
      'a made-up person': MADE_UP,
      ...(question && { 'the question given': question }),
    };
    const problems: string[] = [];
    for (const [about, one] of answers ? Object.entries(questions) : []) {
      const inItsTime: Ask = (it) => callWithTimeout(`lookUp of ${about}`, () => ask(it), withinMs);
      problems.push(...(await findingProblems(inItsTime, one)));
    }
    problems.push(...(await signalProblems(ask)));
    await callWithTimeout('close', () => graph.close?.(state), withinMs);
    return [...new Set(problems)];
  } catch (error) {
    if (error instanceof CallTimeoutError) return [error.message];
    return [
      `throws ${error instanceof Error ? `${error.name}: ${error.message}` : 'something that is no Error'}`,
    ];
  }
}
