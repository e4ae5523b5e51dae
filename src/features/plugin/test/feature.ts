// Contract test of a feature plugin: its form, its limits, and its rules on every sample, checked by the guard.
import * as v from 'valibot';
import { guardAnswer } from '../../guard/guard.ts';
import { RESPONSE_BLOCK_SCHEMAS } from '../blocks.ts';
import { type AnyFeature, getAnswerJsonSchema } from '../define.ts';
import type { FactName, Facts } from '../facts.ts';
import { describeInvalidPluginProperty } from '../member-rules.ts';
import { listSchemaIssueSentences } from '../issues.ts';
import { samplesOf } from './samples.ts';
import {
  deepFreeze,
  listProblemsOrThrownError,
  listOptionProblems,
  listProblemsOfFieldsWithoutMaxLength,
} from './helpers.ts';

const MAX_FINDINGS = 20;
/** Interval (ms) at which the loop over the samples yields to the event loop. */
const YIELD_EVERY_MS = 50;

/** Returns the declared facts, frozen. Stores each access to a fact that the feature did not declare. */
function watchFactReads(
  facts: Partial<Facts>,
  declared: readonly FactName[],
  problems: string[],
): Partial<Facts> {
  return new Proxy(deepFreeze(facts), {
    get(target, key) {
      if (typeof key === 'string' && !(key in target))
        problems.push(`reads the fact "${key}", which it does not declare (${declared.join(', ')})`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

interface Given {
  /** Facts with which the guard compares the feature's answers. */
  facts: Partial<Facts>;
  /** The facts in the object that is passed to the feature, which records forbidden reads. */
  handed: Partial<Facts>;
}

function answerProblems(feature: AnyFeature, answer: unknown, { facts }: Given, brief: unknown): string[] {
  const { answer: schema, advice = [] } = feature;
  const checked = guardAnswer({
    answer,
    schema,
    jsonSchema: getAnswerJsonSchema(feature),
    advice,
    facts,
    brief,
  });
  if (!checked.ok) return checked.problems.map((problem) => `rules: ${problem}`);
  const own = feature.check?.(checked.value, brief) ?? [];
  return own.map((problem) => `rules, by its own check: ${problem}`);
}

function sampleProblems(feature: AnyFeature, sampleFacts: Given, options: never): string[] {
  const { handed } = sampleFacts;
  const brief = feature.brief(handed, options);
  const again = feature.brief(handed, options);
  if (JSON.stringify(brief) !== JSON.stringify(again)) return ['brief gives another object the second time'];
  if (!feature.system(brief, options).trim()) return ['system is empty'];
  if (!feature.rules) return [];
  const answer = feature.rules(brief, options);
  const problems = answerProblems(feature, answer, sampleFacts, brief);
  if (problems.length > 0) return problems;
  const block = feature.finish(v.parse(feature.answer, answer), { facts: handed, brief, options });
  const parsedBlock = v.safeParse(RESPONSE_BLOCK_SCHEMAS[feature.gives], block);
  if (parsedBlock.success) return [];
  const wrong = listSchemaIssueSentences(RESPONSE_BLOCK_SCHEMAS[feature.gives], parsedBlock.issues);
  return wrong.map((problem) => `the result of finish does not match its schema: ${problem}`);
}

/**
 * Tests a feature on 336 samples of facts: 56 patterns of contact results, each with six intents. @returns violations of the plugin contract,
 * one sentence each with the number of samples; empty if there are none
 */
export async function featureProblems(
  feature: AnyFeature,
  given: { options?: unknown } = {},
): Promise<string[]> {
  const form = describeInvalidPluginProperty(feature);
  if (form) return [form];
  const parsed = feature.options
    ? v.safeParse(feature.options, given.options ?? {})
    : { success: true, output: {} };
  if (!parsed.success)
    return listOptionProblems(feature.options, given.options ?? {}).map(
      (problem) => `${problem} (each option of a feature needs a default)`,
    );
  const options = parsed.output as never;
  const findings = new Map<string, Finding>();
  const samples = samplesOf(feature.facts);
  let yieldedAt = performance.now();
  for (const { facts, title } of samples) {
    if (performance.now() - yieldedAt > YIELD_EVERY_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      yieldedAt = performance.now();
    }
    const reads: string[] = [];
    const handed = watchFactReads(facts, feature.facts, reads);
    const problems = listProblemsOrThrownError(() => sampleProblems(feature, { facts, handed }, options));
    countFindings(findings, title, [...reads, ...problems]);
  }
  return [
    ...listProblemsOfFieldsWithoutMaxLength(getAnswerJsonSchema(feature)),
    ...formatFindings([...findings.values()], samples.length),
  ];
}

interface Finding {
  problem: string;
  samples: number;
  first: string;
}

/** Adds the problems of one sample to the findings. Problems that differ only in numbers are one finding. */
function countFindings(findings: Map<string, Finding>, title: string, problems: string[]): void {
  const counted = new Set<string>();
  for (const problem of problems) {
    const key = problem
      .split(/\d/)
      .filter((part) => part !== '')
      .join('#');
    if (counted.has(key)) continue;
    counted.add(key);
    const finding = findings.get(key) ?? { problem, samples: 0, first: title };
    finding.samples++;
    findings.set(key, finding);
  }
}

function formatFindings(findings: Finding[], total: number): string[] {
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ problem, samples, first }) => `${problem} (${samples} of ${total} samples, first: ${first})`);
  const more = findings.length - lines.length;
  return more > 0 ? [...lines, `${more} other problems`] : lines;
}
