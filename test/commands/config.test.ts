import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';

const SECRET = 'ab'.repeat(32);

function fileWith(settings: object): string {
  const file = join(freshFolder(), 'bonafide.config.json');
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

describe('config show', () => {
  it('tells every setting with where it came from, and no secret', async () => {
    const file = fileWith({ secret: SECRET, region: 'GB' });
    const { code, stdout } = await runHere(['config', 'show', '--config', file, '--json']);
    expect(code).toBe(0);
    expect(stdout).not.toContain(SECRET);
    expect(JSON.parse(stdout)).toMatchObject({
      region: { value: 'GB', from: file },
      secret: { value: '(hidden)', from: file },
      port: { value: 8787, from: 'default' },
    });
    const table = (await runHere(['config', 'show', '--config', file, '--data-dir', '/d'])).stdout;
    expect(table).toMatch(/^dataDir +\/d +--data-dir$/m);
    expect(table).not.toContain(SECRET);
  });
});

describe('config check', () => {
  it('says that all is well, or names every setting that is not and its file', async () => {
    expect(await runHere(['config', 'check', '--config', fileWith({})])).toMatchObject({ code: 0 });
    const wrong = fileWith({ plugins: ['/nowhere/a.ts'], tls: { cert: '/nowhere/c', key: '/nowhere/k' } });
    const { code, stderr } = await runHere(['config', 'check', '--config', wrong]);
    expect(code).toBe(1);
    expect(stderr).toContain('plugins names /nowhere/a.ts');
    expect(stderr).toContain('tls.cert names /nowhere/c');
    expect(stderr).toContain('tls.key names /nowhere/k');
  });
});

it('config schema is a JSON Schema', async () => {
  const { stdout } = await runHere(['config', 'schema']);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { port: { maximum: 65535 } } });
});
