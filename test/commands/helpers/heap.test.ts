import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { getModuleFile } from '../../../src/platform/assets.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';

const MB = 2 ** 20;

/** Runs a program that makes many objects with a medium lifetime. Returns the size of V8's space for young objects afterwards, in MB. */
function measureYoungSpace(setup: string): number {
  const program = `import { allowYoungSpaceGrowth, shortenGarbageCollections, getCurrentYoungSpaceBytes } from ${JSON.stringify(getModuleFile('commands/helpers/heap'))};
    const kept = []; let made = 0;
    const make = () => { for (let i = 0; i < 10_000; i++) kept[made++ % 600_000] = { a: i, b: [i], c: 'x' + i }; };
    ${setup}
    for (let turn = 0; turn < 280; turn++) { make(); await new Promise(setImmediate); }
    // For a moment after a collection, there may be more objects in the space than its capacity.
    let least = Infinity;
    for (let turn = 0; turn < 20; turn++) { make(); await new Promise(setImmediate); least = Math.min(least, getCurrentYoungSpaceBytes()); }
    console.log(least);`;
  const args = ['--max-semi-space-size=64', '--input-type=module', '-e', program];
  return Number(execFileSync(process.execPath, args, { env: bareEnvironment() })) / MB;
}

test('the space for young objects stays small while the server is loaded, and then grows to its limit only', () => {
  expect(measureYoungSpace('shortenGarbageCollections();')).toBeLessThanOrEqual(4);
  const grown = measureYoungSpace('shortenGarbageCollections(); allowYoungSpaceGrowth();');
  expect(grown).toBeGreaterThan(4);
  expect(grown).toBeLessThanOrEqual(32);
  expect(measureYoungSpace('')).toBeGreaterThan(grown);
});
