// bonafide graph sources: the sources of records, and removal of a source.
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { holdingText, plural } from '../../evaluate/report/words.ts';
import { toDisplayName } from '../../import/columns/cells.ts';
import { removeSource } from '../../import/sources.ts';
import { sourceTold } from '../../people/erase/receipt.ts';
import { linkChanged } from '../../people/linking/linking.ts';
import { optionalArgument, usageError, YES_OPTION } from '../shared/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  formatDay,
  formatTable,
  formatTime,
  print,
} from '../shared/command.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { requireConfirmation } from '../shared/terminal.ts';

export const sources = defineCommand(
  'sources',
  'List the sources of records; `remove NAME` removes a source',
  {
    args: {
      act: optionalArgument('`remove`, or nothing'),
      name: optionalArgument('Name of the source to remove'),
      ...YES_OPTION,
    },
    examples: ['graph sources', 'graph sources remove shop'],
    run: (args) => {
      if (args.act === undefined) return listSources(args);
      if (args.act !== 'remove' || !args.name)
        throw usageError('Run either `graph sources`, or `graph sources remove NAME`.');
      return removeNamed(args.name, args);
    },
  },
);

type SourcesArgs = CommonArgs & { yes?: boolean | undefined };

const listSources = (args: SourcesArgs) =>
  withGraph(args, async (graph) => {
    const all = await GRAPH_REPORTS.sources(graph);
    const rows = all.map(({ source, records, firstSeen, lastSeen, imported }) => [
      source,
      plural(records, 'record'),
      formatPeriod(firstSeen, lastSeen),
      imported === null ? '' : `imported ${formatTime(imported).slice(0, 16).replace('T', ' ')}`,
    ]);
    print(args, all, all.length === 0 ? 'The graph has no records.' : formatTable(rows));
  });

function formatPeriod(first: number | null, last: number | null): string {
  if (first !== null && last !== null) return `${formatDay(first)} to ${formatDay(last)}`;
  if (first !== null) return `first seen ${formatDay(first)}`;
  return last === null ? 'no dates' : `last seen ${formatDay(last)}`;
}

const removeNamed = (name: string, args: SourcesArgs) =>
  withGraph(
    args,
    async (graph, config) => {
      const source = toDisplayName(name);
      await requireConfirmation(
        `Remove all records of the source ${source}? This cannot be undone.`,
        args.yes === true,
      );
      const result = await removeSource(graph, name, () => linkChanged(graph));
      recordAction(config, { act: 'graph.remove-source', target: sourceTold(name), detail: { ...result } });
      const removed = `Removed ${plural(result.removed, 'record')} of the source ${source}.`;
      print(args, result, `${removed}\nThe graph now has ${holdingText(result)}.`);
    },
    'write',
  );
