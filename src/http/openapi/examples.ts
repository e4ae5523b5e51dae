// Examples of requests and answers: people of the sample, which a test key is answered from, with the answers they get.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE } from '../../platform/assets.ts';
import type { Example } from './operation.ts';

/** One call to the sample: what is sent, by whichever path, and the answer; made by `node test/docs/sample.ts`. */
export interface SampleCall {
  name: string;
  summary: string;
  path: string;
  request: object;
  /** As it was at one time: `request_id` and the days since a date are others each time. */
  answer: object;
}

export const readSampleCalls = (): SampleCall[] =>
  JSON.parse(readFileSync(join(SAMPLE, 'calls.json'), 'utf8')) as SampleCall[];

/** Every request of the sample calls once. */
export function buildRequestExamples(): Record<string, Example> {
  return Object.fromEntries(
    readSampleCalls().map(({ name, summary, request }) => [name, { summary, value: request }]),
  );
}

/** The answers of one operation. */
export function buildAnswerExamples(operation: 'check' | 'enhanced'): Record<string, Example> {
  const of = readSampleCalls().filter(
    ({ path }) => path.includes('/enhanced') === (operation === 'enhanced'),
  );
  return Object.fromEntries(of.map(({ name, summary, answer }) => [name, { summary, value: answer }]));
}
