import { expect, test } from 'vitest';
import { listDocPages } from '../../src/platform/assets.ts';
import { runHere } from '../kit/cli.ts';
import { pageText } from '../kit/pages.ts';

test('docs lists every page with its subject', async () => {
  const { code, stdout } = await runHere(['docs']);
  expect(code).toBe(0);
  for (const { page, about } of listDocPages())
    expect(stdout).toMatch(new RegExp(`^${page} +${about.slice(0, 12)}`, 'm'));
});

test('docs PAGE prints the page unchanged', async () => {
  expect(await runHere(['docs', 'scoring'])).toEqual({ code: 0, stdout: pageText('scoring'), stderr: '' });
});

test('an unknown page is an error that names the nearest page', async () => {
  const { code, stderr } = await runHere(['docs', 'scorin']);
  expect([code, stderr]).toEqual([2, 'error: There is no page scorin. Did you mean scoring?\n']);
});
