import { expect, test } from 'vitest';
import { freshApp } from '../../kit/app.ts';

test('every address of the console serves the same page, without a key', async () => {
  const { send } = await freshApp();
  const pages = await Promise.all(['/console', '/console/keys'].map((path) => send(path, { key: null })));
  const [first = '', second] = await Promise.all(pages.map((page) => page.text()));
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(first).toBe(second);
  expect(first).not.toMatch(/https?:\/\/|<script>| on\w+=|<style/);
});

test('a browser may run scripts and styles of this server only, and no text may become markup', async () => {
  const { send } = await freshApp();
  const { headers } = await send('/console', { key: null });
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test.each(['package.json', '..%2Findex.html', 'index.html', 'constructor', 'x.js', '.js'])(
  '%s is no file of it',
  async (file) => {
    const { send } = await freshApp();
    expect((await send(`/console/assets/${file}`, { key: null })).status).toBe(404);
  },
);
