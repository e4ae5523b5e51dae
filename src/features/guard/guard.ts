// Guard of model answers. Checks form, length, numbers, match claims and banned subjects before an answer is used.
import * as v from 'valibot';
import { resultOr } from '../../errors.ts';
import { listBannedContentProblems } from './banned.ts';
import { listFalseStatementProblems } from './statements.ts';
import { listSubmittedNameMisuseProblems } from './names.ts';
import type { Facts } from '../plugin/facts.ts';
import { listSchemaIssueSentences } from '../plugin/issues.ts';

/** Data with which a model's answer is compared: the facts about the check, and the `brief` that the model received. */
export interface AnswerComparisonData {
  /** Names of the fields of a model's answer that contain advice. The guard checks the numbers and the people in them, but not their statements. */
  advice: readonly string[];
  facts: Partial<Facts>;
  brief: unknown;
}
export interface AnswerGuardRequest extends AnswerComparisonData {
  answer: unknown;
  /** Schema of the feature's answer. `jsonSchema` is the same schema as JSON Schema. */
  schema: v.GenericSchema;
  jsonSchema: Record<string, unknown>;
}

/** Accepted answer of a model, or the problems for which the guard rejects it. */
export type AnswerGuardResult =
  | { ok: true; value: unknown }
  | { ok: false; code: 'model_bad_answer' | 'answer_rejected'; problems: string[] };

export const NOT_JSON_PROBLEM = 'the answer is not JSON';
const MAX_PROBLEMS = 8;

/** Describes the schema violations of an answer in sentences, to be sent to the model when it is asked again. */
export function listAnswerIssueSentences(
  schema: v.GenericSchema,
  issues: readonly v.BaseIssue<unknown>[],
): string[] {
  return listSchemaIssueSentences(schema, issues.slice(0, MAX_PROBLEMS));
}

function isAdvice(path: string, advice: readonly string[]): boolean {
  return advice.some((key) => path === key || path.startsWith(`${key}[`));
}

// Number words that the count check (claims.ts) does not parse, and digits of other scripts.
const WORDED_FIGURES =
  /\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|twice|thrice|per ?cent)\b|(?![0-9])\p{Nd}/iu;

/** Finds the numbers in a text that are not among the facts. 100, the top of the scale, is always accepted. */
function figureProblems(text: string, known: ReadonlySet<number>): string[] {
  if (WORDED_FIGURES.test(text)) return ['numbers have to be written in digits'];
  const unknown = parseNumbers(text).filter((number) => !known.has(number) && number !== 100);
  return unknown.map((number) => `the number ${number} is not among the facts`);
}

/** Parses a model's answer, and shortens its lists and texts to the limits of the schema. Undefined if the answer is not JSON. */
export function parseAndTrimAnswer(answer: unknown, jsonSchema: Record<string, unknown>): unknown {
  const json = typeof answer === 'string' ? parseEmbeddedJson(answer) : answer;
  return json === undefined ? undefined : shortenToSchemaLimits(jsonSchema, json);
}

/** Parses, shortens and checks a model's answer. Used for every model, including the deterministic `rules`. */
export function guardAnswer({ answer, schema, jsonSchema, ...known }: AnswerGuardRequest): AnswerGuardResult {
  const json = parseAndTrimAnswer(answer, jsonSchema);
  if (json === undefined) return { ok: false, code: 'model_bad_answer', problems: [NOT_JSON_PROBLEM] };
  const parsed = v.safeParse(schema, json);
  if (!parsed.success)
    return { ok: false, code: 'model_bad_answer', problems: listAnswerIssueSentences(schema, parsed.issues) };
  const problems = listUnsupportedStatementProblems(parsed.output, known);
  return problems.length > 0
    ? { ok: false, code: 'answer_rejected', problems }
    : { ok: true, value: parsed.output };
}

/**
 * Finds the statements of a parsed answer that the facts do not support. Returns one sentence per statement, and stops after about `MAX_PROBLEMS`.
 */
export function listUnsupportedStatementProblems(
  answer: unknown,
  { advice, facts, brief }: AnswerComparisonData,
): string[] {
  const { stream: _stream, ...shown } = facts;
  // The two names are user input: numbers and text inside a name prove nothing.
  const names = new Set<unknown>([facts.names?.provided, facts.names?.matched]);
  const allowedNumbers = collectNumbers(brief, names, collectNumbers(shown, names));
  // The texts of an answer may repeat a number from another member of the same answer, such as its confidence.
  for (const value of Object.values(answer as object))
    if (typeof value === 'number') allowedNumbers.add(value);
  const problems: string[] = [];
  const briefTexts = new Set(
    listNestedStringsWithPaths(brief).flatMap(({ text }) => (names.has(text) ? [] : text)),
  );
  for (const { path, text } of listNestedStringsWithPaths(answer)) {
    if (briefTexts.has(text)) continue; // The text is copied unchanged from the brief.
    const textProblems = [
      ...listBannedContentProblems(text, facts),
      ...figureProblems(text, allowedNumbers),
      ...listSubmittedNameMisuseProblems(text, facts.names),
    ];
    if (!isAdvice(path, advice)) textProblems.push(...listFalseStatementProblems(text, facts));
    for (const problem of textProblems) problems.push(`${path}: ${problem}`);
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems;
}

/** Lists every string inside a value with its path, such as `key_factors[0]`. */
export function listNestedStringsWithPaths(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value))
    return value.flatMap((item, index) => listNestedStringsWithPaths(item, `${path}[${index}]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    listNestedStringsWithPaths(item, path ? `${path}.${key}` : key),
  );
}

/** Collects every number inside a value, including numbers in its strings. Strings that are in the set `over` are skipped. */
export function collectNumbers(
  value: unknown,
  over: ReadonlySet<unknown> = new Set(),
  numbers = new Set<number>(),
): Set<number> {
  if (typeof value === 'number') numbers.add(value);
  else if (typeof value === 'string' && !over.has(value))
    for (const number of parseNumbers(value)) numbers.add(number);
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) collectNumbers(item, over, numbers);
  return numbers;
}

/** Parses the numbers that a text contains in digits; `1,000` is 1000. */
export function parseNumbers(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) => Number(digits.replaceAll(',', '')));
}

interface TrimSchema {
  type?: string;
  properties?: Record<string, TrimSchema>;
  items?: TrimSchema;
  maxItems?: number;
  maxLength?: number;
}

/** Shortens lists and strings to the limits of their JSON Schema. A string ends after a whole sentence, or at least a whole word. */
export function shortenToSchemaLimits(shape: TrimSchema, value: unknown): unknown {
  if (typeof value === 'string') return cutText(value.trim().replace(/\s+/g, ' '), shape.maxLength);
  if (Array.isArray(value)) {
    const filledItems = value.filter((item) => item !== '' && item !== null).slice(0, shape.maxItems);
    return shape.items
      ? filledItems.map((item) => shortenToSchemaLimits(shape.items ?? {}, item))
      : filledItems;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      shortenToSchemaLimits(shape.properties?.[key] ?? {}, item),
    ]),
  );
}

function cutText(text: string, limit = Infinity): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '));
  if (sentence > limit / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > 0 ? word : head.length)}…`;
}

/** Parses the JSON in a model's answer, also inside a code fence or other text. Undefined if there is none. */
export function parseEmbeddedJson(text: string): unknown {
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return resultOr(() => JSON.parse(body), undefined);
}
