// An import that a signal interrupts, as Ctrl+C does.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldBetweenPages } from '../../../src/import/linking/compare.ts';
import { freshFolder } from '../../kit/folder.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'an import that %s stops leaves no write-ahead log, and ends as by the signal',
  { skip: process.platform === 'win32' },
  async (signal) => {
    const folder = join(freshFolder(), 'data');
    const child = spawn(process.execPath, [getLauncher(), 'graph', 'import', '-', '--data-dir', folder]);
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
    const lines = Array.from(
      { length: 1200 },
      (_, i) => `{"record_id":"${i}","source":"s","name":"Ann Lee"}\n`,
    );
    child.stdin.write(lines.join(''));
    while (!existsSync(join(folder, 'graph.db-wal'))) await pause(20);
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(readdirSync(folder).sort()).toEqual(['graph.db', 'records.db', 'secret']);
    expect(said).toContain('The import was interrupted. The graph is unchanged. Run the command again.');
  },
);

test('linking lets signals and timers run between two pages of records', async () => {
  let turns = 0;
  setImmediate(() => turns++);
  const seen: [page: number, turns: number][] = [];
  for await (const page of yieldBetweenPages([1, 2])) seen.push([page, turns]);
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
  ]);
});
