import { existsSync, readdirSync, writeFileSync } from 'node:fs';
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
  it('shows every setting with its source, and no secret', async () => {
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

it('config show hides credentials in addresses', async () => {
  const file = fileWith({
    webhook: { url: 'https://hooks.example/in?token=tok1#frag1', secretFile: '/s' },
    tracing: { endpoint: 'http://127.0.0.1:4318?key=tok2', header: 'A: tok3' },
  });
  for (const form of [['--json'], []]) {
    const { stdout } = await runHere(['config', 'show', '--config', file, ...form]);
    expect(stdout).toContain('https://hooks.example/in?(hidden)');
    expect(stdout).toContain('http://127.0.0.1:4318/?(hidden)');
    expect(stdout).not.toMatch(/tok[123]|frag1/);
  }
  const plain = fileWith({ tracing: { endpoint: 'http://127.0.0.1:4318' } });
  const { stdout } = await runHere(['config', 'show', '--config', plain]);
  expect(stdout).toContain('"http://127.0.0.1:4318"');
});

describe('config check', () => {
  it('names every setting that serve would refuse, and shows no secret', async () => {
    const folder = freshFolder();
    const file = fileWith({});
    const wrong = fileWith({
      dataDir: folder,
      secret: 'no secret of 64',
      calibration: 'nowhere',
      webhook: { url: 'https://hooks.example', secretFile: '/nowhere/hook' },
      backup: { every: '24h', to: join(file, 'copies') },
    });
    const { code, stderr } = await runHere(['config', 'check', '--config', wrong]);
    expect(code).toBe(1);
    expect(stderr).toContain('webhook.secretFile: There is no file /nowhere/hook');
    for (const setting of ['secret', 'calibration', 'backup.to']) expect(stderr).toContain(`${setting}: `);
    expect(stderr).not.toContain('no secret of 64');
    expect(existsSync(join(file, 'copies'))).toBe(false);
  });

  it('leaves no files in the folder of backups, and finds folders that cannot be written to', async () => {
    const folder = freshFolder();
    const backup = { every: '24h', to: join(folder, 'a', 'b') };
    expect(await runHere(['config', 'check', '--config', fileWith({ backup })])).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual([]);
    if (process.platform !== 'linux') return;
    const nowhere = fileWith({ backup: { every: '24h', to: '/proc/copies' } });
    expect(await runHere(['config', 'check', '--config', nowhere])).toMatchObject({ code: 1 });
  });

  it('reads the secret for the signatures of notices', async () => {
    const secretFile = join(freshFolder(), 'hook');
    const file = fileWith({ webhook: { url: 'https://hooks.example', secretFile } });
    writeFileSync(secretFile, 'short\n');
    const { code, stderr } = await runHere(['config', 'check', '--config', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('webhook.secretFile');
    writeFileSync(secretFile, `whsec_${'A'.repeat(32)}\n`);
    expect(await runHere(['config', 'check', '--config', file])).toMatchObject({ code: 0 });
  });

  it('accepts valid settings, and names every setting with a missing file', async () => {
    expect(await runHere(['config', 'check', '--config', fileWith({})])).toMatchObject({ code: 0 });
    const wrong = fileWith({ plugins: ['/nowhere/a.ts'], tls: { cert: '/nowhere/c', key: '/nowhere/k' } });
    const { code, stderr } = await runHere(['config', 'check', '--config', wrong]);
    expect(code).toBe(1);
    expect(stderr).toContain('plugins: There is no file /nowhere/a.ts');
    expect(stderr).toContain('tls.cert: There is no file /nowhere/c');
    expect(stderr).toContain('tls.key: There is no file /nowhere/k');
  });
});

it('config schema is a JSON Schema', async () => {
  const { stdout } = await runHere(['config', 'schema']);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { port: { maximum: 65535 } } });
});
