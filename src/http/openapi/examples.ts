// Examples of checks for the API description: requests about invented people of the sample, and the answers that a test key gets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_FOLDER } from '../../platform/assets.ts';
import type { OpenApiExample } from './operation.ts';

/** Example of a check of the sample: its request and its answer. The file of examples is written by `node test/docs/calls.ts`. */
export interface SampleCall {
  name: string;
  summary: string;
  path: string;
  request: object;
  /** Answer to the request; its `request_id` and its days since a date differ from call to call. */
  answer: object;
}

export const readSampleCalls = (): SampleCall[] =>
  JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'calls.json'), 'utf8')) as SampleCall[];

/** Returns the requests of the sample calls as OpenAPI examples, by name. */
export const readRequestExamples = (): Record<string, OpenApiExample> =>
  Object.fromEntries(
    readSampleCalls().map(({ name, summary, request }) => [name, { summary, value: request }]),
  );

/** Returns the answers of the sample calls of one operation as OpenAPI examples, by name. */
export function readAnswerExamples(operation: 'check' | 'enhanced'): Record<string, OpenApiExample> {
  const calls = readSampleCalls().filter(
    ({ path }) => path.includes('/enhanced') === (operation === 'enhanced'),
  );
  return Object.fromEntries(calls.map(({ name, summary, answer }) => [name, { summary, value: answer }]));
}
