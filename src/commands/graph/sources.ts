// Command `bonafide graph sources`: the sources of records, and removal of a source.
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { holdingText, plural } from '../../evaluate/report/words.ts';
import { toDisplayName } from '../../import/columns/cells.ts';
import { optionalArgument, usageError, YES_OPTION } from '../shared/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  formatDay,
  formatTable,
  formatTime,
  printResult,
} from '../shared/command.ts';
import { withGraph } from '../shared/open.ts';
import { printGraphOperation } from '../shared/operations.ts';
import { requireConfirmation } from '../shared/terminal.ts';

export const sourcesCommand = defineCommand('List the sources of records; `remove NAME` removes a source', {
  args: {
    act: optionalArgument('`remove`, or nothing'),
    name: optionalArgument('Name of the source to remove'),
    ...YES_OPTION,
  },
  examples: ['graph sources', 'graph sources remove shop'],
  run: async (args) => {
    if (args.act === undefined) return listSources(args);
    if (args.act !== 'remove' || !args.name)
      throw usageError('Run either `graph sources`, or `graph sources remove NAME`.');
    const name = toDisplayName(args.name);
    const question = `Remove all records of the source ${name}? This cannot be undone.`;
    await requireConfirmation(question, args.yes === true);
    await printGraphOperation(args, 'removeSource', { source: args.name }, (result) =>
      [
        `Removed ${plural(result.removed, 'record')} of the source ${name}.`,
        `The graph now has ${holdingText(result)}.`,
      ].join('\n'),
    );
  },
});

const listSources = (args: CommonArgs) =>
  withGraph(args, 'read', async (graph) => {
    const all = await GRAPH_REPORTS.sources(graph);
    const rows = all.map(({ source, records, firstSeen, lastSeen, imported }) => [
      source,
      plural(records, 'record'),
      formatPeriod(firstSeen, lastSeen),
      imported === null ? '' : `imported ${formatTime(imported).slice(0, 16).replace('T', ' ')}`,
    ]);
    printResult(args, all, all.length === 0 ? 'The graph has no records.' : formatTable(rows));
  });

function formatPeriod(first: number | null, last: number | null): string {
  if (first !== null && last !== null) return `${formatDay(first)} to ${formatDay(last)}`;
  if (first !== null) return `first seen ${formatDay(first)}`;
  return last === null ? 'no dates' : `last seen ${formatDay(last)}`;
}
