import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import {
  checkGraphSettings,
  openGraphFromSettings,
  openRecordStoringGraph,
} from '../../src/graph/engines.ts';
import { getGraphFilePath } from '../../src/graph/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';

const settings = (graph: string) =>
  loadConfig({ env: {}, cwd: freshFolder(), flags: { dataDir: freshFolder(), graph } });
const UPSTREAM = 'engine=upstream,url=http://127.0.0.1:1';

test('by default the embedded graph answers checks and stores records', async () => {
  const config = await loadConfig({ env: {}, cwd: freshFolder(), flags: { dataDir: freshFolder() } });
  for (const open of [openGraphFromSettings, openRecordStoringGraph]) {
    const graph = open(config);
    expect(graph.engine).toBe('sqlite');
    await graph.close();
  }
});

test('an upstream engine creates no graph file, and refuses operations on records', async () => {
  const config = await settings(UPSTREAM);
  const graph = openGraphFromSettings(config);
  expect(graph.engine).toBe('upstream');
  await graph.close();
  expect(() => openRecordStoringGraph(config)).toThrow(
    expect.objectContaining({ code: 'invalid_arguments' }),
  );
  expect(existsSync(getGraphFilePath(config.dataDir))).toBe(false);
});

test.each([
  ['engine=oracle', /Unknown graph engine "oracle" in graph.engine. Use one of sqlite/],
  ['engine=upstream', /graph.url is missing/],
  [`${UPSTREAM},keyEnv=NOT_SET`, /contains no API key/],
])('%s is refused before anything is opened', async (graph, says) => {
  const config = await settings(graph);
  expect(() => checkGraphSettings(config)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringMatching(says) }),
  );
});

test.each(['engine=Up!', 'url=ftp://x', 'deadlineMs=0', 'deadline=5', 'keyEnv=BONAFIDE_KEY'])(
  '%s is an invalid setting',
  async (graph) => {
    await expect(settings(graph)).rejects.toMatchObject({ code: 'invalid_config' });
  },
);
