// Commands `bonafide graph verify` and `bonafide graph compact`: integrity and size of the graph's files.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compactGraph } from '../../people/erase/erase.ts';
import { type GraphVerification, verifyGraph } from '../../people/verify-links.ts';
import { createWatchAndJobEraser } from '../../watches/forget.ts';
import { defineCommand, printNote, printResult } from '../helpers/command.ts';
import { recordCommandInAuditLog, withGraph } from '../helpers/open.ts';
import { createRecordsProgressBar } from '../helpers/terminal.ts';
import { completeInterruptedErasure, describeRemainingDeletedData } from './forget.ts';

export const graphVerifyCommand = defineCommand('Verify the graph: link all records again, and compare', {
  examples: ['graph verify'],
  run: (args) =>
    withGraph(args, 'read', async (graph) => {
      const bar = createRecordsProgressBar(args.json === true, 'linking');
      const result = await verifyGraph(graph, { onProgress: bar.show }).finally(bar.stop);
      const lines = result.invariants.map(({ says, of: total, broken, mend = RUN_LINK }) =>
        broken === 0 ? `${says}: all ${total}` : `${says}: not ${broken} of ${total}. ${mend}`,
      );
      if (result.linked && !result.remembered) lines.push(NO_LINK_CACHE);
      printResult(args, result, [describeLinking(result), ...lines].join('\n'));
      const isWrong = result.settled && result.wrong > 0;
      return isWrong || result.invariants.some(({ broken }) => broken > 0) ? 1 : 0;
    }),
});

/** Returns a sentence that says if linking all records again would give the same identities. */
function describeLinking({ records, wrong, linked, waiting, half, settled }: GraphVerification): string {
  if (half) return HALF_IMPORTED;
  if (!linked) return waiting > 0 ? `${waiting} changed records ${NOT_LINKED}` : INTERRUPTED;
  if (wrong === 0) return `All ${records} records are in the identities that linking all records gives.`;
  const text = `${wrong} of ${records} records are not in the identities that linking all records gives`;
  return settled ? `${text}. ${RUN_LINK}` : `${text} yet: ${LINKED_BY}.`;
}

const RUN_LINK = 'Run: bonafide graph link';
const LINKED_BY =
  'a running server links them soon after its start, or after ten seconds without changes; without a server, run: bonafide graph link';
const NOT_LINKED = `are not linked yet: ${LINKED_BY}. Until then the identities are the earlier ones, and were not compared.`;
const INTERRUPTED = `Records ${NOT_LINKED} A command was probably killed in its last step; linking completes that step.`;
const HALF_IMPORTED =
  'An import was killed in its last step: the records have changed, but checks still use the earlier data. The next command that changes the graph, or the next start of a server, undoes the import; without a server, run: bonafide graph link. Then import the file again. Until then identities are not compared.';
const NO_LINK_CACHE =
  'The link cache (link.db) is missing or does not belong to this graph. The next import updates it, or links all records again and writes a new one.';

const GRAPH_FILES = ['graph.db', 'records.db', 'link.db'].flatMap((name) => [name, `${name}-wal`]);

export const graphCompactCommand = defineCommand('Rewrite the files of the graph without deleted data', {
  examples: ['graph compact'],
  run: (args) =>
    withGraph(args, 'write', async (graph, config) => {
      const { sizeInBytes: measureDatabase, unreachableCopies } = graph.erasing;
      const measure = async () => (await measureDatabase?.()) ?? measureFiles(config.dataDir);
      const before = await measure();
      const watchEraser = createWatchAndJobEraser(config);
      const isStoreErased = await completeInterruptedErasure(graph, config, watchEraser, true);
      const compacted = await compactGraph(graph);
      const logsEmpty = isStoreErased && compacted.logsEmpty;
      const after = await measure();
      recordCommandInAuditLog(config, { act: 'graph.compact', target: '', detail: { before, after } });
      const what = measureDatabase ? 'tables' : 'files';
      const text = `The ${what} of the graph had ${formatMegabytes(before)} and now have ${formatMegabytes(after)}.`;
      if (!isStoreErased)
        printNote(
          `Deleted watches and job lines may still be in the store. ${watchEraser.getErasureProblem()}`,
        );
      const hint = `${describeRemainingDeletedData(unreachableCopies)}. Run this command again when the other process has ended.`;
      printResult(args, { before, after, logs_empty: logsEmpty }, logsEmpty ? text : `${text}\n${hint}`);
      return logsEmpty ? 0 : 1;
    }),
});

const measureFiles = (dataDir: string) =>
  GRAPH_FILES.map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0).reduce(
    (sum, size) => sum + size,
  );

const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
