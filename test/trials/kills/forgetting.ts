// SIGKILL of a forgetting: the person is still complete, or gone. After a second run, no byte of the person is left.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eraseRecordsAndWriteReceipt } from '../../../src/people/erase/forget.ts';
import { readReceipt, listReceiptFilePaths } from '../../../src/people/erase/receipts.ts';
import { findFilesContaining } from '../../../src/people/erase/search.ts';
import type { SourceRecordId } from '../../../src/graph/records.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { answersInside, failureOf, isAnswering, runInside } from '../kit/inside.ts';
import { type Base, baseIn, copyOf } from '../kit/people.ts';
import type { Stage, Trial } from '../trial.ts';
import { killEach } from './commands.ts';

export const killedForgetting: Trial[] = [
  {
    name: 'kill-forgetting',
    about: 'people forgotten, killed at its n-th write, sync or rename',
    run: forgetting,
  },
];

async function forgetting(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const names = recordsOf(base);
  const said = names.flatMap(({ source, recordId }) => ['--record', `${source}:${recordId}`]);
  const args = (folder: string) => ['graph', 'forget', ...said, '--yes', '--data-dir', folder];
  const theirs = await bytesOf(copyOf(base.folder, join(stage.folder, 'theirs')), names);
  const whole = copyOf(base.folder, join(stage.folder, 'whole'));
  await runInside(args(whole));
  const asked = base.questions.map((question) => question.asked);
  const before = base.questions.map(({ answer }) => answer);
  const after = await answersInside(whole, asked);
  await killEach(stage, {
    from: base.folder,
    args: ({ folder }) => args(folder),
    by: 'step',
    kills: stage.times(2, 200),
    repeat: 'npm run trials -- --only kill-forgetting',
    amiss: async ({ folder }) =>
      (await isAnswering(folder, base, [before, after])) ??
      (await gone(folder, args(folder))) ??
      traceIn(folder, theirs) ??
      isAnswering(folder, base, [after]),
  });
}

/** Returns three records of people that the questions are about. */
function recordsOf({ records }: Base): SourceRecordId[] {
  const lines = readFileSync(records, 'utf8').split('\n').slice(0, 3);
  return lines.map((line) => {
    const { record_id, source = 'records' } = JSON.parse(line) as { record_id: string; source?: string };
    return { source, recordId: record_id };
  });
}

/** Returns bytes of these records that no other record has, as the files contain them. */
async function bytesOf(folder: string, names: SourceRecordId[]): Promise<Buffer[]> {
  const graph = openSqliteGraph({ dataDir: folder, create: false });
  try {
    const rows = [];
    for (const { source, recordId } of names)
      rows.push(...(await graph.records.findByRecordId(recordId)).filter((row) => row.source === source));
    const traces = await graph.erasing?.collectTraces(rows);
    await eraseRecordsAndWriteReceipt(graph, names, { dataDir: folder, now: Date.now() });
    return traces?.() ?? [];
  } finally {
    await graph.close();
  }
}

/** Checks that no byte of the person is left, and that no receipt is unfinished. */
function traceIn(folder: string, theirs: Buffer[]): string | null {
  const [file] = findFilesContaining(folder, theirs);
  if (file !== undefined) return `run again it leaves something in ${basename(file)}`;
  const isDone = listReceiptFilePaths(folder).every((receipt) => readReceipt(receipt).finished);
  return isDone ? null : 'run again it leaves a receipt that is not finished';
}

/** Runs the forgetting again: it completes an interrupted one, and finds no record after a finished one. */
async function gone(folder: string, args: string[]): Promise<string | null> {
  const failure = await failureOf(args);
  if (failure && !failure.includes('There is no record')) return `run again: ${failure}`;
  const { wrong } = await runInside(['graph', 'verify', '--data-dir', folder]);
  const { warnings } = await runInside(['graph', 'stats', '--data-dir', folder]);
  if (wrong !== 0) return `${String(wrong)} records are linked otherwise`;
  if (Array.isArray(warnings) && warnings.length > 0)
    return `run again it leaves a warning: ${String(warnings[0])}`;
  return null;
}
