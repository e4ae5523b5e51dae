// The demo of `serve --demo`: a graph of invented people, a key, and an example request.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSample, SAMPLE_GRAPH_FILE } from '../../app/sample.ts';
import { type Config, getDefaultDataFolders } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { listRecordIdentities } from '../../graph/inspect.ts';
import { getGraphFilePath, openSqliteGraph } from '../../graph/sqlite/open.ts';
import { SAMPLE_FOLDER } from '../../platform/assets.ts';
import { getDemoKeyFile } from '../../platform/data-folder.ts';
import { readTextFile } from '../../platform/files.ts';
import { createKey, createApiKeyLookup } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';

/** Imports the sample records into a folder without records. Errors: mixed_records if the folder has records of the operator. */
export async function fillDemoGraph(config: Config): Promise<void> {
  const { dataDir, secret } = config;
  const content = await findGraphContent(config);
  if (content === 'own')
    throw new BonafideError(
      'mixed_records',
      `${dataDir} contains your own records. The demo does not add invented people to them. Leave out --demo, or name another folder with --data-dir.`,
    );
  if (content === 'sample') return;
  const graph = openSqliteGraph({ dataDir, secret });
  try {
    await importSample(graph);
  } finally {
    await graph.close();
  }
}

/** Throws if the folder contains the demo's data, because other records must not be mixed with it. Errors: mixed_records. */
export async function refuseFolderWithDemoRecords(config: Config): Promise<void> {
  if (!existsSync(getDemoKeyFile(config.dataDir)) || (await findGraphContent(config)) !== 'sample') return;
  throw new BonafideError(
    'mixed_records',
    `${config.dataDir} contains the invented people of the demo. Import into another folder (--data-dir FOLDER), or delete this folder first. The demo recreates its folder in ${getDefaultDataFolders().demo}.`,
  );
}

/**
 * Returns the kind of records in a graph, judged by its first record. A sample that was never linked counts as `nothing`, so that a second
 * import completes it.
 */
async function findGraphContent({ dataDir, secret }: Config): Promise<'nothing' | 'sample' | 'own'> {
  if (!existsSync(getGraphFilePath(dataDir))) return 'nothing';
  const graph = openSqliteGraph({ dataDir, secret, create: false });
  try {
    for await (const { source, record_id, identity } of listRecordIdentities(graph)) {
      if (!listSampleRecords().has(`${source}:${record_id}`)) return 'own';
      return identity === null ? 'nothing' : 'sample';
    }
    return 'nothing';
  } finally {
    await graph.close();
  }
}

function listSampleRecords(): Set<string> {
  const lines = readFileSync(SAMPLE_GRAPH_FILE, 'utf8').trimEnd().split('\n');
  return new Set(
    lines.map((line) => {
      const { source, record_id } = JSON.parse(line) as { source: string; record_id: string };
      return `${source}:${record_id}`;
    }),
  );
}

/**
 * Returns the API key of the demo, with every scope of a test key. It is stored in the file `demo-key` (mode 0600), so that each start prints
 * the same key.
 */
export function loadOrCreateDemoApiKey({ config, store }: { config: Config; store: Store }): string {
  const file = getDemoKeyFile(config.dataDir);
  const stored = existsSync(file) ? readTextFile(file).trim() : '';
  if (createApiKeyLookup(store)(stored, Date.now())) return stored;
  const { key } = createKey(
    store,
    { name: 'demo', scopes: ['validate', 'raw', 'metrics'], test: true },
    Date.now(),
  );
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

export function buildCurlCommand(url: string, key: string): string {
  const request = JSON.stringify(JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8')));
  return `curl -s ${url}/v1/validate -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${request.replaceAll("'", String.raw`'\''`)}'`;
}
