// The example calls of the API's description, with the answers to a test key: `node test/docs/calls.ts` updates them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { SampleCall } from '../../src/http/openapi/operation.ts';
import { openLog } from '../../src/observe/log.ts';
import { SAMPLE_FOLDER } from '../../src/platform/assets.ts';
import { createKey } from '../../src/store/keys.ts';
import { PEOPLE } from './sample.ts';

const BOB = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8')) as object;
const person = (name: string) => PEOPLE.find(({ request }) => request.name === name)?.request ?? {};

const CALLS: Omit<SampleCall, 'answer'>[] = [
  {
    name: 'mixed',
    summary: 'His own values, a phone of somebody else, an e-mail without a record',
    path: '/v1/validate',
    request: BOB,
  },
  {
    name: 'verified',
    summary: 'Everything is hers; answered in version 2',
    path: '/v1/validate?response=v2',
    request: person('Nora Ellingsworth'),
  },
  {
    name: 'nameAlone',
    summary: 'A name alone',
    path: '/v1/validate',
    request: person('Oona Featherby'),
  },
  {
    name: 'flagged',
    summary: 'The contacts of another person; explained, with ai=true',
    path: '/v1/validate?ai=true',
    request: person('Garrett Whitlow'),
  },
  {
    name: 'legacy',
    summary: 'In the legacy shape; enhanced',
    path: '/v1/validate/enhanced',
    request: {
      nameAddresses: [
        {
          fullName: 'Bob Hale',
          address: { line1: '418 Alder Creek Rd.', city: 'Portland', region: 'OR', postalCode: '97219' },
        },
      ],
      emailAddresses: ['robert.hale@post.example'],
      phoneNumbers: ['(503) 555-0142'],
    },
  },
];

/** Time of every example call: an answer states how long ago its identity was first and last seen. */
const TIME_OF_EXAMPLES = Date.parse('2026-07-15T12:00:00Z');

/** Runs `work` with a clock that is stopped at the time of the example calls. */
export async function atTimeOfExamples<T>(work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['Date'], now: TIME_OF_EXAMPLES });
  try {
    return await work();
  } finally {
    mock.timers.reset();
  }
}

/** Replaces the id of a request, which is random. */
export const withExampleId = (answer: Record<string, unknown>): object => ({
  ...answer,
  request_id: 'req_01kajw9m2e7r0q4s6t8v3x5y7z',
});

/** Returns every example call with its answer. */
export const sampleAnswersOfCalls = (): Promise<SampleCall[]> => atTimeOfExamples(askSampleCalls);

async function askSampleCalls(): Promise<SampleCall[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bonafide-calls-'));
  const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir } });
  const app = await openApp(config, openLog('silent'));
  try {
    const calls: SampleCall[] = [];
    for (const call of CALLS) {
      // Each call has its own key, because the fraud analysis describes earlier calls of the caller.
      const { key } = createKey(app.store, { name: call.name, scopes: ['validate'], test: true }, Date.now());
      const response = await app.http.fetch(
        new Request(`http://localhost${call.path}`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify(call.request),
        }),
      );
      calls.push({ ...call, answer: withExampleId((await response.json()) as Record<string, unknown>) });
    }
    return calls;
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}

export const callsText = (calls: SampleCall[]): string => `${JSON.stringify(calls, null, 1)}\n`;

if (import.meta.main)
  writeFileSync(join(SAMPLE_FOLDER, 'calls.json'), callsText(await sampleAnswersOfCalls()));
