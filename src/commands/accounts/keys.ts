// Commands `bonafide keys`: create, list, verify, revoke and rotate API keys.
import { readFileSync } from 'node:fs';
import { getApiKeyState, type ApiKeyInfo } from '../../accounts/keys.ts';
import {
  type ApiKeyInLeakedText,
  toApiKeyJson,
  type LeakedApiKeyReport,
  type CreatedApiKeyJson,
  createApiKey,
  parseApiKeySettings,
} from '../../admin/keys.ts';
import type { StoreOperationResult } from '../../admin/store-operations.ts';
import { registerDataFolderDatabase } from '../../platform/data-folder.ts';
import { getKey, listKeys } from '../../store/keys.ts';
import {
  defineArgument,
  defineFlag,
  defineOption,
  defineOptionalArgument,
  parseDurationOption,
  parseCommaSeparatedList,
  defineRequiredOption,
  createUsageError,
} from '../helpers/arguments.ts';
import {
  defineCommand,
  defineCommandGroup,
  formatTable,
  formatTime,
  printResult,
} from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runAndPrintStoreOperation, runStoreOperation } from '../helpers/operations.ts';

const ID = { id: defineArgument('Id of the key (key_…), as `keys list` shows it') };

const create = defineCommand('Create an API key; the key is shown only once', {
  args: {
    name: defineRequiredOption('Purpose of the key'),
    scopes: {
      ...defineOption('Scopes, with commas: validate, read, raw, metrics, graph, admin'),
      default: 'validate',
    },
    test: defineFlag('Create a bf_test_ key: answers come from invented people and cost nothing'),
    account: defineOption('Account of the key; without an account the key has no plan and no quota', 'acc_…'),
    region: defineOption(
      'Country of phone numbers and addresses without a country (default: the region of the server)',
      'GB',
    ),
    'allowed-addresses': defineOption(
      'IP addresses and networks that may use the key, with commas (default any)',
      '192.0.2.0/24',
    ),
    expires: defineOption('Time until the key expires, such as 90d (default never)', 'time'),
  },
  examples: ['keys create --name shop', 'keys create --name audit --scopes validate,raw --expires 90d'],
  run: async (args) => {
    const { name, test, account, region, scopes, expires } = args;
    const now = Date.now();
    // Options are checked first: a wrong option must not create a data folder.
    const settings = parseApiKeySettings(
      {
        name,
        test,
        account,
        region,
        allowedAddresses: args['allowed-addresses'],
        scopes: parseCommaSeparatedList(scopes),
        expires: expires === undefined ? null : now + parseDurationOption(expires, '--expires'),
      },
      now,
    );
    const created = await withStore(args, 'create', (store, dataDir) => {
      const key = createApiKey(store, settings, now);
      if (dataDir !== null) registerDataFolderDatabase(dataDir, 'keys');
      return key;
    });
    printResult(args, created, formatNewKey(created));
  },
});

const formatNewKey = ({ key, id, name, scopes }: CreatedApiKeyJson) =>
  `${key}\n\n${id} (${name}), scopes ${scopes.join(', ')}. Store the key now: it is not shown again.`;

const KEY_COLUMNS = ['id', 'prefix', 'name', 'account', 'scopes', 'last used', 'state'];

const list = defineCommand('List the keys', {
  run: async (args) => {
    const keys = await withStore(args, 'empty', (store) => listKeys(store));
    const rows = keys.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.account ?? 'no account',
      key.scopes.join(','),
      formatTime(key.lastUsed) ?? 'never',
      formatState(key),
    ]);
    const text = 'There are no keys. Create one: bonafide keys create --name NAME';
    printResult(args, keys.map(toApiKeyJson), rows.length === 0 ? text : formatTable([KEY_COLUMNS, ...rows]));
  },
});

const show = defineCommand('Show a key: scopes, allowed addresses, last use', {
  args: ID,
  examples: ['keys show key_4fJ2kQx81LmZ'],
  run: async (args) => {
    const key = await withStore(args, 'empty', (store) => getKey(store, args.id));
    printResult(args, toApiKeyJson(key), formatKey(key));
  },
});

const probes = defineCommand('Show the checks of each key in the last day, and suspected harvesting', {
  run: async (args) => {
    const { items } = await runStoreOperation(args, 'keys.probes', null);
    printResult(args, items, formatProbes(items));
  },
});

const verify = defineCommand('Find keys in a leaked text, and tell whether they work', {
  args: {
    string: defineOptionalArgument(
      'The text; by default standard input is read, which keeps the text out of the shell history',
    ),
  },
  examples: ['keys verify < leaked.txt', 'keys verify bf_live_…'],
  run: async (args) => {
    const result = await runStoreOperation(args, 'keys.verify', readLeakedText(args.string));
    printResult(args, result, formatLeakedKeys(result));
    // A key of another installation may work there, so it counts as a problem too.
    return result.keys.some(({ is, live }) => live || is === 'not ours') ? 1 : 0;
  },
});

const revoke = defineCommand('Revoke a key, and the key that it replaced', {
  args: ID,
  examples: ['keys revoke key_4fJ2kQx81LmZ'],
  run: (args) =>
    runAndPrintStoreOperation(
      args,
      'keys.revoke',
      args.id,
      ({ id, name }) => `${id} (${name}) is revoked. Calls with the key are refused from now on.`,
    ),
});

const rotate = defineCommand('Replace a key; the old key stays valid for some time', {
  args: {
    ...ID,
    grace: { ...defineOption('Time that the old key stays valid', 'time'), default: '24h' },
  },
  examples: ['keys rotate key_4fJ2kQx81LmZ', 'keys rotate key_4fJ2kQx81LmZ --grace 7d'],
  run: async (args) => {
    const { id, grace } = args;
    parseDurationOption(grace, '--grace');
    const { made, old } = await runStoreOperation(args, 'keys.rotate', { id, grace });
    printResult(args, made, `${formatNewKey(made)}\n${old.id} stays valid until ${old.expires}.`);
  },
});

export const keysCommands = defineCommandGroup('Create, list, verify, revoke and rotate API keys', {
  subCommands: { create, list, show, probes, verify, revoke, rotate },
  examples: ['keys create --name shop', 'keys list'],
});

function formatKey(key: ApiKeyInfo): string {
  const rows = [
    ['key', `${key.prefix}…`],
    ['name', key.name],
    ['account', key.account ?? 'none (no plan, no quota)'],
    ['scopes', key.scopes.join(', ')],
    ['region', key.region ?? 'region of the server'],
    ['allowed from', key.allowedAddresses ?? 'any address'],
    ['created', formatTime(key.created)],
    ['last used', formatTime(key.lastUsed) ?? 'never'],
    ['state', formatState(key)],
  ];
  return `${key.id}\n${formatTable(rows)}`;
}

function formatState(key: ApiKeyInfo): string {
  const { revoked, expires, rotatedTo } = key;
  const state = getApiKeyState(key, Date.now());
  if (state !== 'valid') return `${state} ${formatTime(revoked ?? expires)}`;
  if (expires === null) return state;
  return `valid until ${formatTime(expires)}${rotatedTo === null ? '' : `, replaced by ${rotatedTo}`}`;
}

function formatProbes(items: StoreOperationResult<'keys.probes'>['items']): string {
  if (items.length === 0) return 'No key made a check in the last day.';
  const titles = [
    'key',
    'checks',
    'name only',
    'one value',
    'not on record',
    'new values',
    'consecutive',
    '',
  ];
  const rows = items.map((item) => [
    item.key,
    ...[item.checks, item.name_only, item.one_value, item.without_record, item.fresh, item.runs].map(String),
    item.suspicion === 'quiet' ? '' : `${item.suspicion}: ${item.why.join(', ')}`,
  ]);
  return formatTable([titles, ...rows]);
}

/**
 * Returns the text in which leaked API keys are searched: the argument, or standard input for `-` or no argument. Errors: invalid_arguments for an
 * empty text.
 */
function readLeakedText(word: string | undefined): string {
  const text = word === undefined || word === '-' ? readFileSync(0, 'utf8') : word;
  if (text.trim() === '')
    throw createUsageError('The text is empty. Give the text as an argument or on standard input.');
  return text;
}

function formatLeakedKeys({ keys }: LeakedApiKeyReport): string {
  if (keys.length === 0)
    return 'This text contains no API key (no word has the form and the checksum of a key).';
  return keys.map((key, i) => `${keys.length > 1 ? `${i + 1}. ` : ''}${formatLeakedKey(key)}`).join('\n');
}

function formatLeakedKey({ key, live }: ApiKeyInLeakedText): string {
  if (!key) return 'This has the form of a key, but is not a key of this data folder.';
  const name = `${key.id} (${key.name})`;
  return live
    ? `This is ${name}, and it works. Revoke it now: bonafide keys revoke ${key.id}`
    : `This is ${name}. It does not work any more.`;
}
