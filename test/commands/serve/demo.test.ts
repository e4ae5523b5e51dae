import { spawn } from 'node:child_process';
import { createReadStream, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildCurlCommand, fillDemoGraph } from '../../../src/commands/serve/demo.ts';
import { loadConfig } from '../../../src/config.ts';
import { requireRecordStoringGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { stageRecords } from '../../../src/import/stage.ts';
import { openRejectsFileWriter } from '../../../src/import/summary.ts';
import { SAMPLE_FOLDER } from '../../../src/platform/assets.ts';
import { importPeople } from '../../kit/app.ts';
import { runHere } from '../../kit/cli.ts';
import { paste } from '../../kit/curl.ts';
import { freshFolder } from '../../kit/folder.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';
import { startServer } from '../../kit/server.ts';
import { SOURCE_LAUNCHER } from '../../kit/programs/launcher.ts';

it('the demo imports the sample, prints a working curl command, and has the same key after a restart', async () => {
  const folder = freshFolder();
  const first = await startServer(folder, '--demo');
  const line = buildCurlCommand(first.url, first.demoKey!);
  const answer = await paste(line);
  first.process.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect(answer).toMatchObject({ success: true, dominant_identity: expect.any(Number) });
  const statuses = Object.values<{ inputs?: { match_status: string }[] }>(answer.input_validation).flatMap(
    ({ inputs }) => inputs?.map(({ match_status: status }) => status.replace(/ \(.*/, '')) ?? [],
  );
  expect(new Set(statuses).size).toBeGreaterThanOrEqual(3);

  const again = await startServer(folder, '--demo');
  expect(again.demoKey).toBe(first.demoKey);
  const ask = async (path: string) =>
    (await fetch(`${again.url}${path}`, { headers: { 'x-api-key': again.demoKey! } })).json();
  expect(await ask(`/v1/requests/${answer.request_id}`)).toMatchObject({ test: true });
  expect(await ask('/v1/usage')).toMatchObject({ calls: 0 });
  expect(statSync(`${folder}/demo-key`).mode & 0o777).toBe(0o600);
});

describe('invented people and the operator’s own records are never in one folder', () => {
  const demo = async (dataDir: string) => {
    await fillDemoGraph(await loadConfig({ flags: { dataDir }, env: {} }));
    writeFileSync(join(dataDir, 'demo-key'), 'bf_test_…\n');
  };
  const importOwn = (folder: string, ...args: string[]) => {
    const file = join(freshFolder(), 'own.jsonl');
    writeFileSync(file, '{"record_id":"1","name":"Ada Abernathy","emails":["ada@example.com"]}\n');
    return runHere(['graph', 'import', file, '--data-dir', folder, ...args]);
  };

  it('an import into the folder of the demo is refused, and the error says what to do', async () => {
    const folder = freshFolder();
    await demo(folder);
    const { code, stderr } = await importOwn(folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: .* invented people of the demo\. Import into another folder \(--data-dir/,
    );
    expect((await importOwn(folder, '--dry-run')).code).toBe(0);
  });

  it('a folder with nothing but the demo key accepts an import', async () => {
    const folder = freshFolder();
    await importPeople(folder);
    writeFileSync(join(folder, 'demo-key'), 'bf_test_…\n');
    expect((await importOwn(folder)).code).toBe(0);
  });

  it('the demo is refused in a folder with other records, and fills an empty folder', async () => {
    const folder = freshFolder();
    await importPeople(folder);
    const { code, stderr } = await runHere(['serve', '--demo', '--port', '0', '--data-dir', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .* contains your own records.* Leave out --demo, or .*--data-dir/);
    rmSync(join(folder, 'graph.db'));
    await expect(demo(folder)).resolves.toBeUndefined();
  });

  it('an interrupted import of the demo is completed at the next start', async () => {
    const dataDir = freshFolder();
    const graph = openSqliteGraph({ dataDir });
    const inputs = [
      { name: 'half', stream: createReadStream(join(SAMPLE_FOLDER, 'graph.jsonl')), bytes: null },
    ];
    const { records } = requireRecordStoringGraph(graph);
    // An interrupted import: the records are stored, but not linked.
    const into = { incoming: await records.openIncoming(), records };
    await stageRecords({ inputs, region: 'US', into, rejects: openRejectsFileWriter(undefined) });
    await into.incoming.apply();
    await graph.close();
    await demo(dataDir);
    const { stdout } = await runHere(['graph', 'stats', '--json', '--data-dir', dataDir]);
    expect(JSON.parse(stdout)).toMatchObject({ records: 384, identities: 191, unlinked: 0, warnings: [] });
  });

  it('the demo uses its own folder by default', async () => {
    const cwd = freshFolder();
    const child = spawn(
      process.execPath,
      [SOURCE_LAUNCHER, 'serve', '--demo', '--port', '0', '--json', '--log', 'silent'],
      {
        cwd,
        env: bareEnvironment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGKILL');
    expect(existsSync(join(cwd, 'data/demo', 'demo-key'))).toBe(true);
    expect(existsSync(join(cwd, 'data/local'))).toBe(false);
  });
});
