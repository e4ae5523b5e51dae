import { hash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { renderMarkdown, toHeadingAnchor } from '../../../src/http/pages.ts';
import { listDocPages } from '../../../src/platform/assets.ts';
import { sharedApp } from '../../kit/app.ts';

const open = sharedApp();

describe('the pages of documentation', () => {
  it('are served without a key: the index and every page that it lists', async () => {
    const { send } = await open();
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
    const { send } = await open();
    const response = await send('/', { key: null, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('run only the script of their copy buttons, and load nothing', async () => {
    const { send } = await open();
    const response = await send('/docs/ai-features', { key: null });
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src data:; /,
    );
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
    expect(response.headers.get('content-security-policy')).toContain(
      `'sha256-${hash('sha256', script, 'base64')}'`,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img|<iframe| style=| on\w+=|src=/);
    expect(html.match(/<link [^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });

  it('link to each other at their served addresses', async () => {
    const { send } = await open();
    const html = await (await send('/docs/scoring', { key: null })).text();
    expect(html).toContain('href="/docs/glossary#checks"');
    expect(html).not.toMatch(/href="[^"]*\.md/);
  });

  it('are found by their words, a heading before a text, and what was searched is shown as text', async () => {
    const { send } = await open();
    const search = async (q: string) =>
      (await send(`/docs?q=${encodeURIComponent(q)}`, { key: null })).text();
    const html = await search('idempotency-key retrying');
    expect(html).toMatch(/<ul class="found"><li><a href="\/docs\/http#retrying">/);
    expect(await search('zqx-nowhere')).toContain('No section has all of these words.');
    expect(await search('"><img src=x>')).not.toContain('<img');
  });

  it('have groups, contents, the README and a way back to the console', async () => {
    const { send } = await open();
    const html = await (await send('/docs/billing', { key: null })).text();
    for (const part of [
      '<h2>Using it</h2>',
      '<h2>How it works</h2>',
      'href="/console"',
      '<a href="#notices">',
    ])
      expect(html).toContain(part);
    const readme = await (await send('/docs/readme', { key: null })).text();
    expect(readme).toContain('href="/docs/importing#a-first-hour"');
    expect(readme).not.toMatch(/href="[^"]*\.md|<img/);
  });

  it.each(['nothing', 'README', '..%2F..%2Fpackage.json', 'Scoring'])('%s is not a page', async (page) => {
    const { send } = await open();
    const response = await send(`/docs/${page}`, { key: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });
});

test('a heading has the anchor that links use', async () => {
  expect(toHeadingAnchor('What is kept, and what never is')).toBe('what-is-kept-and-what-never-is');
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
