// Commands `bonafide backup` and `bonafide restore`: the data folder as one file, and back.
import { listUnconfiguredDatabaseFiles } from '../../graph/engines.ts';
import { requireSecret } from '../../graph/encryption/secret.ts';
import { createBackup, describeOmittedDatabases } from '../../maintenance/backup.ts';
import { readPassphrase } from '../../maintenance/schedule.ts';
import type { BackupProgress } from '../../maintenance/file/archive.ts';
import { restoreBackup } from '../../maintenance/restore.ts';
import type { DatabaseRowCounts } from '../../maintenance/sqlite/facts.ts';
import { listRestoredPeopleWarnings, markRestored } from '../../people/erase/receipts.ts';
import { formatBytes } from '../../platform/files.ts';
import { defineArgument, defineFlag, defineOption } from '../helpers/arguments.ts';
import { defineCommand, loadSettings, printResult } from '../helpers/command.ts';
import { recordCommandInAuditLog } from '../helpers/open.ts';
import { createProgressBar } from '../helpers/terminal.ts';

const PASSPHRASE_OPTION = {
  'passphrase-file': defineOption('File whose first line is the passphrase of an encrypted backup', 'file'),
};

export const backupCommand = defineCommand('Back up the data folder into one file; a server may run', {
  args: {
    file: defineArgument('File for the backup', 'FILE'),
    ...PASSPHRASE_OPTION,
    'with-secret': defineFlag('Include the secret of the graph'),
    force: defineFlag('Replace an existing file'),
  },
  examples: [
    'backup /backups/bonafide.tar',
    'backup /backups/bonafide.tar.age --passphrase-file /etc/bonafide/passphrase --with-secret',
  ],
  run: async (args) => {
    const config = await loadSettings(args);
    const { dataDir, secret } = config;
    const bar = stepProgressBar('backup', args.json);
    const elsewhere = listUnconfiguredDatabaseFiles(config);
    const result = await createBackup({
      dataDir,
      file: args.file,
      configuredSecret: secret,
      secret: args['with-secret'] ? requireSecret(dataDir, secret, NO_SECRET_ADVICE) : undefined,
      passphrase: readPassphrase(args['passphrase-file']),
      force: args.force,
      elsewhere,
      now: Date.now(),
      onProgress: bar.show,
    }).finally(bar.stop);
    const { file, bytes, databases, encrypted } = result;
    recordCommandInAuditLog(config, {
      act: 'backup.create',
      target: '',
      detail: { bytes, encrypted, secret: result.secret },
    });
    const lines = [
      `${file}: ${formatBytes(bytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}, read back and verified`,
      ...formatCounts(databases),
      result.secret
        ? `The backup contains the secret: everyone who can read the file${encrypted ? ' and knows the passphrase' : ''} can read the names in the graph.`
        : 'The backup does not contain the secret. Keep a copy of the secret in another place.',
      ...(elsewhere.length > 0 ? [describeOmittedDatabases(elsewhere)] : []),
    ];
    printResult(args, result, lines.join('\n'));
  },
});

const NO_SECRET_ADVICE = 'For a backup without the secret, leave out --with-secret.';

export const restoreCommand = defineCommand('Restore a data folder from a backup, completely or not at all', {
  args: {
    file: defineArgument('File of the backup', 'FILE'),
    ...PASSPHRASE_OPTION,
    force: defineFlag('Replace existing databases; they are moved into a folder of their own'),
  },
  examples: ['restore /backups/bonafide.tar --data-dir /var/lib/bonafide'],
  run: async (args) => {
    const config = await loadSettings(args);
    const { dataDir, secret } = config;
    const bar = stepProgressBar('restore', args.json);
    const result = await restoreBackup({
      file: args.file,
      dataDir,
      secret,
      passphrase: readPassphrase(args['passphrase-file']),
      force: args.force,
      now: Date.now(),
      onProgress: bar.show,
    }).finally(bar.stop);
    recordCommandInAuditLog(config, { act: 'backup.restore', target: '', detail: { made: result.made } });
    markRestored(dataDir, result.made, Date.now());
    const warnings = listRestoredPeopleWarnings(dataDir);
    const lines = [
      `${result.dataDir} has the data of the backup of ${result.made}`,
      ...formatCounts(result.databases),
      ...(result.replaced
        ? [
            `The earlier files are in ${result.replaced}. Delete that folder when you do not need it any more.`,
          ]
        : []),
      ...warnings,
      ...(result.secret
        ? []
        : [
            'The backup does not contain the secret. Copy the file "secret" into the folder before you start a server.',
          ]),
    ];
    printResult(args, { ...result, warnings }, lines.join('\n'));
  },
});

function stepProgressBar(title: string, quiet = false) {
  const bar = createProgressBar({ quiet, title });
  return {
    show: ({ step, done }: BackupProgress) => bar.show({ phase: step, done }),
    stop: bar.stop,
  };
}

function formatCounts(databases: Record<string, DatabaseRowCounts>): string[] {
  return Object.entries(databases).map(([name, { tables }]) => {
    const counts = Object.entries(tables).filter(([, count]) => count > 0);
    return `${name}: ${counts.map(([table, count]) => `${count} ${table}`).join(', ') || 'empty'}`;
  });
}
