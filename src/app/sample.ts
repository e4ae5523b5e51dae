// The graph of invented people that test keys are answered from, so that what an integrator writes tests against is the same everywhere.
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
import { openGraph } from '../graph/sqlite/open.ts';
import { importRecords } from '../import.ts';
import { getPackageVersion, SAMPLE_FOLDER } from '../platform/assets.ts';
import { getErrorCode, makeFolder } from '../platform/files.ts';

/** The sample's records, one a line. */
export const SAMPLE_GRAPH_FILE = join(SAMPLE_FOLDER, 'graph.jsonl');

/** Nobody in the sample is real, so there is nothing to keep secret. */
const SECRET = createHash('sha256').update('Bonafide: the sample').digest('hex');
/** Where numbers of the sample's records are from; no setting changes how its people are answered. */
export const SAMPLE_REGION = 'US';

const sampleError = (dataDir: string, error: unknown) =>
  new BonafideError(
    'graph_unavailable',
    `The sample in ${join(dataDir, 'sample')} cannot be made (${getErrorCode(error)}): test keys are not answered until it can.`,
  );

/** The sample graph of a data folder, made and opened when it is first asked for. */
export function createSampleGraph(dataDir: string) {
  let opening: Promise<IdentityGraph> | undefined;
  const open = () =>
    (opening ??= openSample(dataDir).catch((error: unknown) => {
      opening = undefined;
      throw error instanceof BonafideError ? error : sampleError(dataDir, error);
    }));
  return {
    /** Makes it ready before it is asked. */
    prepare: async () => void (await open()),
    resolve: async (query: GraphQuery) => (await open()).resolve(query),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/** What is damaged, or half of it gone, is made anew: nothing in it is anybody's. */
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
  const open = () => openGraph({ dataDir: folder, secret: SECRET, create: false });
  try {
    if (existsSync(folder)) return open();
  } catch (error) {
    if (!BROKEN.has(getErrorCode(error))) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
  await makeSample(folder);
  return open();
}

/** Made beside and renamed, for several servers may need it at once: the first to end has made it for all. */
async function makeSample(folder: string): Promise<void> {
  makeFolder(dirname(folder));
  const draft = mkdtempSync(`${folder}.`);
  try {
    const graph = openGraph({ dataDir: draft, secret: SECRET });
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
