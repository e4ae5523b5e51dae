import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

/** Runs commands on one data folder. */
function world() {
  const folder = freshFolder();
  const run = (...args: string[]) => runHere([...args, '--data-dir', folder]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { folder, run, json };
}

describe('keys', () => {
  it('have a region and allowed addresses, and show them', async () => {
    const { run, json } = world();
    const asked = ['--region', 'gb', '--allow', '192.0.2.0/24, 2001:db8::/32', '--scopes', 'validate,read'];
    const made = await json('keys', 'create', '--name', 'shop', ...asked);
    const kept = { region: 'GB', allowed_addresses: '192.0.2.0/24,2001:db8::/32', last_used: null };
    expect(made).toMatchObject({ ...kept, scopes: ['validate', 'read'] });
    expect(await json('keys', 'show', made.id)).toMatchObject(kept);
    const { stdout } = await run('keys', 'show', made.id);
    expect(stdout).toMatch(/region +GB\nallowed from +192\.0\.2\.0\/24,2001:db8::\/32\n/);
    expect((await run('keys', 'list')).stdout).toMatch(/ no account .* never /);
    const { id } = await json('accounts', 'create', '--name', 'Shop');
    await run('keys', 'create', '--name', 'theirs', '--account', id);
    expect((await run('keys', 'list')).stdout).toMatch(new RegExp(` theirs +${id} `));
  });

  it.each([
    [['--region', 'Narnia'], '--region takes a country'],
    [['--allow', '10.0.0.0/33'], '10.0.0.0/33 is not an address or network'],
    [['--expires', '0d'], '--expires must be a duration longer than 0'],
    [['--scopes', 'root'], '--scopes takes one or more of validate, read, raw, metrics, graph, admin'],
    [['--scopes', 'raw'], '`raw` needs the scope `validate`'],
    [['--scopes', 'validate,admin', '--test'], 'a test key cannot administer'],
  ])('with %j are refused, and leave no folder behind', async (args, says) => {
    const folder = join(freshFolder(), 'none');
    const { code, stderr } = await runHere(['keys', 'create', '--name', 'x', '--data-dir', folder, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('are recognised in a leaked text, which is never repeated', async () => {
    const { run, json } = world();
    const { key, id } = await json('keys', 'create', '--name', 'shop');
    const other = (await world().json('keys', 'create', '--name', 'other')).key;
    const told = async (text: string) => {
      const { stdout, stderr } = await run('keys', 'verify', text);
      expect(stdout + stderr).not.toContain(text);
      return stdout;
    };
    expect(await told(key)).toContain(`${id} (shop), and it works`);
    expect(await told(other)).toContain('not a key of this data folder');
    expect(await told(`${key.slice(0, -1)}!`)).toContain('no API key');
    await run('keys', 'revoke', id);
    expect(await told(key)).toContain('does not work any more');
    expect(await json('keys', 'verify', key)).toMatchObject({ is: 'ours', live: false, key: { id } });
  });

  it('are found anywhere in a text, and the exit code says whether one may work', async () => {
    const { folder, run, json } = world();
    const { key, id } = await json('keys', 'create', '--name', 'shop');
    const { key: old, id: oldId } = await json('keys', 'create', '--name', 'old');
    await run('keys', 'revoke', oldId);
    const other = (await world().json('keys', 'create', '--name', 'other')).key;
    const code = async (text: string) => (await run('keys', 'verify', text)).code;
    expect(await code(`token=${key}, hm`)).toBe(1);
    expect(await code(`token=${old}, hm`)).toBe(0);
    expect(await code(`token=${other}, hm`)).toBe(1);
    expect(await code('nothing of the kind')).toBe(0);
    expect(await code(' ')).toBe(2);
    const input = `first line\n${old}\n"${key}"\n`;
    const args = [getLauncher(), 'keys', 'verify', '--data-dir', folder];
    const { stdout, status } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
    expect(stdout).toBe(
      `1. This is ${oldId} (old). It does not work any more.\n2. This is ${id} (shop), and it works. Revoke it now: bonafide keys revoke ${id}\n`,
    );
    expect(status).toBe(1);
  });
});

describe('the audit log', () => {
  it('is shown newest first, and verified; a gap is an error', async () => {
    const { folder, run, json } = world();
    const { id } = await json('keys', 'create', '--name', 'shop');
    await run('keys', 'revoke', id);
    await run('features', 'off', 'name_matching');
    const acts = await json('audit', 'show');
    expect(acts.map(({ act }: { act: string }) => act)).toEqual([
      'features.off',
      'keys.revoke',
      'keys.create',
    ]);
    expect((await run('audit', 'show', '--limit', '1')).stdout).toMatch(
      /^3 .*features\.off +name_matching +plugin=name-matching model=rules model_plugin=rules\n$/,
    );
    const { acts: count, head } = await json('audit', 'verify');
    expect([count, (await run('audit', 'verify', '--head', head)).code]).toEqual([3, 0]);
    const misread = await run('audit', 'verify', '--head', 'junk');
    expect(misread).toMatchObject({ code: 2, stderr: expect.stringContaining('64 hexadecimal digits') });
    expect((await run('audit', 'verify', '--head', `2:${'0'.repeat(64)}`)).code).toBe(1);
    const store = openSqliteStore({ file: `${folder}/store.db` });
    store.raw.exec('DROP TRIGGER audit_unremoved; DELETE FROM audit WHERE seq = 2');
    store.close();
    const { code, stderr } = await run('audit', 'verify');
    expect([code, stderr]).toEqual([1, expect.stringContaining('action 2 is missing')]);
  });
});
