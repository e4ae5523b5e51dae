import { describe, expect, it } from 'vitest';
import { listPages } from '../../../src/platform/doc-pages.ts';
import { freshApp } from '../../kit/app.ts';

describe('the pages of documentation', () => {
  it('are served to anybody: the index and every page that it lists', async () => {
    const { send } = await freshApp();
    for (const path of ['', ...listPages().map(({ page }) => `/${page}`)]) {
      const response = await send(`/docs${path}`, { key: null });
      const html = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(html).toMatch(/<h1 id="[\w-]+">/);
      for (const { page } of listPages()) expect(html).toContain(`href="/docs/${page}"`);
    }
  });

  it('are where the server itself leads to', async () => {
    const { send } = await freshApp();
    const response = await send('/', { key: null, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('run no script and ask no other host for anything', async () => {
    const { send } = await freshApp();
    const response = await send('/docs/ai-features', { key: null });
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(html).not.toMatch(/<script|<img|<iframe| style=| on\w+=|src=/);
    expect(html.match(/<link [^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });

  it('link to one another at their served addresses', async () => {
    const { send } = await freshApp();
    const html = await (await send('/docs/scoring', { key: null })).text();
    expect(html).toContain('href="/docs/http#what-the-answer-means"');
    expect(html).not.toMatch(/href="[^"]*\.md/);
  });

  it.each(['nothing', 'README', '..%2F..%2Fpackage.json', 'Scoring'])('%s is no page', async (page) => {
    const { send } = await freshApp();
    const response = await send(`/docs/${page}`, { key: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });
});
