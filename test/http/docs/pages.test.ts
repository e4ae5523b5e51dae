import { describe, expect, it, test } from 'vitest';
import { renderMarkdown, toAnchor } from '../../../src/http/pages.ts';
import { listDocPages } from '../../../src/platform/assets.ts';
import { freshApp } from '../../kit/app.ts';

describe('the pages of documentation', () => {
  it('are served without a key: the index and every page that it lists', async () => {
    const { send } = await freshApp();
    for (const path of ['', ...listDocPages().map(({ page }) => `/${page}`)]) {
      const response = await send(`/docs${path}`, { key: null });
      const html = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(html).toMatch(/<h1 id="[\w-]+">/);
      for (const { page } of listDocPages()) expect(html).toContain(`href="/docs/${page}"`);
    }
  });

  it('are where the address / redirects to', async () => {
    const { send } = await freshApp();
    const response = await send('/', { key: null, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('run no script and load nothing from other hosts', async () => {
    const { send } = await freshApp();
    const response = await send('/docs/ai-features', { key: null });
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(html).not.toMatch(/<script|<img|<iframe| style=| on\w+=|src=/);
    expect(html.match(/<link [^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });

  it('link to each other at their served addresses', async () => {
    const { send } = await freshApp();
    const html = await (await send('/docs/scoring', { key: null })).text();
    expect(html).toContain('href="/docs/http#what-the-answer-means"');
    expect(html).not.toMatch(/href="[^"]*\.md/);
  });

  it.each(['nothing', 'README', '..%2F..%2Fpackage.json', 'Scoring'])('%s is not a page', async (page) => {
    const { send } = await freshApp();
    const response = await send(`/docs/${page}`, { key: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });
});

test('a heading has the anchor that links use', async () => {
  expect(toAnchor('What is kept, and what never is')).toBe('what-is-kept-and-what-never-is');
  expect(await renderMarkdown('## The record format')).toBe(
    '<h2 id="the-record-format">The record format</h2>\n',
  );
});

test.each([
  ['[a](names.md)', '<a href="/docs/names">a</a>'],
  ['[a](names.md#limits)', '<a href="/docs/names#limits">a</a>'],
  ['[a](index.md)', '<a href="/docs">a</a>'],
  ['[a](#limits)', '<a href="#limits">a</a>'],
  ['[a](https://example.com/x.md)', '<a href="https://example.com/x.md">a</a>'],
])('%s leads to the address on the server', async (markdown, html) => {
  expect(await renderMarkdown(markdown)).toBe(`<p>${html}</p>\n`);
});

test('a word of code is not broken into lines, and is no markup', async () => {
  expect(await renderMarkdown('`--dry-run` `a b` `<b>`')).toBe(
    '<p><code class="word">--dry-run</code> <code>a b</code> <code class="word">&#60;b&#62;</code></p>\n',
  );
});

test('HTML in a page is shown as text', async () => {
  expect(await renderMarkdown('a <b onclick="x">b</b>')).not.toContain('<b');
});
