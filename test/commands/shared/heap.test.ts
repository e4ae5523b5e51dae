import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { codeFile } from '../../../src/platform/assets.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';

const MB = 2 ** 20;

/** What V8 has set aside for young objects, MB, in a program that keeps making some that live for a while. */
function youngAfter(begin: string): number {
  const program = `import { growYoung, shortenCollections, youngBytes } from ${JSON.stringify(codeFile('commands/shared/heap'))};
    const kept = []; let made = 0;
    const make = () => { for (let i = 0; i < 10_000; i++) kept[made++ % 150_000] = { a: i, b: [i], c: 'x' + i }; };
    ${begin}
    for (let turn = 0; turn < 150; turn++) { make(); await new Promise(setImmediate); }
    console.log(youngBytes());`;
  const args = ['--max-semi-space-size=64', '--input-type=module', '-e', program];
  return Number(execFileSync(process.execPath, args, { env: bareEnvironment() })) / MB;
}

test('what a server sets aside for young objects stays small while it is loaded, and grows no further than it may', () => {
  expect(youngAfter('')).toBeGreaterThan(60);
  expect(youngAfter('shortenCollections();')).toBeLessThanOrEqual(4);
  const grown = youngAfter('shortenCollections(); growYoung();');
  expect(grown).toBeGreaterThan(4);
  expect(grown).toBeLessThanOrEqual(32);
});
