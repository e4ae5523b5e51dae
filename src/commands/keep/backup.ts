import { noteAct } from '../audit/note.ts';
import { loadSecret } from '../../graph/encryption/secret.ts';
import { passphraseOf } from '../../maintenance/file/passphrase.ts';
import { backup } from '../../maintenance/backup.ts';
import { sizeText } from '../../platform/space.ts';
import { COMMON, configOf, defineCommand, print } from '../command.ts';
import { countsText } from './counts-text.ts';
import { keepBar } from './bar.ts';
import { PASSPHRASE } from './passphrase.ts';

export default defineCommand({
  meta: { name: 'backup', description: 'Back the data folder up into one file, also while it is served' },
  args: {
    file: { type: 'positional', description: 'Where the backup goes', required: true, valueHint: 'FILE' },
    ...COMMON,
    ...PASSPHRASE,
    'with-secret': { type: 'boolean', description: 'Put the secret into it as well' },
    force: { type: 'boolean', description: 'Replace a file that is there' },
  },
  examples: [
    'backup /backups/bonafide.tar',
    'backup /backups/bonafide.tar.age --passphrase-file /etc/bonafide/passphrase --with-secret',
  ],
  async run({ args }) {
    const config = await configOf(args);
    const { dataDir, secret } = config;
    const bar = keepBar(args.json === true);
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
    noteAct(config, { act: 'backup.create', target: '', detail: { bytes, encrypted, secret: made.secret } });
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
