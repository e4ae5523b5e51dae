import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importPeople } from '../kit/app.ts';
import { describeFailure } from '../../src/commands/command-line.ts';
import { bonafide, runHere } from '../kit/cli.ts';
import { freshFolder, runAsOtherUser } from '../kit/folder.ts';
import { bareEnvironment } from '../kit/programs/environment.ts';
import { getLauncher } from '../kit/programs/launcher.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a wrong command line ends with 2 and one line', () => {
  it.each([
    [['serv'], 'error: There is no command serv. Did you mean serve?'],
    [['xyzzy'], 'error: There is no command xyzzy. Valid commands: serve, graph, keys,'],
    [['keys'], 'error: bonafide keys needs a command. See: bonafide keys --help'],
    [['keys', 'remove'], 'error: There is no command keys remove.'],
    [['keys', 'list', '--jsno'], 'error: keys list has no option --jsno. Did you mean --json?'],
    [['keys', 'create'], 'error: Missing required argument: --name'],
    [['keys', 'create', '--name'], 'error: --name needs a value.'],
    [['check', '--name', '--email', 'jane@example.com'], 'error: --name needs a value.'],
    [['keys', 'list', '--data-dir', ''], 'error: --data-dir needs a value.'],
    [['keys', 'list', 'all'], 'error: keys list takes no arguments.'],
    [
      ['keys', 'create', '--name', 'x', '--scopes', 'root'],
      'error: --scopes takes one or more of validate, read, raw, metrics, graph, admin',
    ],
    [
      ['keys', 'create', '--name', 'x', '--expires', 'soon'],
      'error: --expires must be a time such as 30m, 24h or 7d.',
    ],
    [['check', '--name', '123'], 'error: --name: A name has at least one letter.'],
    [
      ['check', '--name', 'Jane', '--email', 'a@b.co', '--email', 'nope'],
      'error: --email (number 2): This is not an email',
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr.indexOf('\n')).toBe(stderr.length - 1);
  });
});

describe('help', () => {
  it.each([
    [[]],
    [['--help']],
    [['serve', '--help']],
    [['keys', 'rotate', '-h']],
    [['check', '--help']],
    [['graph', 'import', '--help']],
  ])('%j has a usage line and examples', async (args) => {
    const { code, stdout } = await runHere(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/USAGE bonafide/);
    expect(stdout).toMatch(/EXAMPLES\n\n {2}bonafide /);
  });

  it('--version prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await bonafide(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('keys', () => {
  it('are created, listed, rotated and revoked', async () => {
    const folder = freshFolder();
    const run = async (...args: string[]) =>
      JSON.parse((await runHere(['keys', ...args, '--data-dir', folder, '--json'])).stdout);
    const made = await run(
      'create',
      '--name',
      'shop',
      '--scopes',
      'validate,raw',
      '--test',
      '--expires',
      '90d',
    );
    expect(made).toMatchObject({
      key: expect.stringMatching(/^bf_test_/),
      name: 'shop',
      scopes: ['validate', 'raw'],
    });
    const rotated = await run('rotate', made.id, '--grace', '1h');
    expect(rotated).toMatchObject({ name: 'shop', chain: made.id, account: null });
    await run('revoke', rotated.id);
    const listed = await run('list');
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([made.id, rotated.id]);
    expect(listed.every(({ revoked }: { revoked: string }) => revoked !== null)).toBe(true);
    expect(JSON.stringify(listed)).not.toContain(made.key);
  });

  it('that do not exist end with 1', async () => {
    const { code, stderr } = await runHere(['keys', 'revoke', 'key_x', '--data-dir', freshFolder()]);
    expect([code, stderr]).toEqual([1, 'error: There is no key key_x. See: bonafide keys list\n']);
  });
});

describe('check', () => {
  it('prints a card for people and JSON for scripts, and records nothing', async () => {
    const folder = freshFolder();
    await importPeople(folder);
    const args = [
      'check',
      '--name',
      'Jane Quimby',
      '--email',
      'jane.quimby@example.com',
      '--phone',
      '212-555-0177',
    ];
    const { stdout: card } = await runHere([...args, '--data-dir', folder]);
    expect(card).toMatch(/^\d+ \/ 100 {2}\w+/);
    expect(card).toMatch(/\+ {2}email +primary match +jane\.quimby@example\.com/);
    expect(card).toMatch(/! {2}phone +another identity \(2\)/);
    const { stdout } = await runHere([...args, '--data-dir', folder, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, dominant_identity: 1, ai_insights: null });
    expect(statSync(`${folder}/store.db`, { throwIfNoEntry: false })).toBeUndefined();
  });
});

it('a reader that ends early is not an error', async () => {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', '"$0" "$1" --help | head -1; echo "${PIPESTATUS[0]}"', process.execPath, getLauncher()],
    {
      encoding: 'utf8',
    },
  );
  expect([stdout.trim().split('\n').at(-1), stderr]).toEqual(['0', '']);
});

it.skipIf(process.platform !== 'linux')('an output that cannot be written is an error', () => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', '"$0" "$1" --help > /dev/full', process.execPath, getLauncher()],
    {
      encoding: 'utf8',
      env: bareEnvironment(),
    },
  );
  expect([status, stderr]).toEqual([1, 'error: The output cannot be written (ENOSPC).\n']);
});

describe('a data folder of another secret', () => {
  it('is refused in one line', async () => {
    const folder = freshFolder();
    await importPeople(folder);
    vi.stubEnv('BONAFIDE_SECRET', 'ab'.repeat(32));
    const { code, stderr } = await runHere(['check', '--name', 'Jane', '--data-dir', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*secret.*\n$/);
    expect(stderr).not.toContain('abab');
  });
});

it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EIO', 'ENAMETOOLONG', 'ELOOP'])(
  '%s is reported as a problem of the machine',
  (code) => {
    const told = describeFailure(Object.assign(new Error('open /srv/x'), { code }));
    expect(told).toEqual({
      code: 1,
      text: expect.stringMatching(new RegExp(`^(?:The|There|A) .+ \\(${code}\\)\\.$`)),
    });
  },
);

describe('a file that this user may not use', () => {
  it('is named, with the user who may use it', async () => {
    const folder = freshFolder();
    await importPeople(folder);
    const run = () => runHere(['graph', 'stats', '--data-dir', folder]);
    const { code, stderr } = await runAsOtherUser(folder, '', run);
    const text = `error: This user may not use ${join(folder, 'graph.db')} (EACCES). Correct its permissions, or run`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
  });

  it.each([
    [
      'EACCES',
      '/srv/data/secret',
      /^This user may not use \/srv\/data\/secret \(EACCES\)\. .* user of the data folder\.$/,
    ],
    ['EPERM', '/srv/data', /^This user may not use \/srv\/data \(EPERM\)\./],
    [
      'EROFS',
      '/srv/data/x',
      /^\/srv\/data\/x cannot be written, because its disk is mounted read-only \(EROFS\)\./,
    ],
    ['EACCES', join(tmpdir(), '.bonafide-scratch-1'), /\(EACCES\)\. Set TMPDIR to a folder/],
  ])('%s at %s', (code, path, text) => {
    const error = Object.assign(new Error(code), { code, path });
    expect(describeFailure(error)).toEqual({ code: 1, text: expect.stringMatching(text) });
  });
});

describe('a deprecated name', () => {
  it('of a command works, with a warning that names the new command', async () => {
    const { code, stdout, stderr } = await runHere(['graph', 'judgements', '--help']);
    expect([code, stderr]).toEqual([
      0,
      'warning: The command graph judgements is deprecated. Use graph manual-links.\n',
    ]);
    expect(stdout).toContain('USAGE bonafide graph manual-links');
  });

  it('of an option works, with and without an equals sign', async () => {
    const folder = freshFolder();
    const create = ['keys', 'create', '--name', 'x', '--json', '--data-dir', folder];
    for (const option of [['--allow', '192.0.2.0/24'], ['--allow=192.0.2.0/24']]) {
      const { stdout, stderr } = await runHere([...create, ...option]);
      expect(JSON.parse(stdout)).toMatchObject({ allowed_addresses: '192.0.2.0/24' });
      expect(stderr).toMatch(
        /^warning: The option keys create --allow is deprecated\. Use keys create --allowed-addresses\.$/m,
      );
    }
  });
});

it.each([
  ['0151 59384130', 'US', true],
  ['0151 59384130', 'DE', false],
  ['+49 151 59384130', 'US', false],
  ['(415) 555-0187', 'US', false],
])('check says that %s, in %s, is a number of another country: %s', async (phone, region, isSaid) => {
  const folder = freshFolder();
  await importPeople(folder);
  const args = ['check', '--name', 'Eva Lind', '--phone', phone, '--region', region, '--data-dir', folder];
  const { stderr } = await runHere(args);
  expect(stderr).not.toContain(phone);
  expect(stderr.includes('phone 1 is not a valid number in US, but in other countries.')).toBe(isSaid);
});
