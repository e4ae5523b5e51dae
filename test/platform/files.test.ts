// Files that the settings or the data folder name: only regular files of a sensible size are read.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../kit/folder.ts';

const SOURCES = new URL('../../src', import.meta.url).href;

/** Reads of files at the start of a server and in commands, with `file` as the path of the file. */
const READS: [module: string, call: string][] = [
  ['features/settings.ts', 'readFeatureSettings(file)'],
  ['config.ts', 'await loadConfig({ file, env: {} })'],
  ['config/sources.ts', 'refuseUnknownSettingVariables({ BONAFIDE_X: "1" }, file)'],
  ['graph/encryption/secret.ts', 'findSecret(dirname(file))'],
  ['platform/data-folder.ts', 'registerDataFolderDatabase(dirname(file), "keys")'],
  ['app/calibrations.ts', 'storeCalibration(dirname(file), { name: "x" })'],
  ['names/tables.ts', 'readOperatorTable(file)'],
  ['http/connection/tls.ts', 'readCertificateAndKey({ cert: file, key: file })'],
  ['graph/postgres/open.ts', 'getDatabaseUrl({ databaseFile: file })'],
  ['maintenance/schedule.ts', 'readPassphrase(file)'],
  ['store/serving/notices.ts', 'readWebhookSigningSecret(file)'],
  ['people/erase/receipts.ts', 'readReceipt(file)'],
  ['commands/helpers/files.ts', 'readColumnMapOptionText(file)'],
];

/** Runs all reads in one process, and returns the code of the error of each. Without an answer in a minute, it throws. */
function codesOf(file: string): string[] {
  const reads = READS.map(([module, call]) => {
    const [name = ''] = call.replace('await ', '').split('(');
    return `try { const { ${name} } = await import('${SOURCES}/${module}'); ${call}; codes.push('read'); } catch (error) { codes.push(error.code); }`;
  });
  const script = `import { dirname } from 'node:path'; const file = ${JSON.stringify(file)}; const codes = []; ${reads.join(' ')} console.log(JSON.stringify(codes));`;
  const { stdout, error } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  if (error) throw error;
  return JSON.parse(stdout);
}

it.each([
  ['a named pipe', (file: string) => void execFileSync('mkfifo', ['-m', '600', file])],
  ['a folder', (file: string) => mkdirSync(file)],
  ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ['a file of a gigabyte', (file: string) => (writeFileSync(file, ''), truncateSync(file, 2 ** 30))],
])('%s in the place of a settings file is an error', { timeout: 90_000 }, (_, put) => {
  const folder = freshFolder();
  const file = join(folder, 'features.json');
  put(file);
  writeFileSync(join(folder, 'store.db'), '');
  for (const name of ['secret', 'held.json', 'calibrations.json']) symlinkSync(file, join(folder, name));
  expect(codesOf(file)).toEqual(READS.map(() => 'unreadable_file'));
});

it('a file that the shell has opened may be a pipe', { timeout: 60_000 }, () => {
  const script = `import { readTextFile } from '${SOURCES}/platform/files.ts'; console.log(readTextFile('/dev/fd/3'));`;
  const node = `${process.execPath} --input-type=module -e "$0" 3< <(sleep 0.2; echo passphrase)`;
  expect(execFileSync('bash', ['-c', node, script], { encoding: 'utf8' })).toBe('passphrase\n\n');
});
