import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildOnce } from '../kit/programs/once.ts';

test('a shared file of a test run is built once, and again if the build failed', () => {
  const name = `build-once-${process.pid}`;
  const fail = (path: string) => {
    writeFileSync(path, 'unfinished');
    throw new Error('no space left');
  };
  for (let i = 0; i < 2; i++) expect(() => buildOnce(name, fail)).toThrow('no space left');
  const built = buildOnce(name, (path) => {
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'built');
  });
  expect(buildOnce(name, fail)).toBe(built);
  expect(readFileSync(built ?? '', 'utf8')).toBe('built');
});
