import { recordAction } from '../shared/open.ts';
import { loadSecret } from '../../graph/encryption/secret.ts';
import { passphraseOf } from '../../maintenance/file/passphrase.ts';
import { backup } from '../../maintenance/backup.ts';
import { sizeText } from '../../platform/space.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print } from '../shared/command.ts';
import { stepProgressBar } from '../shared/terminal.ts';
import { MAY_BE_BACK, noteRestored } from '../../people/erase/returned.ts';
import { restore } from '../../maintenance/restore.ts';
import type { Counts } from '../../maintenance/sqlite/facts.ts';

/** The option of the commands that encrypt or open a backup. */
const PASSPHRASE = {
  'passphrase-file': {
    type: 'string',
    description: 'File whose first line is the passphrase of an encrypted backup',
    valueHint: 'file',
  },
} as const;

export const backupCommand = defineCommand({
  meta: { name: 'backup', description: 'Back the data folder up into one file, also while it is served' },
  args: {
    file: { type: 'positional', description: 'Where the backup goes', required: true, valueHint: 'FILE' },
    ...COMMON_OPTIONS,
    ...PASSPHRASE,
    'with-secret': { type: 'boolean', description: 'Put the secret into it as well' },
    force: { type: 'boolean', description: 'Replace a file that is there' },
  },
  examples: [
    'backup /backups/bonafide.tar',
    'backup /backups/bonafide.tar.age --passphrase-file /etc/bonafide/passphrase --with-secret',
  ],
  async run({ args }) {
    const config = await loadSettings(args);
    const { dataDir, secret } = config;
    const bar = stepProgressBar(args.json === true);
    const made = await backup({
      dataDir,
      file: args.file,
      secret: args['with-secret'] ? loadSecret(dataDir, secret) : undefined,
      passphrase: passphraseOf(args['passphrase-file']),
      force: args.force,
      now: Date.now(),
      onProgress: bar.show,
    }).finally(bar.stop);
    const { file, bytes, databases, encrypted } = made;
    recordAction(config, {
      act: 'backup.create',
      target: '',
      detail: { bytes, encrypted, secret: made.secret },
    });
    const lines = [
      `${file}: ${sizeText(bytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}, read back and compared`,
      ...countsText(databases),
      made.secret
        ? 'The secret is in it: whoever reads it can read the names in the graph.'
        : 'The secret is not in it: keep a copy of it elsewhere.',
    ];
    print(args, made, lines.join('\n'));
  },
});

export const restoreCommand = defineCommand({
  meta: { name: 'restore', description: 'Restore a data folder from a backup: all of it or nothing' },
  args: {
    file: { type: 'positional', description: 'The backup', required: true, valueHint: 'FILE' },
    ...COMMON_OPTIONS,
    ...PASSPHRASE,
    force: { type: 'boolean', description: 'Put it in the place of databases that are there; they are kept' },
  },
  examples: ['restore /backups/bonafide.tar --data-dir /var/lib/bonafide'],
  async run({ args }) {
    const config = await loadSettings(args);
    const { dataDir, secret } = config;
    const bar = stepProgressBar(args.json === true);
    const done = await restore({
      file: args.file,
      dataDir,
      secret,
      passphrase: passphraseOf(args['passphrase-file']),
      force: args.force,
      now: Date.now(),
      onProgress: bar.show,
    }).finally(bar.stop);
    recordAction(config, { act: 'backup.restore', target: '', detail: { made: done.made } });
    const lines = [`${done.dataDir} is as it was on ${done.made}`, ...countsText(done.databases)];
    if (done.replaced)
      lines.push(`What was there before is in ${done.replaced}: delete it when all is well.`);
    const warnings = noteRestored(dataDir, done.made) ? [MAY_BE_BACK] : [];
    lines.push(...warnings);
    if (!done.secret)
      lines.push('The secret was not in the backup: put the file "secret" into the folder before serving.');
    print(args, { ...done, warnings }, lines.join('\n'));
  },
});

/** What databases hold, a line each: `graph.db: 12 record, 9 identity`. */
function countsText(databases: Record<string, Counts>): string[] {
  const filled = ({ tables }: Counts) =>
    Object.entries(tables)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${count} ${table}`);
  return Object.entries(databases).map(
    ([name, counts]) => `${name}: ${filled(counts).join(', ') || 'nothing'}`,
  );
}
