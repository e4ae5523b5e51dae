// bonafide config show | check | schema
import { buildSettingsSchema, readConfig, listSettings, environment, type Config } from '../config.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from './shared/command.ts';
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { calibrationOf } from '../app/calibrations.ts';
import { BonafideError } from '../errors.ts';
import { checkGraphSettings } from '../graph/engines.ts';
import { parseSecret } from '../graph/encryption/secret.ts';
import { passphraseOf } from '../maintenance/file/passphrase.ts';
import { readSigningSecret } from '../store/serving/notices.ts';
import { getStoreLocation } from '../store/open.ts';

const show = defineCommand({
  meta: { name: 'show', description: 'Every setting, its value and where it came from; secrets are hidden' },
  args: COMMON_OPTIONS,
  examples: ['config show', 'config show --config /etc/bonafide/bonafide.config.yaml'],
  async run({ args }) {
    const { config, origin } = await readConfig({ file: args.config, flags: { dataDir: args['data-dir'] } });
    const rows = listSettings(config, origin);
    const text = ({ value }: (typeof rows)[number]) =>
      value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
    print(
      args,
      Object.fromEntries(rows.map(({ setting, value, from }) => [setting, { value, from }])),
      formatTable([['setting', 'value', 'from'], ...rows.map((row) => [row.setting, text(row), row.from])]),
    );
  },
});

const check = defineCommand({
  meta: {
    name: 'check',
    description: 'Whether the settings can be used, and the files that they name are there',
  },
  args: COMMON_OPTIONS,
  examples: ['config check'],
  async run({ args }) {
    const { config } = await readConfig({ file: args.config, flags: { dataDir: args['data-dir'] } });
    requireUsable(config);
    print(args, { ok: true }, 'The settings are in order.');
  },
});

const schema = defineCommand({
  meta: { name: 'schema', description: 'The schema of the settings file (JSON Schema), for editors' },
  args: COMMON_OPTIONS,
  examples: ['config schema > bonafide.schema.json'],
  async run() {
    process.stdout.write(`${JSON.stringify(await buildSettingsSchema(), null, 2)}\n`);
  },
});

export default defineCommand({
  meta: { name: 'config', description: 'Look at the settings' },
  subCommands: { show, check, schema },
});

// Whether what the settings name is there and can be used.
/** What `serve` would stop at is told, a line for each setting; a certificate is its key's. Errors: invalid_config. */
function requireUsable(config: Config): void {
  const missing = missingFiles(config);
  const wrong = [
    ...missing.map(({ text }) => text),
    ...unusable(config, new Set(missing.map((one) => one.setting))),
  ];
  if (wrong.length > 0) throw new BonafideError('invalid_config', wrong.join('\n'));
}

function missingFiles({ plugins, nameTables, tls, backup, webhook, store }: Config) {
  const named: [setting: string, files: (string | undefined)[]][] = [
    ['plugins', plugins],
    ['nameTables', nameTables],
    ['tls.cert', [tls?.cert]],
    ['tls.key', [tls?.key]],
    ['backup.passphraseFile', [backup?.passphraseFile]],
    ['webhook.secretFile', [webhook?.secretFile]],
    ['store.urlFile', [store?.urlFile]],
  ];
  return named.flatMap(([setting, files]) =>
    files
      .filter((file) => file !== undefined && !existsSync(file))
      .map((file) => ({ setting, text: `${setting} names ${file}, and there is no such file.` })),
  );
}

/** What the settings whose files are there cannot be used for. */
function unusable(config: Config, missing: ReadonlySet<string>): string[] {
  const { secret, webhook, backup, tls } = config;
  const tries: [setting: string, attempt: () => unknown][] = [
    ['secret', () => secret === undefined || parseSecret(secret, 'the settings')],
    ['calibration', () => calibrationOf(config)],
    ['graph', () => checkGraphSettings({ ...config, env: environment }, config.plugins.length > 0)],
    ['webhook.secretFile', () => webhook && readSigningSecret(webhook.secretFile)],
    ['store.urlFile', () => getStoreLocation(config)],
    ['backup.passphraseFile', () => passphraseOf(backup?.passphraseFile)],
    ['backup.to', () => backup && requireFolder(backup.to)],
    ['tls.cert', () => tls && !missing.has('tls.key') && requirePair(tls)],
  ];
  return tries.flatMap(([setting, attempt]) => {
    const why = missing.has(setting) ? null : failure(attempt);
    return why === null ? [] : [`${setting}: ${why}`];
  });
}

function failure(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return error instanceof BonafideError ? error.message : 'it cannot be read.';
  }
}

/**
 * A folder that can be written in, or made in the nearest one above it that is there. Tried, since permissions do not tell of file systems that
 * take nothing, and root may do all. Errors: invalid_config.
 */
function requireFolder(folder: string): void {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    rmdirSync(mkdtempSync(join(there, '.bonafide-check-')));
  } catch {
    throw new BonafideError('invalid_config', `the folder ${folder} cannot be made or written in.`);
  }
}

function requirePair({ cert, key }: NonNullable<Config['tls']>): void {
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
  } catch {
    throw new BonafideError('invalid_config', 'the certificate and the key of tls do not fit.');
  }
}
