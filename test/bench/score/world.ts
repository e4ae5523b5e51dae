// Worlds of invented people with their graph and labelled checks, made by the command line in a folder that goes afterwards.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';

const PROGRAM = join(import.meta.dirname, '../../../src/bonafide.mjs');

/** A line of a file of checks, as far as the measurements need it. */
export interface LabelledCheck {
  case_id: string;
  kind: string;
  subkind: string;
  genuine: boolean | null;
  origin: string;
  request: { name: string; emails?: string[]; phones?: string[]; addresses?: object[] };
  expected: Record<string, { verdict: string; variant: string; owners: string[] }[] | undefined>;
}

export interface WorldFiles {
  dataDir: string;
  checks: LabelledCheck[];
}

export type Graph = ReturnType<typeof openSqliteGraph>;

export const readChecks = (file: string): LabelledCheck[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

export const openAt = (dataDir: string): Graph =>
  openSqliteGraph({ dataDir, secret: process.env.BONAFIDE_SECRET, create: false });

/** Calls back with each of the worlds of these seeds, one after the other. */
export async function withWorlds(
  { people, cases, seeds }: { people: number; cases: number; seeds: readonly number[] },
  use: (graph: Graph, checks: LabelledCheck[]) => Promise<void>,
): Promise<void> {
  for (const seed of seeds) {
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-worlds-'));
    const [records, checks] = [join(folder, 'records.jsonl'), join(folder, 'checks.jsonl')];
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [PROGRAM, ...args], { stdio: 'ignore' });
    const world = ['--people', String(people), '--seed', String(seed), '--cases', String(cases)];
    run('graph', 'generate', ...world, '--out', records, '--checks', checks);
    run('graph', 'import', records, '--data-dir', folder);
    const graph = openAt(folder);
    await use(graph, readChecks(checks));
    await graph.close();
    rmSync(folder, { recursive: true });
  }
}
