// Command `bonafide upgrade`: replaces the single executable by another version, after a backup.
import { existsSync, lchownSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import type { Config } from '../../config.ts';
import { listUnconfiguredDatabaseFiles } from '../../graph/engines.ts';
import { BonafideError } from '../../errors.ts';
import { createBackup } from '../../maintenance/backup.ts';
import {
  restorePreviousProgram,
  getPreviousProgramFile,
  replaceProgram,
  requireReplaceableProgram,
  runProgramToGetVersion,
} from '../../maintenance/file/program.ts';
import { getPackageVersion } from '../../platform/assets.ts';
import { isDataFolder } from '../../platform/data-folder.ts';
import { formatTimeForFileName } from '../../platform/iso-time.ts';
import { defineFlag, defineOption, createUsageError } from '../helpers/arguments.ts';
import { defineCommand, loadSettings, printResult } from '../helpers/command.ts';
import { recordCommandInAuditLog } from '../helpers/open.ts';

export const upgradeExecutableCommand = defineCommand(
  'Replace this executable by another version, after a backup',
  {
    args: {
      from: defineOption('Executable of the other version', 'FILE'),
      backup: defineOption('File for the backup (default: a file in the data folder)', 'FILE'),
      'without-backup': defineFlag('Do not back up, for example if there is no data yet'),
      back: defineFlag('Restore the executable that the last upgrade replaced'),
    },
    examples: ['upgrade --from ./bonafide-0.3.0', 'upgrade --back'],
    run: async (args) => {
      if ((args.from === undefined) === !args.back)
        throw createUsageError('Give either --from FILE or --back.');
      if (!isSea())
        throw createUsageError(
          'Only the single executable can replace itself. Upgrade a clone with git, and a package with npm. See: bonafide docs operating',
        );
      const program = process.execPath;
      if (args.from === undefined) {
        restorePreviousProgram(program);
        const version = runProgramToGetVersion(program);
        return printResult(
          args,
          { to: version },
          `${program} is version ${version} again. Restart the server.`,
        );
      }
      const version = runProgramToGetVersion(resolve(args.from));
      requireReplaceableProgram(program);
      const config = await loadSettings(args);
      const { dataDir } = config;
      if (!args['without-backup']) refuseFolderWithoutData(dataDir);
      const backupFile = args['without-backup']
        ? null
        : await backUpBeforeUpgrade(config, version, args.backup);
      replaceProgram(program, resolve(args.from));
      if (isDataFolder(dataDir))
        recordCommandInAuditLog(config, { act: 'program.upgrade', target: '', detail: { to: version } });
      printResult(
        args,
        { from: getPackageVersion(), to: version, backup: backupFile, kept: getPreviousProgramFile(program) },
        formatUpgrade(program, version, { dataDir, backupFile }),
      );
    },
  },
);

/**
 * Backs up the data folder before an upgrade to `version`, and returns the path of the backup. Without `chosenFile`, the backup gets a new name in
 * the folder `backups`, which then belongs to the owner of the data folder, also if root runs the upgrade. Errors: those of `createBackup`.
 */
export async function backUpBeforeUpgrade(
  config: Config,
  version: string,
  chosenFile?: string,
): Promise<string> {
  const { dataDir, secret: configuredSecret } = config;
  if (chosenFile !== undefined && existsSync(chosenFile))
    throw new BonafideError(
      'already_there',
      `${chosenFile} already exists. Name another file with --backup.`,
    );
  const now = Date.now();
  const file = chosenFile ?? join(dataDir, 'backups', `before-${version}-${formatTimeForFileName(now)}.tar`);
  try {
    const elsewhere = listUnconfiguredDatabaseFiles(config);
    return (await createBackup({ dataDir, file, configuredSecret, elsewhere, now })).file;
  } finally {
    if (chosenFile === undefined) giveToOwnerOfFolder(dataDir, [dirname(file), file]);
  }
}

/** Gives files to the owner of a folder, if this process runs as root. Does not follow symbolic links, which that owner can create. */
function giveToOwnerOfFolder(folder: string, files: string[]): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const file of files.filter((one) => existsSync(one))) lchownSync(file, uid, gid);
}

/** Formats the result of an upgrade, with the commands that go back. */
export function formatUpgrade(
  program: string,
  version: string,
  { dataDir, backupFile }: { dataDir: string; backupFile: string | null },
): string {
  const restore =
    backupFile === null
      ? ''
      : `\nIf the new version changed the databases, then also run: ${program} restore ${backupFile} --force --data-dir ${dataDir}`;
  return [
    `${program} is now version ${version}; before it was ${getPackageVersion()}. Restart the server.`,
    backupFile === null
      ? 'No backup was made.'
      : `The backup of the data, without the secret, is ${backupFile}.`,
    `To go back, stop the server and run: ${program} upgrade --back${restore}`,
  ].join('\n');
}

/** Throws for a folder without data, whose backup would be empty. With `sudo`, the default folder is that of root. Errors: file_not_found. */
export function refuseFolderWithoutData(dataDir: string): void {
  if (isDataFolder(dataDir)) return;
  throw new BonafideError(
    'file_not_found',
    `${dataDir} contains no data of Bonafide, so there is nothing to back up. The executable was not replaced. Name the data folder with --data-dir (with sudo the default folder is that of root), or add --without-backup.`,
  );
}
