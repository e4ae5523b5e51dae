import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import type { AnyFeature, AnyModel } from '../../src/features/plugin/index.ts';
import { loadBuiltinPlugins } from '../../src/features/load-plugins.ts';
import { getAnswerJsonSchema } from '../../src/features/plugin/define.ts';
import { modelProblems } from '../../src/features/plugin/test/index.ts';
import { tinyGguf } from '../kit/models/gguf.ts';

const plugins = loadBuiltinPlugins();
const llama = plugins.find(({ name }) => name === 'llama') as AnyModel;

/** Returns where node-llama-cpp is: beside Bonafide, or in the folder NODE_LLAMA_CPP_DIR. */
function installedIn(): { installed_in?: string } | undefined {
  const folder = process.env['NODE_LLAMA_CPP_DIR'];
  try {
    createRequire(folder ? join(folder, 'any.js') : import.meta.url).resolve('node-llama-cpp');
    return folder ? { installed_in: folder } : {};
  } catch {
    return undefined;
  }
}

const installed = installedIn();
const dir = mkdtempSync(join(tmpdir(), 'bonafide-llama-'));
afterAll(() => rmSync(dir, { recursive: true }));

function optionsOf(file: string): object {
  return { file, ...installed, gpu: false, context: 4096, max_tokens: 3_000, threads: 1 };
}

describe.runIf(installed !== undefined)(
  'on a model of random weights (runs where node-llama-cpp is installed)',
  () => {
    const file = join(dir, 'random.gguf');
    writeFileSync(file, tinyGguf());

    test('the model llama keeps the contract', async () => {
      expect(await modelProblems(llama, { options: optionsOf(file) })).toEqual([]);
    });

    test('whatever the weights say, the grammar makes it an answer of the feature’s form', async () => {
      const options = v.parse(llama.options as v.GenericSchema, optionsOf(file));
      const secret = (): undefined => undefined;
      const state: unknown = await llama.open?.({ options, secret } as never);
      try {
        for (const feature of plugins.filter((one): one is AnyFeature => one.kind === 'feature')) {
          const ask = {
            system: 'Say something.',
            facts: {},
            schema: getAnswerJsonSchema(feature),
            signal: AbortSignal.timeout(15_000),
          };
          const said = await llama.generate(ask, { options, state, secret } as never);
          expect(Object.keys(JSON.parse(String(said)) as object)).toEqual(
            Object.keys(ask.schema.properties as object),
          );
        }
      } finally {
        await llama.close?.(state as never);
      }
    });

    test('a file that is no model is told in plain words', async () => {
      const wrong = join(dir, 'wrong.gguf');
      writeFileSync(wrong, 'this is not a model');
      const problems = modelProblems(llama, { options: optionsOf(wrong) });
      await expect(problems).rejects.toMatchObject({
        code: 'model_misconfigured',
        hint: expect.stringContaining('no GGUF model'),
      });
    });
  },
);

describe.runIf(installed === undefined)('where node-llama-cpp is not installed', () => {
  test('without the package the model says how to install it', async () => {
    const problems = await modelProblems(llama, { options: optionsOf('any.gguf') });
    expect(problems).toEqual([
      expect.stringMatching(/throws ModelError: .*not set up completely.*npm install/),
    ]);
  });
});
