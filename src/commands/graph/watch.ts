import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { isGraphInDataFolder, openRecordGraph } from '../../graph/engines.ts';
import type { ImportSummary } from '../../import/summary.ts';
import { holdingText } from '../../evaluate/report/words.ts';
import { openFollower, type Follower } from '../../import/input/follow.ts';
import { importRecords } from '../../import.ts';
import { settle } from '../../people/linking/linking.ts';
import { refuseLost, remember } from '../../platform/held.ts';
import { giveWay } from '../../platform/threads/priority.ts';
import { recordAction, removeLeftoverFiles } from '../shared/open.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  announceNewFolder,
  print,
  REGION_OPTION,
} from '../shared/command.ts';
import { runInterruptibly } from '../shared/terminal.ts';
import { refuseDemoFolder } from '../serve/demo.ts';

/** Lines that are taken in at a time. */
const BATCH = 1000;
const LOOK_EVERY_MS = 100;
/** Nothing new for so long, and what waited is settled. */
const QUIET_MS = 10_000;

export const watchCommand = defineCommand({
  meta: { name: 'watch', description: 'Import records as they are written to a file or a folder' },
  args: {
    ...COMMON_OPTIONS,
    path: {
      type: 'positional',
      description: 'A file of JSON Lines, or a folder of them',
      required: true,
      valueHint: 'PATH',
    },
    ...REGION_OPTION,
    new: { type: 'boolean', description: 'Pass over what is there already' },
    once: { type: 'boolean', description: 'End when all that is there is imported' },
  },
  examples: ['graph watch changes.jsonl', 'graph watch /var/spool/customers --new'],
  async run({ args }) {
    giveWay();
    const config = await loadSettings(args, { region: args.region });
    if (isGraphInDataFolder(config)) refuseLost(config.dataDir, 'records');
    await refuseDemoFolder(config);
    requireFollowed(args.path);
    const sayMade = announceNewFolder(config.dataDir);
    const graph = openRecordGraph(config);
    removeLeftoverFiles(config.dataDir);
    sayMade();
    const told = (summary: ImportSummary) => {
      if (summary.identities > 0) remember(config.dataDir, 'records');
      const { added, replaced, removed, rejected, records, identities } = summary;
      const counts = { added, replaced, removed, rejected, records, identities };
      recordAction(config, { act: 'graph.import', target: '', detail: counts });
      print(args, counts, textOf(summary));
    };
    const watching = () =>
      watch(
        {
          graph,
          region: config.region,
          next: openFollower(args.path, { past: args.new === true, tell }),
          tell,
        },
        told,
        { once: args.once === true },
      );
    await runInterruptibly(watching, {
      close: () => void graph.close(),
      says: 'Stopped. What was told is imported; begin again to carry on.',
    }).finally(() => graph.close());
  },
});

/** What is passed over is not what was imported: it goes where errors go. */
const tell = (text: string) => void process.stderr.write(`${text}\n`);

/** Errors: `file_not_found`; `unreadable_file` for what is neither a file nor a folder. */
function requireFollowed(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new BonafideError('file_not_found', `There is no file or folder ${path}.`);
  if (!there.isFile() && !there.isDirectory())
    throw new BonafideError('unreadable_file', `${path} is neither a file nor a folder.`);
}

interface Watched {
  graph: RecordGraph;
  region: string;
  tell(text: string): void;
  next: Follower;
}

async function watch(
  { graph, region, next, tell }: Watched,
  told: (summary: ImportSummary) => void,
  { once }: { once: boolean },
): Promise<void> {
  let last = performance.now();
  for (;;) {
    // Of files that nobody writes any more the last line may have no end.
    const appended = next(BATCH) ?? (once ? next(BATCH, { rest: true }) : null);
    if (appended) {
      const { file: name, bytes } = appended;
      const inputs = [{ name, stream: Readable.from([bytes]), bytes: null }];
      try {
        const now = Date.now();
        told(await importRecords({ graph, inputs, region, now, settle: false, lastWins: true }));
      } catch (error) {
        if (!(error instanceof BonafideError) || error.code !== 'unreadable_file') throw error;
        tell(error.message);
      }
      last = performance.now();
    } else if (once || performance.now() - last > QUIET_MS) {
      await settle(graph);
      if (once) return;
      last = performance.now();
    } else await pause(LOOK_EVERY_MS);
  }
}

function textOf({ added, replaced, removed, rejected, identities, records, firstRejects }: ImportSummary) {
  const lines = firstRejects.map(
    ({ input, line, whole, reason }) => `  ${input}, line ${line}: ${reason}${whole ? '' : ' (left out)'}`,
  );
  const done = `${added} added, ${replaced} replaced, ${removed} taken out, ${rejected} rejected`;
  return [...lines, `${done}: ${holdingText({ records, identities })}`].join('\n');
}
