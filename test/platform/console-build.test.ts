// A server that runs from a clone serves the pages of dist/console while `npm run build`, or a test beside it, builds them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../kit/pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-console-'));
const target = join(folder, 'console');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const build = () => spawn(process.execPath, [join(ROOT, '.config/console.mjs'), target], { stdio: 'ignore' });
const ended = async (child: ReturnType<typeof build>) => expect(await once(child, 'exit')).toEqual([0, null]);

/** Returns true if the page exists, and every file that it names. */
function isWhole(): boolean {
  const page = join(target, 'index.html');
  if (!existsSync(page)) return false;
  const names = [...readFileSync(page, 'utf8').matchAll(/\/console\/(assets\/[\w.-]+)/g)];
  return names.length > 1 && names.every(([, name]) => existsSync(join(target, name ?? '')));
}

test('two builds at the same time keep the pages complete, and leave no file of an older build', async () => {
  await ended(build());
  const before = readdirSync(target, { recursive: true }).toSorted();
  writeFileSync(join(target, 'assets/older.js'), '');
  const both = [build(), build()];
  let looks = 0;
  const missed: number[] = [];
  const looking = setInterval(() => void (looks++, isWhole() || missed.push(looks)), 1);
  await Promise.all(both.map(ended));
  clearInterval(looking);
  expect(missed).toEqual([]);
  expect(looks).toBeGreaterThan(50);
  expect(readdirSync(target, { recursive: true }).toSorted()).toEqual(before);
  expect(readdirSync(folder)).toEqual(['console']);
});
