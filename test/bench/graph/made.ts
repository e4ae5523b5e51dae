// Generated records of one size, and their import in a separate process, with its resource usage.
import { execFile, spawn } from 'node:child_process';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listRecordIdentities } from '../../../src/graph/inspect.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { bonafide } from '../speed/process.ts';
import type { ImportFigures } from './figures.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

/** Mean number of records of a generated person. */
const PER_PERSON = 3.2;
/** Options of Node that make a process write its resource usage to the file `BENCH_USAGE`. */
export const usageOption = ['--import', new URL('usage.ts', import.meta.url).href];
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

export interface Made {
  folder: string;
  /** The imported file, and the file with the true person of each record. */
  file: string;
  truth: string;
  /** Records of other people with other ids: for imports one by one, and for the feed and a later import. */
  single: string;
  more: string;
}

/** Writes about these numbers of records. */
export async function makeFiles(
  root: string,
  counts: Record<'records' | 'single' | 'more', number>,
): Promise<Made> {
  const at = (name: string) => join(root, name);
  const [file, truth, single, more] = ['people', 'truth', 'single', 'more'].map((name) =>
    at(`${name}.jsonl`),
  ) as [string, string, string, string];
  const generate = async (count: number, ...args: string[]) => {
    const people = String(Math.max(1, Math.ceil(count / PER_PERSON)));
    await bonafide('graph', 'generate', '--json', '--people', people, ...args);
  };
  await generate(counts.records, '--seed', '1', '--out', file, '--truth', truth);
  await generate(counts.single, '--seed', '2', '--out', single);
  await generate(counts.more, '--seed', '3', '--out', more);
  for (const [i, name] of [single, more].entries())
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll('{"record_id":"', `{"record_id":"later-${i}-`));
  return { folder: at('data'), file, truth, single, more };
}

/** Starts an import; `ended` resolves to the resource usage of its process. */
export function importing(folder: string, file: string) {
  const usage = `${folder}.usage`;
  const child = spawn(
    process.execPath,
    [...usageOption, getLauncher(), 'graph', 'import', file, '--json', '--data-dir', folder],
    {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, BENCH_USAGE: usage },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
    return JSON.parse(readFileSync(usage, 'utf8')) as NodeJS.ResourceUsage;
  });
  return { ended };
}

export async function importAll({ folder, file }: Made): Promise<ImportFigures> {
  const began = performance.now();
  const { userCPUTime, systemCPUTime, maxRSS } = await importing(folder, file).ended;
  const seconds = (performance.now() - began) / 1000;
  const { records, identities } = JSON.parse(
    await bonafide('graph', 'stats', '--json', '--data-dir', folder),
  ) as {
    records: number;
    identities: number;
  };
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  return { records, identities, seconds, cpuSeconds, memoryMb: maxRSS / 1024, files: sizesIn(folder) };
}

export function sizesIn(folder: string): ImportFigures['files'] {
  const size = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  const databases = ['graph', 'records', 'link'] as const;
  const [graph, records, link] = databases.map((name) => size(`${name}.db`)) as [number, number, number];
  return { graph, records, link, logs: databases.reduce((sum, name) => sum + size(`${name}.db-wal`), 0) };
}

/** Returns the true person and the identity of each record. */
export async function judged({
  folder,
  truth,
}: Pick<Made, 'folder' | 'truth'>): Promise<{ truth: string; identity: number }[]> {
  const whose = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(truth) })) {
    const one = JSON.parse(line) as { record_id: string; truth: string };
    whose.set(one.record_id, one.truth);
  }
  const graph = openSqliteGraph({ dataDir: folder, create: false });
  const found: { truth: string; identity: number }[] = [];
  for await (const { record_id, identity } of listRecordIdentities(graph))
    found.push({ truth: whose.get(record_id) ?? record_id, identity: identity ?? 0 });
  await graph.close();
  return found;
}

/** Runs one of the measurements of child.ts. */
export async function inChild<T>(root: string, work: string, given: object): Promise<T> {
  const file = join(root, `${work}.json`);
  writeFileSync(file, JSON.stringify(given));
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, work, `@${file}`]);
  return JSON.parse(stdout) as T;
}
