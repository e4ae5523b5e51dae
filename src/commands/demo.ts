// What `serve --demo` adds: a sample graph, a key that is kept, a line to paste.
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { importRecords } from '../import/run.ts';
import { loadSecret } from '../graph/secret.ts';
import { graphFile, openGraph } from '../graph/sqlite/open.ts';
import { openVault } from '../graph/vault.ts';
import { SAMPLE } from '../platform/assets.ts';
import { createKey, keyFinder } from '../store/sqlite/keys.ts';

/** Imports the sample records into a graph that has none; leaves any other graph alone. */
export async function fillDemoGraph({ dataDir, secret, region }: Config): Promise<void> {
  const graph = openGraph({ dataDir, secret });
  const empty = graph.stats().records === 0;
  graph.close();
  if (!empty) return;
  const name = join(SAMPLE, 'graph.jsonl');
  await importRecords({
    file: graphFile(dataDir),
    vault: openVault(loadSecret(dataDir, secret)),
    inputs: [{ name, stream: createReadStream(name), bytes: statSync(name).size }],
    region,
  });
}

/**
 * The demo key of this data folder, with every scope. Its text is kept in the file `demo-key` (mode 0600), the one
 * place where a key is ever kept, so that starting again prints the same line.
 */
export function demoKey({ config, store }: App): string {
  const file = join(config.dataDir, 'demo-key');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (keyFinder(store)(kept, Date.now())) return kept;
  const { key } = createKey(
    store,
    { name: 'demo', scopes: ['validate', 'raw', 'admin'], test: true },
    Date.now(),
  );
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** A curl line for a POSIX shell. */
export function curlLine(url: string, key: string): string {
  const request = JSON.stringify(JSON.parse(readFileSync(join(SAMPLE, 'demo-request.json'), 'utf8')));
  return `curl -s ${url}/v1/validate -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${request.replaceAll("'", String.raw`'\''`)}'`;
}
