// bonafide graph sources: where the records come from, and taking all of one source out.
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { sourceTold } from '../../people/erase/receipt.ts';
import { BonafideError } from '../../errors.ts';
import { removeSource } from '../../import/sources.ts';
import { linkChanged } from '../../people/linking/linking.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { holdingText, plural } from '../../evaluate/report/words.ts';
import { toDisplayName } from '../../import/columns/cells.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { confirmOrThrow } from '../shared/terminal.ts';

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

function datesText(first: number | null, last: number | null): string {
  if (first !== null && last !== null) return `${day(first)} to ${day(last)}`;
  return first !== null
    ? `first seen ${day(first)}`
    : last !== null
      ? `last seen ${day(last)}`
      : 'without a date';
}

export const sources = defineCommand({
  meta: { name: 'sources', description: 'Where the records come from; remove NAME takes all of one out' },
  args: {
    act: { type: 'positional', description: 'Nothing, or remove', required: false },
    name: { type: 'positional', description: 'The source to remove', required: false },
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
    ...COMMON_OPTIONS,
  },
  examples: ['graph sources', 'graph sources remove shop'],
  run: ({ args }) => {
    if (args.act === undefined) return list(args);
    if (args.act !== 'remove' || !args.name)
      throw new BonafideError('invalid_arguments', 'It is: graph sources, or graph sources remove NAME.');
    return remove(args.name, args);
  },
});

type Args = Parameters<typeof withGraph>[0] & { yes?: boolean | undefined };

const list = (args: Args) =>
  withGraph(args, async (graph) => {
    const all = await GRAPH_REPORTS.sources(graph);
    const rows = all.map(({ source, records, firstSeen, lastSeen, imported }) => [
      source,
      plural(records, 'record'),
      datesText(firstSeen, lastSeen),
      imported === null ? '' : `imported ${new Date(imported).toISOString().slice(0, 16).replace('T', ' ')}`,
    ]);
    print(args, all, all.length === 0 ? 'The graph holds no records.' : formatTable(rows));
  });

const remove = (name: string, args: Args) =>
  withGraph(
    args,
    async (graph, config) => {
      await confirmOrThrow(
        `Take all records of ${toDisplayName(name)} out of the graph? This cannot be taken back.`,
        args.yes === true,
      );
      const done = await removeSource(graph, name, () => linkChanged(graph));
      recordAction(config, { act: 'graph.remove-source', target: sourceTold(name), detail: { ...done } });
      const text = `${plural(done.removed, 'record')} of ${toDisplayName(name)} ${done.removed === 1 ? 'is' : 'are'} gone\nthe graph now holds ${holdingText(done)}`;
      print(args, done, text);
    },
    { writes: true },
  );
