import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { getConfiguredCalibration } from '../app/calibrations.ts';
import {
  buildSettingsJsonSchema,
  processEnvironment,
  listSettings,
  loadConfigWithOrigins,
  type Config,
} from '../config.ts';
import { BonafideError } from '../errors.ts';
import { normaliseSecretHex } from '../graph/encryption/secret.ts';
import { checkGraphSettings } from '../graph/engines.ts';
import { readPassphrase } from '../maintenance/schedule.ts';
import { readTextFile } from '../platform/files.ts';
import { getStoreLocation } from '../store/open.ts';
import { readWebhookSigningSecret } from '../store/serving/notices.ts';
import { requireFile } from './helpers/files.ts';
import {
  type CommonArgs,
  defineCommand,
  defineCommandGroup,
  formatTable,
  printResult,
} from './helpers/command.ts';

const readSettings = (args: CommonArgs) =>
  loadConfigWithOrigins({ file: args.config, flags: { dataDir: args['data-dir'] } });

const show = defineCommand('Show every setting with its value and its source; secrets are hidden', {
  examples: ['config show', 'config show --config /etc/bonafide/bonafide.config.yaml'],
  run: async (args) => {
    const { config, origin } = await readSettings(args);
    const settings = listSettings(config, origin);
    const formatValue = (value: unknown) =>
      value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
    printResult(
      args,
      Object.fromEntries(settings.map(({ setting, value, from }) => [setting, { value, from }])),
      formatTable([
        ['setting', 'value', 'from'],
        ...settings.map(({ setting, value, from }) => [setting, formatValue(value), from]),
      ]),
    );
  },
});

const check = defineCommand('Check that the settings are valid, and the files that they name usable', {
  examples: ['config check'],
  run: async (args) => {
    const { config } = await readSettings(args);
    requireUsable(config);
    printResult(args, { ok: true }, 'The settings are valid.');
  },
});

const schema = defineCommand('Print the JSON Schema of the settings file, for editors', {
  examples: ['config schema > bonafide.schema.json'],
  run: async () => void process.stdout.write(`${JSON.stringify(await buildSettingsJsonSchema(), null, 2)}\n`),
});

export const configCommands = defineCommandGroup('Show and check the settings', {
  subCommands: { show, check, schema },
  examples: ['config show', 'config check'],
});

/** Throws if the settings have a problem that would stop `serve`. The message has one line for each problem. Errors: invalid_config. */
function requireUsable(config: Config): void {
  const { plugins, nameTables, secret, webhook, backup, tls, store } = config;
  const attempts: [setting: string, attempt: () => unknown][] = [
    ['plugins', () => plugins.forEach(requireFile)],
    ['nameTables', () => nameTables.forEach(requireFile)],
    ['secret', () => secret === undefined || normaliseSecretHex(secret, 'the settings')],
    ['calibration', () => getConfiguredCalibration(config)],
    ['graph', () => checkGraphSettings({ ...config, env: processEnvironment }, plugins.length > 0)],
    ['webhook.secretFile', () => webhook && readWebhookSigningSecret(existing(webhook.secretFile))],
    ['store.urlFile', () => store?.urlFile && existing(store.urlFile) && getStoreLocation(config)],
    [
      'backup.passphraseFile',
      () => readPassphrase(backup?.passphraseFile && existing(backup.passphraseFile)),
    ],
    ['backup.to', () => backup && requireWritableFolder(backup.to)],
    ['tls.cert', () => tls && requireFile(tls.cert)],
    ['tls.key', () => tls && requireFile(tls.key)],
    ['tls', () => tls && existsSync(tls.cert) && existsSync(tls.key) && requireMatchingPair(tls)],
  ];
  const lines = attempts.flatMap(([setting, attempt]) => {
    try {
      attempt();
      return [];
    } catch (error) {
      return [`${setting}: ${error instanceof BonafideError ? error.message : 'the file cannot be read.'}`];
    }
  });
  if (lines.length > 0) throw new BonafideError('invalid_config', lines.join('\n'));
}

/** Returns the path if the file exists. Errors: file_not_found. */
function existing(file: string): string {
  requireFile(file);
  return file;
}

/**
 * Throws if a folder cannot be created or written to. The test creates and removes a temporary folder, because file modes do not show every
 * obstacle. Errors: invalid_config.
 */
function requireWritableFolder(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    rmdirSync(mkdtempSync(join(existing, '.bonafide-check-')));
  } catch {
    throw new BonafideError(
      'invalid_config',
      `the folder ${folder} cannot be created or written to. Check its permissions.`,
    );
  }
}

function requireMatchingPair({ cert, key }: NonNullable<Config['tls']>): void {
  try {
    createSecureContext({ cert: readTextFile(cert), key: readTextFile(key) });
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    throw new BonafideError(
      'invalid_config',
      'the certificate tls.cert does not match the private key tls.key. Name a matching pair.',
    );
  }
}
