import { expect, test } from 'vitest';
import { listPages } from '../../src/platform/doc-pages.ts';
import { runHere } from '../kit/cli.ts';
import { pageText } from '../kit/pages.ts';

test('docs lists every page with what it is about', async () => {
  const { code, stdout } = await runHere(['docs']);
  expect(code).toBe(0);
  for (const { page, about } of listPages())
    expect(stdout).toMatch(new RegExp(`^${page} +${about.slice(0, 12)}`, 'm'));
});

test('docs PAGE prints that page as it stands', async () => {
  expect(await runHere(['docs', 'scoring'])).toEqual({ code: 0, stdout: pageText('scoring'), stderr: '' });
});

test('a page that is not there is told, with the one that was meant', async () => {
  const { code, stderr } = await runHere(['docs', 'scorin']);
  expect([code, stderr]).toEqual([2, 'error: There is no page scorin. Did you mean scoring?\n']);
});
