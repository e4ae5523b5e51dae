// Commands `bonafide watches`: watches of all accounts, without their claims.
import { requireExistingWatch, toWatchWithOwnerJson } from '../../admin/events.ts';
import { listWatchesAfter, type StoredWatch } from '../../store/events/watches.ts';
import { formatCount } from '../../evaluate/report/words.ts';
import { defineArgument, defineOption, parseWholeNumber } from '../helpers/arguments.ts';
import { defineCommand, defineCommandGroup, formatTable, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runStoreOperation } from '../helpers/operations.ts';

const ID = { id: defineArgument('Id of the watch (wat_…), as `watches list` shows it') };

const toJson = (watch: StoredWatch) => {
  const { recheck_every_hours: _, ...json } = toWatchWithOwnerJson(watch, null);
  return json;
};

const list = defineCommand('List watches of all accounts, the oldest first', {
  args: { limit: defineOption('Maximum number of watches (default 100)', 'number') },
  examples: ['watches list', 'watches list --limit 1000 --json'],
  run: async (args) => {
    const limit = parseWholeNumber(args.limit ?? '100', '--limit');
    const watches = await withStore(args, 'empty', ({ raw }) => listWatchesAfter(raw, 0, limit));
    const rows = watches.map((watch) => {
      const { watch_id: id, owner, reference, score, status, expires_at: expires } = toJson(watch);
      return [id, owner, reference ?? '', String(score), status, `expires ${expires}`];
    });
    const text =
      rows.length === 0
        ? 'There are no watches.'
        : formatTable([['watch', 'owner', 'reference', 'score', 'status', ''], ...rows]);
    printResult(args, watches.map(toJson), text);
  },
});

const show = defineCommand('Show a watch; never what was submitted', {
  args: ID,
  run: async (args) => {
    const watch = toJson(await withStore(args, 'empty', (store) => requireExistingWatch(store, args.id)));
    const rows = Object.entries(watch).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    ]);
    printResult(args, watch, formatTable(rows));
  },
});

const remove = defineCommand('Delete a watch', {
  args: ID,
  run: async (args) => {
    await runStoreOperation(args, 'watches.delete', args.id);
    printResult(args, { watch_id: args.id }, `The watch ${args.id} is deleted.`);
  },
});

const recheck = defineCommand('Check all watches again, also for changes of counts of the whole graph', {
  run: async (args) => {
    const { watches } = await runStoreOperation(args, 'watches.recheck', null);
    const text = `Queued: ${formatCount(watches, 'watch', 'watches')}. A running server with the setting watches: true checks them.`;
    printResult(args, { watches }, text);
  },
});

export const watchesCommands = defineCommandGroup(
  'List, show, delete and check again the watches of accounts',
  {
    subCommands: { list, show, delete: remove, recheck },
    examples: ['watches list', 'watches recheck'],
  },
);
