// Command `bonafide graph rekey`: a new secret for the graph.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Config, DEFAULT_GRAPH_SETTINGS, listConfiguredGraphEngines } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { formatRecordAndIdentityCounts } from '../../evaluate/report/words.ts';
import { computeStoreSecretCheckValue } from '../../graph/encryption/fingerprints.ts';
import { loadOrCreateSecret, normaliseSecretHex } from '../../graph/encryption/secret.ts';
import { getGraphFilePath } from '../../graph/sqlite/open.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import { changeGraphSecret } from '../../people/rekey.ts';
import { replaceFile, readTextFile } from '../../platform/files.ts';
import { updateSecretCheckValueOfSharedStore } from '../../store/open.ts';
import { rekeyJobs } from '../../jobs/job.ts';
import { createWatchAndJobEraser } from '../../watches/forget.ts';
import { reencryptWatchesAndWebhookSecrets } from '../../watches/watch.ts';
import { defineOption, createUsageError, YES_OPTION } from '../helpers/arguments.ts';
import { defineCommand, loadSettings, printResult } from '../helpers/command.ts';
import { recordCommandInAuditLog } from '../helpers/open.ts';
import { createRecordsProgressBar, requireConfirmation } from '../helpers/terminal.ts';

export const graphChangeSecretCommand = defineCommand('Give the graph a new secret; stop the server first', {
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
    const usesSecretFile = secret === undefined;
    if (!usesSecretFile && args.to === undefined)
      throw createUsageError(
        'The secret comes from BONAFIDE_SECRET. Name a file for the new secret with --to FILE, and set BONAFIDE_SECRET to its content afterwards.',
      );
    await requireConfirmation(
      'Give the graph a new secret? Earlier backups can then be opened with the old secret only.',
      args.yes === true,
    );
    const newSecret = readOrCreateSecret(dataDir, args.to);
    const bar = createRecordsProgressBar(args.json === true, 'a new secret');
    const present = loadOrCreateSecret(dataDir, secret);
    const result = await changeGraphSecret({
      dataDir,
      secret: present,
      next: newSecret,
      ownFile: usesSecretFile,
      watchEraser: createWatchAndJobEraser(config),
      onProgress: ({ phase, done }) =>
        bar.show({ phase: phase === 'publishing' ? phase : 'linking', records: 0, done }),
    }).finally(bar.stop);
    const action = { act: 'graph.rekey', target: '', detail: { ...result } } as const;
    recordCommandInAuditLog(config, action, (store, location) => {
      reencryptWatchesAndWebhookSecrets(store.raw, { secret: present, next: newSecret }, Date.now());
      rekeyJobs(store.raw, { secret: present, next: newSecret });
      updateSecretCheckValueOfSharedStore(location, store, computeStoreSecretCheckValue(newSecret));
    });
    const lines = [
      `The graph has a new secret. Its ${formatRecordAndIdentityCounts(result)} kept their numbers.`,
      ...(usesSecretFile
        ? []
        : [`Set BONAFIDE_SECRET to the content of ${args.to} before you run anything else.`]),
      'Earlier backups can be opened with the old secret only. Keep a copy of the new secret apart from the databases.',
    ];
    printResult(args, result, lines.join('\n'));
  },
});

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

/**
 * Returns the secret in the file; if the file does not exist, creates it with a new secret. An interrupted run can be repeated with the same
 * file.
 */
function readOrCreateSecret(dataDir: string, file: string | undefined): string {
  if (file !== undefined) {
    requireNotOwnDataFile(dataDir, file);
    if (existsSync(file)) return normaliseSecretHex(readTextFile(file), file);
  }
  const secret = randomBytes(32).toString('hex');
  if (file !== undefined) replaceFile(file, `${secret}\n`);
  return secret;
}
