import { hash } from 'node:crypto';
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import {
  GRAPH_PLUGIN_ANSWER_SCHEMA,
  type GraphQuestion,
  type GraphQuestionValue,
} from '../../features/plugin/graph.ts';
import type { GraphAnswer, GraphQuery, QueryContactValue } from '../../graph/graph.ts';
import {
  parseGraphAnswer,
  isWellFormedTextWithLetter,
  describeTooLongNames,
} from '../../graph/wire/answer.ts';
import { toApiAddress } from '../../graph/wire/question.ts';
import { getNameKeys, prepareName } from '../../names/index.ts';

export interface PluginQuestionWithIndexes {
  question: GraphQuestion;
  /** Index in the graph query of each value in the plugin's question. */
  valueIndexes: number[];
}

/** Converts a graph query to a question for a graph plugin: the values that can be looked up, each in one normalised form. */
export function toGraphPluginQuestion({ name, values }: GraphQuery): PluginQuestionWithIndexes {
  const sentValues = values.flatMap((value, place) => {
    const graphValue = toGraphValue(value);
    return graphValue ? [{ one: graphValue, place }] : [];
  });
  return {
    question: { name, values: sentValues.map(({ one }) => one) },
    valueIndexes: sentValues.map(({ place }) => place),
  };
}

function toGraphValue({ keys: [exact], raw: said }: QueryContactValue): GraphQuestionValue | null {
  if (!exact || !said) return null;
  if (said.kind !== 'address') return { kind: said.kind === 'email' ? 'email' : 'phone', text: exact.text };
  return { kind: 'address', ...toApiAddress(said.input) };
}

type Finding = v.InferOutput<typeof GRAPH_PLUGIN_ANSWER_SCHEMA>;

/** Converts the finding of a graph plugin to a graph answer. Errors: graph_bad_response if the finding is malformed or contradicts itself. */
export function parseGraphPluginAnswer(
  { question, valueIndexes: places }: PluginQuestionWithIndexes,
  finding: unknown,
  { query, now }: { query: GraphQuery; now: number },
): GraphAnswer {
  const read = v.safeParse(GRAPH_PLUGIN_ANSWER_SCHEMA, finding);
  if (!read.success) throw badResponseError('it does not match the schema');
  const { total, people, newest, payload } = read.output;
  if (people.some(({ has }) => has.some(({ value }) => value >= question.values.length)))
    throw badResponseError('it has values that the question does not have');
  const problem = describeTooLongNames(people);
  if (problem) throw badResponseError(problem);
  const numbered = people.map((one) => ({ ...one, number: toIdentityNumber(one.id) }));
  const values = question.values.map(({ kind }, value) =>
    listHolders(numbered, value).map((hit) => ({ type: kind, ...hit })),
  );
  const sent = {
    total,
    newest: parseTime(newest),
    values,
    name: findNameHolders(query, numbered),
    identities: numbered.map(toWireIdentity),
  };
  const answer = parseGraphAnswer(sent, { valueIndexes: places, values: query.values, now });
  return { ...answer, ...(payload === undefined ? {} : { payload }) };
}

type NumberedPerson = Finding['people'][number] & { number: number };

function listHolders(people: NumberedPerson[], value: number) {
  const holders = people.flatMap((one) => {
    const held = one.has.find((has) => has.value === value);
    return held ? [{ ...one, held }] : [];
  });
  return holders
    .map(
      ({ number, firstSeen, lastSeen, held: { primary, share = holders.length, lastSeen: seenWith } }) => ({
        identity: number,
        primary,
        share: Math.max(share, holders.length),
        firstSeen: parseTime(firstSeen),
        lastSeen: parseTime(lastSeen),
        ...(seenWith ? { contactLastSeen: parseTime(seenWith) } : {}),
      }),
    )
    .toSorted((a, b) => a.identity - b.identity);
}

/** Finds the identities that may have the submitted name, by their name keys. */
function findNameHolders({ nameKeys: queriedKeys }: GraphQuery, people: NumberedPerson[]) {
  const knownPeople = people.map(({ number, names }) => ({
    number,
    keys: names.filter(isWellFormedTextWithLetter).map((name) => getNameKeys(prepareName(name))),
  }));
  const bearers = knownPeople.filter(({ keys }) =>
    keys.some(([exact]) => exact !== undefined && exact === queriedKeys[0]),
  );
  const named = knownPeople.filter(({ keys }) => keys.flat().some((key) => queriedKeys.includes(key)));
  const numbers = named.map(({ number }) => number).toSorted((a, b) => a - b);
  return { identities: numbers, bearers: bearers.length, given: [] };
}

const toWireIdentity = ({ number, names, firstSeen, lastSeen, records, sources }: NumberedPerson) => ({
  id: number,
  names,
  firstSeen: parseTime(firstSeen),
  lastSeen: parseTime(lastSeen),
  records,
  sources,
});

/** Converts a person id to a number. A text becomes 52 bits of its hash, so that collisions are very unlikely. */
function toIdentityNumber(id: string | number): number {
  return typeof id === 'number' ? id : Number.parseInt(hash('sha256', id).slice(0, 13), 16) || 1;
}

const parseTime = (text: string | null | undefined) => (text ? Date.parse(text) : null);

const badResponseError = (problem: string) =>
  new BonafideError(
    'graph_bad_response',
    `The answer of the graph plugin is invalid: ${problem}. Correct the plugin, and test it: bonafide plugins check FILE`,
  );
