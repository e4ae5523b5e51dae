import { noteAct } from '../audit/note.ts';
import { MAY_BE_BACK, noteRestored } from '../../people/erase/returned.ts';
import { passphraseOf } from '../../maintenance/file/passphrase.ts';
import { restore } from '../../maintenance/restore.ts';
import { COMMON, configOf, defineCommand, print } from '../command.ts';
import { countsText } from './counts-text.ts';
import { keepBar } from './bar.ts';
import { PASSPHRASE } from './passphrase.ts';

export default defineCommand({
  meta: { name: 'restore', description: 'Restore a data folder from a backup: all of it or nothing' },
  args: {
    file: { type: 'positional', description: 'The backup', required: true, valueHint: 'FILE' },
    ...COMMON,
    ...PASSPHRASE,
    force: { type: 'boolean', description: 'Put it in the place of databases that are there; they are kept' },
  },
  examples: ['restore /backups/bonafide.tar --data-dir /var/lib/bonafide'],
  async run({ args }) {
    const config = await configOf(args);
    const { dataDir, secret } = config;
    const bar = keepBar(args.json === true);
    const done = await restore({
      file: args.file,
      dataDir,
      secret,
      passphrase: passphraseOf(args['passphrase-file']),
      force: args.force,
      now: Date.now(),
      onProgress: bar.show,
    }).finally(bar.stop);
    noteAct(config, { act: 'backup.restore', target: '', detail: { made: done.made } });
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
