// What `serve --demo` adds: a sample graph, a key that is kept, a line to paste.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDefaultFolders } from '../../config.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { listRecordIdentities } from '../../graph/inspect.ts';
import { graphFile, openGraph } from '../../graph/sqlite/open.ts';
import { SAMPLE } from '../../platform/assets.ts';
import { demoKeyFile } from '../../platform/held.ts';
import { importSample, SAMPLE_GRAPH } from '../../app/sample.ts';
import { createKey, prepareKeyLookup } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';

/**
 * Imports the sample records into a folder that has no records yet; a folder that has them is left as it is.
 * Errors: mixed_records where the folder holds records of its own.
 */
export async function fillDemoGraph(config: Config): Promise<void> {
  const { dataDir, secret } = config;
  const held = await heldIn(config);
  if (held === 'own')
    throw new BonafideError(
      'mixed_records',
      `${dataDir} holds records of your own, and invented people are not mixed with them. Leave out --demo, or name another folder: --data-dir FOLDER.`,
    );
  if (held === 'sample') return;
  const graph = openGraph({ dataDir, secret });
  try {
    await importSample(graph);
  } finally {
    await graph.close();
  }
}

/** Keeps records of one's own out of a folder that the demo filled. Errors: mixed_records. */
export async function refuseDemoFolder(config: Config): Promise<void> {
  if (!existsSync(keyFile(config)) || (await heldIn(config)) !== 'sample') return;
  throw new BonafideError(
    'mixed_records',
    `${config.dataDir} holds the invented people of the demo. Import into another one (--data-dir FOLDER), or delete this folder first; the demo makes its own again in ${getDefaultFolders().demo}.`,
  );
}

/**
 * Whose records a folder holds. The demo fills empty graphs only, so the first record tells. A sample that was never
 * linked, because its import was cut short, counts as nothing: importing it again completes it.
 */
async function heldIn({ dataDir, secret }: Config): Promise<'nothing' | 'sample' | 'own'> {
  if (!existsSync(graphFile(dataDir))) return 'nothing';
  const graph = openGraph({ dataDir, secret, create: false });
  try {
    for await (const { source, record_id, identity } of listRecordIdentities(graph)) {
      if (!sampleRecords().has(`${source}:${record_id}`)) return 'own';
      return identity === null ? 'nothing' : 'sample';
    }
    return 'nothing';
  } finally {
    await graph.close();
  }
}

function sampleRecords(): Set<string> {
  const lines = readFileSync(SAMPLE_GRAPH, 'utf8').trimEnd().split('\n');
  return new Set(
    lines.map((line) => {
      const { source, record_id } = JSON.parse(line) as { source: string; record_id: string };
      return `${source}:${record_id}`;
    }),
  );
}

const keyFile = ({ dataDir }: Config) => demoKeyFile(dataDir);

/**
 * The demo key of this data folder, with every scope that a test key can use. Its text is kept in the file `demo-key` (mode 0600), the one
 * place where a key is ever kept, so that starting again prints the same line.
 */
export function loadDemoKey({ config, store }: { config: Config; store: Store }): string {
  const file = keyFile(config);
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (prepareKeyLookup(store)(kept, Date.now())) return kept;
  const { key } = createKey(
    store,
    { name: 'demo', scopes: ['validate', 'raw', 'metrics'], test: true },
    Date.now(),
  );
  writeFileSync(file, `${key}\n`, { mode: 0o600, flush: true });
  return key;
}

/** A curl line for a POSIX shell. */
export function buildCurlCommand(url: string, key: string): string {
  const request = JSON.stringify(JSON.parse(readFileSync(join(SAMPLE, 'demo-request.json'), 'utf8')));
  return `curl -s ${url}/v1/validate -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${request.replaceAll("'", String.raw`'\''`)}'`;
}
