// A process that is killed between the commits of its two files: records.db has changes that graph.db lacks.
import Database from 'better-sqlite3';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eraseRecordsAndWriteReceipt } from '../../../src/people/erase/forget.ts';
import { removeSource, undoImport } from '../../../src/import/sources.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { linkChangedRecords, linkAllRecords } from '../../../src/people/linking.ts';
import type { GraphVerification } from '../../../src/people/verify-links.ts';
import { splitIdentity } from '../../../src/people/manual-links.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, importRows, operate, type Row, strangers } from '../../kit/graphs/graph.ts';

const ADA: Row = { record_id: 'a', name: 'Ada Abernathy', emails: ['ada@abernathy.example'] };
const AGAIN: Row = { ...ADA, record_id: 'b', phones: ['+1 503 234 0177'] };
const NEXT: Row[] = [
  { ...AGAIN, name: 'Ada King' },
  { ...ADA, record_id: 'c' },
];

async function folderOf(): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), ADA]]);
  await importRows(folder, [[AGAIN]], { journal: {} });
  return folder;
}

/** Returns a folder with the files as they are after the first of the two commits of `work`. */
async function halfOf(
  folder: string,
  work: (graph: RecordStoringGraph) => Promise<unknown>,
): Promise<string> {
  const killed = join(freshFolder(), 'killed');
  const { exec } = Database.prototype;
  let isDone = false;
  const spy = vi.spyOn(Database.prototype, 'exec').mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    if (isDone || sql !== 'COMMIT' || !this.name.endsWith('records.db')) return exec.call(this, sql);
    isDone = true;
    cpSync(folder, killed, { recursive: true });
    exec.call(this, sql);
    for (const end of ['', '-wal'])
      cpSync(join(folder, `records.db${end}`), join(killed, `records.db${end}`));
    return this;
  });
  try {
    await operate(folder, work);
  } finally {
    spy.mockRestore();
  }
  for (const name of ['graph', 'records', 'link']) rmSync(join(killed, `${name}.db-shm`), { force: true });
  chmodSync(killed, 0o700);
  return killed;
}

const NOW = Date.UTC(2026, 10, 22);
const WORKS: Record<string, (graph: RecordStoringGraph, folder: string) => Promise<unknown>> = {
  import: (graph) => importInto(graph, [NEXT], { journal: {} }),
  'the undoing of one': (graph) => undoImport(graph, () => linkChangedRecords(graph)),
  forgetting: (graph, dataDir) =>
    eraseRecordsAndWriteReceipt(graph, [{ source: 'crm', recordId: 'a' }], { dataDir, now: NOW }),
  'the taking out of a source': (graph) => removeSource(graph, 'crm', () => linkChangedRecords(graph)),
  judgement: (graph) => splitIdentity(graph, ['crm:a'], { who: 'x', why: 'y', time: NOW }),
};

test.each(Object.keys(WORKS))(
  '%s: the difference is reported, is no fault, and is removed by linking',
  async (name) => {
    const folder = await folderOf();
    const killed = await halfOf(folder, (graph) => WORKS[name]?.(graph, folder) ?? Promise.resolve());
    const verify = () => runHere(['graph', 'verify', '--json', '--data-dir', killed]);
    const { code, stdout } = await verify();
    const found = JSON.parse(stdout) as GraphVerification;
    const waits = { linked: false, waiting: 0, wrong: 0, half: name === 'import' };
    expect({ code, found, broken: brokenIn(found) }).toMatchObject({ code: 0, found: waits, broken: [] });
    const says = (await runHere(['graph', 'verify', '--data-dir', killed])).stdout;
    expect(says).toContain(
      name === 'import'
        ? 'An import was killed in its last step: '
        : 'Records are not linked yet: a running server links them soon',
    );
    expect(says).toContain('run: bonafide graph link');
    await operate(killed, (graph) => linkAllRecords(graph));
    const mended = JSON.parse((await verify()).stdout) as GraphVerification;
    expect({ mended, broken: brokenIn(mended) }).toMatchObject({
      mended: { linked: true, wrong: 0, half: false, remembered: true },
      broken: [],
    });
    // A half-done import is undone; all other work is completed.
    const whole = name === 'import' ? 22 : await operate(folder, (graph) => graph.records.count());
    expect(mended.records).toBe(whole);
  },
);

const brokenIn = ({ invariants }: GraphVerification) => invariants.filter(({ broken }) => broken > 0);
