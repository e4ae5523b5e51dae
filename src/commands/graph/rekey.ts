// Command `bonafide graph rekey`: a new secret for the graph.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Config, DEFAULT_GRAPH_SETTINGS, listConfiguredGraphEngines } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { formatRecordAndIdentityCounts } from '../../evaluate/report/words.ts';
import { computeStoreSecretCheckValue } from '../../graph/encryption/fingerprints.ts';
import { findSecret, loadOrCreateSecret, normaliseSecretHex } from '../../graph/encryption/secret.ts';
import { getGraphFilePath, openSqliteGraph } from '../../graph/sqlite/open.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import {
  changeGraphSecret,
  findInterruptedRekey,
  type RekeyResult,
  removeOldSecret,
  type SecretChange,
} from '../../people/rekey.ts';
import { replaceFile, readTextFile } from '../../platform/files.ts';
import { recordAuditEntry } from '../../store/audit.ts';
import { updateSecretCheckValueOfSharedStore } from '../../store/open.ts';
import { rekeyJobs } from '../../jobs/job.ts';
import { createWatchAndJobEraser } from '../../watches/forget.ts';
import { reencryptWatchesAndWebhookSecrets } from '../../watches/watch.ts';
import { defineOption, createUsageError, YES_OPTION } from '../helpers/arguments.ts';
import { defineCommand, loadSettings, printNote, printResult } from '../helpers/command.ts';
import { openConfiguredStore, type OpenedStore } from '../helpers/open.ts';
import { createRecordsProgressBar, requireConfirmation } from '../helpers/terminal.ts';

export const graphRekeyCommand = defineCommand('Give the graph a new secret; stop the server first', {
  args: {
    to: defineOption(
      'File of the new secret; created if it does not exist. Required if the secret comes from BONAFIDE_SECRET',
      'file',
    ),
    ...YES_OPTION,
  },
  examples: ['graph rekey', 'graph rekey --to /etc/bonafide/secret.new --yes'],
  run: async (args) => {
    const config = await loadSettings(args);
    const { dataDir, secret } = config;
    requireEmbeddedGraph(config);
    const interrupted = await findInterruptedRekey(dataDir, secret, readSecretIfExists(dataDir, args.to));
    // BONAFIDE_SECRET may already be the new secret of an interrupted change.
    const isConfigured = secret === undefined || interrupted?.next === findSecret(dataDir, secret);
    if (!isConfigured && args.to === undefined)
      throw createUsageError(
        'The secret comes from BONAFIDE_SECRET. Name a file for the new secret with --to FILE, and set BONAFIDE_SECRET to its content afterwards.',
      );
    const result = interrupted ? await completeRekey(config, interrupted) : await changeSecret(config, args);
    const lines = [
      `The graph has a new secret. Its ${formatRecordAndIdentityCounts(result)} kept their numbers.`,
      ...(isConfigured
        ? []
        : [`Set BONAFIDE_SECRET to the content of ${args.to} before you run anything else.`]),
      'Earlier backups can be opened with the old secret only. Keep a copy of the new secret apart from the databases.',
    ];
    printResult(args, result, lines.join('\n'));
  },
});

/** Asks the operator, and changes the secret of the graph and of the store. */
async function changeSecret(
  config: Config,
  args: { to?: string | undefined; yes?: boolean | undefined; json?: boolean | undefined },
): Promise<RekeyResult> {
  const { dataDir, secret } = config;
  await requireConfirmation(
    'Give the graph a new secret? Earlier backups can then be opened with the old secret only.',
    args.yes === true,
  );
  const present = loadOrCreateSecret(dataDir, secret);
  const change = { secret: present, next: readOrCreateSecret(dataDir, args.to) };
  if (secret !== undefined && change.next === present)
    throw createUsageError(
      `${args.to} contains the secret of BONAFIDE_SECRET. If this command was interrupted, set BONAFIDE_SECRET to the old secret and repeat it. Otherwise name another file.`,
    );
  const bar = createRecordsProgressBar(args.json === true, 'a new secret');
  const opened = openConfiguredStore(config);
  try {
    return await changeGraphSecret({
      dataDir,
      ...change,
      ownFile: secret === undefined,
      watchEraser: createWatchAndJobEraser(config),
      changeStore: (result, replaceFiles) => changeSecretOfStore(opened, change, result, replaceFiles),
      onProgress: ({ phase, done }) =>
        bar.show({ phase: phase === 'publishing' ? phase : 'linking', records: 0, done }),
    });
  } finally {
    bar.stop();
    opened.store.close();
  }
}

/** Completes a change of the secret that was interrupted after the graph got its new secret. */
async function completeRekey(config: Config, change: SecretChange): Promise<RekeyResult> {
  const { dataDir } = config;
  const graph = openSqliteGraph({ dataDir, secret: change.next, create: false });
  const [records, { identities }] = [await graph.records.count(), await graph.stats()];
  await graph.close();
  const result = { records, identities };
  const opened = openConfiguredStore(config);
  try {
    changeSecretOfStore(opened, change, result);
  } finally {
    opened.store.close();
  }
  removeOldSecret(dataDir);
  printNote(
    'Completed a change of the secret that was interrupted. To change the secret again, repeat the command.',
  );
  return result;
}

/** In one transaction, encrypts the content of the store under the new secret, adds an audit log entry, and calls `replaceFiles`. */
function changeSecretOfStore(
  { store, location }: OpenedStore,
  change: SecretChange,
  result: RekeyResult,
  replaceFiles: () => void = () => undefined,
): void {
  const { raw } = store;
  // An error of `replaceFiles` is about the files of the graph, not about the store.
  let isReplacing = false;
  try {
    raw
      .transaction(() => {
        reencryptWatchesAndWebhookSecrets(raw, change, Date.now());
        rekeyJobs(raw, change);
        updateSecretCheckValueOfSharedStore(location, store, computeStoreSecretCheckValue(change.next));
        recordAuditEntry(store, { act: 'graph.rekey', target: '', detail: { ...result } });
        isReplacing = true;
        replaceFiles();
        isReplacing = false;
      })
      .immediate();
  } catch (error) {
    throw isReplacing ? error : store.toStoreError(error);
  }
}

/** Throws unless the graph is stored in files of the data folder. Errors: invalid_arguments, graph_unavailable. */
function requireEmbeddedGraph({ graph = DEFAULT_GRAPH_SETTINGS, dataDir }: Config): void {
  const engines = listConfiguredGraphEngines(graph);
  if (!engines.includes('sqlite'))
    throw createUsageError(
      engines.includes('postgres')
        ? 'A graph in PostgreSQL gets a new secret in the data folder. Stop all servers, copy the graph with `bonafide migrate-to sqlite --only graph`, rekey it there, and copy it into an empty database. See the page PostgreSQL: bonafide docs postgres'
        : 'Only the embedded graph (engine sqlite) has its own secret.',
    );
  if (!existsSync(getGraphFilePath(dataDir)))
    throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}. Import records first.`);
}

/** Returns the secret in the file; null if no file is given or it does not exist. Errors: invalid_arguments, wrong_secret. */
function readSecretIfExists(dataDir: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  requireNotOwnDataFile(dataDir, file);
  return existsSync(file) ? normaliseSecretHex(readTextFile(file), file) : null;
}

/**
 * Returns the secret in the file; if the file does not exist, creates it with a new secret. An interrupted run can be repeated with the same
 * file.
 */
function readOrCreateSecret(dataDir: string, file: string | undefined): string {
  const existing = readSecretIfExists(dataDir, file);
  if (existing !== null) return existing;
  const secret = randomBytes(32).toString('hex');
  if (file !== undefined) replaceFile(file, `${secret}\n`);
  return secret;
}
