// Examples of checks in the API description: calls about people of the sample, with the answers that a test key gets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE } from '../../platform/assets.ts';
import type { OpenApiExample } from './operation.ts';

/** One call to the sample and its answer; made by `node test/docs/calls.ts`. */
export interface SampleCall {
  name: string;
  summary: string;
  path: string;
  request: object;
  /** The answer at one time: `request_id` and the days since a date differ each time. */
  answer: object;
}

export const readSampleCalls = (): SampleCall[] =>
  JSON.parse(readFileSync(join(SAMPLE, 'calls.json'), 'utf8')) as SampleCall[];

/** Returns the requests of the sample calls as examples. */
export const readRequestExamples = (): Record<string, OpenApiExample> =>
  Object.fromEntries(
    readSampleCalls().map(({ name, summary, request }) => [name, { summary, value: request }]),
  );

/** Returns the answers of the sample calls of one operation as examples. */
export function readAnswerExamples(operation: 'check' | 'enhanced'): Record<string, OpenApiExample> {
  const calls = readSampleCalls().filter(
    ({ path }) => path.includes('/enhanced') === (operation === 'enhanced'),
  );
  return Object.fromEntries(calls.map(({ name, summary, answer }) => [name, { summary, value: answer }]));
}
