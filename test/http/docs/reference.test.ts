import { describe, expect, it } from 'vitest';
import type { TextResponse } from '../../../src/http/response.ts';
import { sharedApp } from '../../kit/app.ts';

const open = sharedApp();

describe('the API reference', () => {
  it('is served without a key, with every file that it loads', async () => {
    const { send } = await open();
    const response = await send('/docs/api', { key: null });
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const loaded = Array.from(html.matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, path = '']) => path);
    expect(loaded).toHaveLength(3);
    for (const path of loaded) expect((await send(path, { key: null })).status).toBe(200);
    expect(await (await send('/docs/api/start.js', { key: null })).text()).toContain("url: '/openapi.json'");
  });

  it('loads nothing from other hosts, and runs its own scripts only', async () => {
    const { send } = await open();
    const policy = (await send('/docs/api', { key: null })).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src [^;]*unsafe/);
    expect(await (await send('/docs/api', { key: null })).text()).not.toMatch(/https?:\/\/|<script>| on\w+=/);
  });

  it.each(['package.json', '..%2Fserver.ts', 'constructor', 'index.html'])(
    '%s is no file of it',
    async (file) => {
      const { send } = await open();
      expect((await send(`/docs/api/${file}`, { key: null })).status).toBe(404);
    },
  );

  it.each(['/openapi.json', '/docs/api/swagger-ui-bundle.js'])(
    '%s is not copied for each answer',
    async (path) => {
      const { send } = await open();
      const ask = async (headers = {}) =>
        ((await send(path, { key: null, headers })) as unknown as TextResponse).payload;
      expect(await ask()).toBeInstanceOf(Buffer);
      expect(await ask()).toBe(await ask());
      expect(await ask({ 'accept-encoding': 'gzip' })).toBe(await ask({ 'accept-encoding': 'gzip' }));
    },
  );
});
