import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ajv } from 'ajv';
import { SETTING_VARIABLE_NAMES, buildSettingsJsonSchema, loadConfig } from '../src/config.ts';
import type { ConfigSources } from '../src/config.ts';
import { freshFolder } from './kit/folder.ts';

const load = (sources: ConfigSources = {}, file?: [name: string, text: string]) => {
  const cwd = freshFolder();
  if (file) writeFileSync(join(cwd, file[0]), file[1]);
  return loadConfig({ env: {}, cwd, ...sources });
};

describe('settings', () => {
  it('have defaults', async () => {
    const cwd = freshFolder();
    expect(await loadConfig({ env: {}, cwd })).toEqual({
      dataDir: join(cwd, 'data/local'),
      host: '127.0.0.1',
      port: 8787,
      socketMode: '600',
      workers: 1,
      trustedProxies: [],
      region: 'US',
      log: 'auto',
      metrics: 'loopback',
      warmUp: '1s',
      plugins: [],
      nameTables: [],
      retentionDays: 90,
      idempotencyWindow: '24h',
      watches: false,
      recheckEveryHours: 24,
      webhookNetworks: [],
    });
  });

  it('are taken from flags, then environment, then file, then defaults', async () => {
    const file: [string, string] = [
      'bonafide.config.ts',
      'export default { port: 1 as number, host: "h1", region: "gb" };',
    ];
    const env = { BONAFIDE_PORT: '2', BONAFIDE_HOST: 'h2', BONAFIDE_LOG: '' };
    expect(await load({ env, flags: { port: '3' } }, file)).toMatchObject({
      port: 3,
      host: 'h2',
      region: 'GB',
      log: 'auto',
    });
  });

  it.each([
    ['bonafide.config.json', '{"port": 4}'],
    ['bonafide.config.jsonc', '{"port": 4, /* why */ }'],
    ['bonafide.config.mjs', 'export default { port: 4 }'],
    ['bonafide.config.yaml', 'port: 4'],
    ['bonafide.config.toml', 'port = 4'],
  ])('are read from %s', async (...file) => {
    expect((await load({}, file)).port).toBe(4);
  });

  it('can each be set by an environment variable', async () => {
    const env = Object.fromEntries(Object.values(SETTING_VARIABLE_NAMES).map((name) => [name, '']));
    const values = {
      dataDir: '/d',
      host: 'h',
      port: '9',
      listen: 'unix:/s',
      socketMode: '660',
      tls: 'cert=/c,key=/k',
      workers: 'auto',
      trustedProxies: '10.0.0.0/8, ::1',
      region: 'DE',
      secret: 'ab',
      log: 'json',
      metrics: 'key',
      tracing: 'endpoint=http://c:4318,header=X-Key: k,share=0.5',
      warmUp: '0s',
      plugins: '/a:/b',
      nameTables: '/n',
      retentionDays: '30',
      idempotencyWindow: '2d',
      watches: 'true',
      recheckEveryHours: '6',
      webhookNetworks: '10.0.0.0/8',
      backup: 'every=12h,to=/b,keep=3,withSecret=true',
    };
    for (const [option, name] of Object.entries(SETTING_VARIABLE_NAMES))
      env[name] = values[option as keyof typeof values];
    const backup = { every: '12h', to: '/b', keep: 3, withSecret: true };
    const tls = { cert: '/c', key: '/k' };
    const tracing = { endpoint: 'http://c:4318', header: 'X-Key: k', share: 0.5 };
    const lists = { trustedProxies: ['10.0.0.0/8', '::1'], plugins: ['/a', '/b'], nameTables: ['/n'] };
    expect(await load({ env })).toEqual({
      ...values,
      ...lists,
      tls,
      tracing,
      port: 9,
      watches: true,
      recheckEveryHours: 6,
      webhookNetworks: ['10.0.0.0/8'],
      retentionDays: 30,
      backup,
    });
  });
});

describe('settings that are wrong', () => {
  it.each([
    [{ flags: { port: '70000' } }, undefined, 'port (from --port) must be a whole number from 0 to 65535.'],
    [
      { env: { BONAFIDE_PORT: '8o8o' } },
      undefined,
      'port (from BONAFIDE_PORT) must be a whole number from 0 to 65535.',
    ],
    [
      { flags: { region: 'usa' } },
      undefined,
      'region (from --region) must be a country by its two ISO letters, such as US or GB.',
    ],
    [
      { flags: { region: 'UK' } },
      undefined,
      'region (from --region) must be a country by its two ISO letters, such as US or GB.',
    ],
    [
      { env: { BONAFIDE_LOG: 'loud' } },
      undefined,
      'log (from BONAFIDE_LOG) must be auto, json, pretty or silent.',
    ],
    [
      { flags: { workers: 'all' } },
      undefined,
      'workers (from --workers) must be auto or a whole number from 1 to 64.',
    ],
    [{}, '{"secret": 12345678}', 'secret (from bonafide.config.json) must be 64 hexadecimal characters.'],
    [
      { flags: { port: '70000', region: 'usa' } },
      undefined,
      'port (from --port) must be a whole number from 0 to 65535.\nregion (from --region) must be',
    ],
    [
      { env: { BONAFIDE_TRUSTED_PROXIES: 'proxy.example' } },
      undefined,
      'trustedProxies (from BONAFIDE_TRUSTED_PROXIES) must be a list of addresses and networks',
    ],
    [{}, '{"prot": 1}', 'Unknown setting prot (bonafide.config.json). Did you mean port?'],
    [{}, '{"xyzzy": 1}', 'Unknown setting xyzzy (bonafide.config.json). Valid settings: dataDir, host'],
    [{}, '[]', 'The settings file bonafide.config.json contains a list.'],
  ])('%j %s are named in the error, without their value', async (sources, text, message) => {
    const loading = load(sources, text === undefined ? undefined : ['bonafide.config.json', text]);
    await expect(loading).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(message),
    });
    await expect(loading).rejects.not.toMatchObject({ message: expect.stringContaining('12345678') });
  });

  it.each([
    [
      '{"graph": {"engine": "postgres", "url": "postgres://user:12345678@db"}}',
      'Unknown option graph.url for engine "postgres" (bonafide.config.json). Did you mean graph.database? Valid options: engine, serve, partial, keep, database,',
    ],
    [
      '{"graph": {"engine": "upstream", "deadline": 1}}',
      'Unknown option graph.deadline for engine "upstream" (bonafide.config.json). Did you mean graph.deadlineMs?',
    ],
    ['{"graph": {"postgres://user:12345678@db": 1}}', 'Unknown option of graph for engine "sqlite"'],
    ['{"graph": {"deadlineMs": 0}}', 'graph.deadlineMs'],
    ...[
      'graph", {"engine": "upstream", "url"',
      'webhook", {"secretFile": "s", "url"',
      'tracing", {"endpoint"',
    ].map((start) => [
      `{"${start.replace(',', ':')}: "https://user:12345678@host.example"}}`,
      'must be an http or https address without user and password',
    ]),
    ['{"tls": {"cert": "c"}}', 'tls.key is missing (bonafide.config.json). tls must be cert and key'],
    ['{"backup": {"every": "24h", "to": "/b", "kepp": 3}}', 'Did you mean backup.keep?'],
  ])('include an option inside a setting: %s', async (text, message) => {
    const loading = load({}, ['bonafide.config.json', text]);
    await expect(loading).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(message),
    });
    await expect(loading).rejects.not.toThrow('12345678');
  });

  it.each([
    ['BONAFIDE_DATADIR', 'Unknown environment variable BONAFIDE_DATADIR. Did you mean BONAFIDE_DATA_DIR?'],
    ['BONAFIDE_XYZZY', 'Unknown environment variable BONAFIDE_XYZZY. Valid variables: BONAFIDE_DATA_DIR'],
  ])('include a variable that belongs to no setting: %s', async (name, message) => {
    await expect(load({ env: { [name]: 'hush' } })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(message),
    });
    await expect(load({ env: { [name]: 'hush' } })).rejects.not.toThrow('hush');
  });

  it('do not include variables that Kubernetes sets for a service named bonafide', async () => {
    const env = {
      BONAFIDE_PORT: 'tcp://10.0.0.1:80',
      BONAFIDE_SERVICE_HOST: '10.0.0.1',
      BONAFIDE_SERVICE_PORT: '80',
      BONAFIDE_SERVICE_PORT_HTTP: '80',
      BONAFIDE_PORT_80_TCP: 'tcp://10.0.0.1:80',
      BONAFIDE_PORT_80_TCP_PROTO: 'tcp',
      BONAFIDE_PORT_80_TCP_PORT: '80',
      BONAFIDE_PORT_80_TCP_ADDR: '10.0.0.1',
      BONAFIDE_API_PORT: 'tcp://10.0.0.2:80',
      BONAFIDE_API_SERVICE_HOST: '10.0.0.2',
    };
    expect((await load({ env })).port).toBe(8787);
  });

  it('do not include variables that the AI features name as key_env', async () => {
    const dataDir = freshFolder();
    writeFileSync(
      join(dataDir, 'features.json'),
      '{"models":{"a":{"options":{"key_env":"BONAFIDE_MY_KEY"}}}}',
    );
    const env = { BONAFIDE_DATA_DIR: dataDir, BONAFIDE_MY_KEY: 'sk-x' };
    expect((await load({ env })).dataDir).toBe(dataDir);
    await expect(load({ env: { ...env, BONAFIDE_MY_KEI: 'sk-x' } })).rejects.toThrow(
      'Unknown environment variable',
    );
  });

  it('include a file that does not exist or cannot be read', async () => {
    await expect(load({ file: 'nothing.json' })).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(load({ file: freshFolder() })).rejects.toMatchObject({
      code: 'unreadable_file',
      message: expect.stringMatching(/is a folder/),
    });
    await expect(load({}, ['bonafide.config.mjs', 'export defau'])).rejects.toMatchObject({
      code: 'unreadable_file',
    });
  });
});

describe('the schema for editors', () => {
  it('accepts the same values as the settings, and describes each setting', async () => {
    const schema = (await buildSettingsJsonSchema()) as {
      properties: Record<string, { description?: string }>;
    };
    const takes = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const { $schema: _, ...properties } = schema.properties;
    expect(Object.keys(properties)).toEqual(Object.keys(SETTING_VARIABLE_NAMES));
    for (const { description } of Object.values(properties)) expect(description).toMatch(/\w.+: .+\./);
    const good = [
      {},
      { $schema: './s.json', port: 1 },
      { backup: { every: '24h', to: '/b' } },
      { region: 'GB' },
    ];
    for (const value of good) expect(takes(value)).toBe(true);
    const bad = [
      { prot: 1 },
      { port: '1' },
      { log: 'loud' },
      { tls: { cert: '/c' } },
      { backup: { evry: '1h' } },
    ];
    for (const value of bad) expect(takes(value)).toBe(false);
  });

  it('can be named in the settings file as $schema', async () => {
    const text = '{"$schema": "./bonafide.schema.json", "port": 4}';
    expect((await load({}, ['bonafide.config.json', text])).port).toBe(4);
  });
});

it('only the configuration and the launcher read process.env', () => {
  const root = new URL('../src/', import.meta.url).pathname;
  const readers = globSync('**/*.{ts,mjs}', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('process.env'),
  );
  // The launcher marks its child by a variable, before there is a configuration.
  expect(readers.toSorted()).toEqual(['bonafide.mjs', 'config.ts']);
});
