// Sample graph of invented people. Checks with test keys use it, so that the tests of integrators get the same answers everywhere.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BonafideError } from '../errors.ts';
import type { GraphQuery, IdentityGraph } from '../graph/graph.ts';
import { openSqliteGraph } from '../graph/sqlite/open.ts';
import { importRecords } from '../import.ts';
import { getPackageVersion, SAMPLE_FOLDER } from '../platform/assets.ts';
import { getErrorCode, makeFolder } from '../platform/files.ts';

/** Path of the file with the sample records, in JSON Lines. */
export const SAMPLE_GRAPH_FILE = join(SAMPLE_FOLDER, 'graph.jsonl');

/** Secret of the sample graph. It need not be secret, because the people are invented. */
const SECRET = createHash('sha256').update('Bonafide: the sample').digest('hex');
/** Region of the phone numbers in the sample records, independent of the settings. */
export const SAMPLE_REGION = 'US';

const sampleError = (dataDir: string, error: unknown) =>
  new BonafideError(
    'graph_unavailable',
    `The sample in ${join(dataDir, 'sample')} cannot be created (${getErrorCode(error)}). Calls with a test key fail until the cause is removed.`,
  );

/** Returns the sample graph of a data folder. The graph is created at its first use. */
export function createLazySampleGraph(dataDir: string) {
  let opening: Promise<IdentityGraph> | undefined;
  const open = () =>
    (opening ??= openSample(dataDir).catch((error: unknown) => {
      opening = undefined;
      throw error instanceof BonafideError ? error : sampleError(dataDir, error);
    }));
  return {
    prepare: async () => void (await open()),
    resolve: async (query: GraphQuery) => (await open()).resolve(query),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/** Error codes after which the sample graph is deleted and created again. */
const BROKEN = new Set([
  'damaged_database',
  'data_missing',
  'foreign_database',
  'graph_unavailable',
  'wrong_secret',
]);

async function openSample(dataDir: string): Promise<IdentityGraph> {
  const stamp = createHash('sha256').update(getPackageVersion()).update(readFileSync(SAMPLE_GRAPH_FILE));
  const folder = join(dataDir, 'sample', stamp.digest('hex').slice(0, 16));
  const open = () => openSqliteGraph({ dataDir: folder, secret: SECRET, create: false });
  try {
    if (existsSync(folder)) return open();
  } catch (error) {
    if (!BROKEN.has(getErrorCode(error))) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
  await makeSample(folder);
  return open();
}

/** Creates the sample graph in a temporary folder, and renames the folder. If several servers do this at once, the first folder is used. */
async function makeSample(folder: string): Promise<void> {
  makeFolder(dirname(folder));
  const draft = mkdtempSync(`${folder}.`);
  try {
    const graph = openSqliteGraph({ dataDir: draft, secret: SECRET });
    await importSample(graph).finally(() => graph.close());
    renameSync(draft, folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(getErrorCode(error)) || !existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Imports the sample into an empty graph. Errors: those of `importRecords`. */
export async function importSample(graph: IdentityGraph): Promise<void> {
  const stream = createReadStream(SAMPLE_GRAPH_FILE);
  const inputs = [{ name: SAMPLE_GRAPH_FILE, stream, bytes: statSync(SAMPLE_GRAPH_FILE).size }];
  await importRecords({ graph, inputs, region: SAMPLE_REGION });
}
