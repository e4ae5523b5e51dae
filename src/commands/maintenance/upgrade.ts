// bonafide upgrade --from FILE: another version's executable in the place of this one, after a backup; --back undoes it.
import { join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { BonafideError } from '../../errors.ts';
import { backup } from '../../maintenance/backup.ts';
import { putBack, replaceProgram, replacedBy, versionOf } from '../../maintenance/file/program.ts';
import { packageVersion } from '../../platform/assets.ts';
import { isDataFolder } from '../../platform/held.ts';
import { recordAction } from '../shared/open.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print } from '../shared/command.ts';

export default defineCommand({
  meta: {
    name: 'upgrade',
    description: 'Put another version in the place of this executable, after a backup',
  },
  args: {
    ...COMMON_OPTIONS,
    from: { type: 'string', description: 'The executable of the other version', valueHint: 'FILE' },
    backup: {
      type: 'string',
      description: 'Where the backup goes; default a file in the data folder',
      valueHint: 'FILE',
    },
    'without-backup': {
      type: 'boolean',
      description: 'Make no backup, such as where there are no data yet',
    },
    back: { type: 'boolean', description: 'Put the executable that was replaced back' },
  },
  examples: ['upgrade --from ./bonafide-0.3.0', 'upgrade --back'],
  async run({ args }) {
    if ((args.from === undefined) === !args.back)
      throw new BonafideError('invalid_arguments', 'Say --from FILE, or --back.');
    if (!isSea())
      throw new BonafideError(
        'invalid_arguments',
        'Only the single executable replaces itself. Upgrade a clone with git, and a package with npm; see: bonafide docs operating',
      );
    const program = process.execPath;
    if (args.from === undefined) return back(args, program);
    const version = versionOf(resolve(args.from));
    const config = await loadSettings(args);
    const { dataDir } = config;
    const file = args.backup ?? join(dataDir, 'backups', `before-${version}.tar`);
    if (!args['without-backup']) refuseFolderWithoutData(dataDir);
    const kept = args['without-backup'] ? null : (await backup({ dataDir, file, now: Date.now() })).file;
    replaceProgram(program, resolve(args.from));
    if (isDataFolder(dataDir))
      recordAction(config, { act: 'program.upgrade', target: '', detail: { to: version } });
    print(
      args,
      { from: packageVersion(), to: version, backup: kept, kept: replacedBy(program) },
      [
        `${program} is version ${version} now, in the place of ${packageVersion()}. Start the server again.`,
        kept === null ? 'No backup was made.' : `The data as they were are in ${kept}, without the secret.`,
        `To go back: ${program} upgrade --back${kept === null ? '' : `, and where databases were changed: restore ${kept} --force`}`,
      ].join('\n'),
    );
  },
});

/** Another user's home, which `sudo` gives, has none of the data: an upgrade would go without its backup. Errors: file_not_found. */
export function refuseFolderWithoutData(dataDir: string): void {
  if (isDataFolder(dataDir)) return;
  throw new BonafideError(
    'file_not_found',
    `${dataDir} holds nothing of Bonafide, so nothing can be backed up; the executable is as it was. Name the folder of the data with --data-dir (sudo looks into root's own home), or go without a backup: --without-backup.`,
  );
}

function back(args: { json?: boolean | undefined }, program: string): void {
  putBack(program);
  const version = versionOf(program);
  print(args, { to: version }, `${program} is version ${version} again. Start the server again.`);
}
