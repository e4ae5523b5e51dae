// bonafide graph sources: where the records come from, and taking all of one source out.
import { confirm, isCancel } from '@clack/prompts';
import { LOOKS } from '../../../admin/graph/looks.ts';
import { sourceTold } from '../../../erase/receipt.ts';
import { BonafideError } from '../../../errors.ts';
import { removeSource } from '../../../import/apply/sources.ts';
import { linkChanged } from '../../../import.ts';
import { noteAct } from '../../audit/note.ts';
import { COMMON, defineCommand, print, table } from '../../command.ts';
import { withGraph } from '../with-graph.ts';

const day = (time: number | null) => (time === null ? 'unknown' : new Date(time).toISOString().slice(0, 10));

export const sources = defineCommand({
  meta: { name: 'sources', description: 'Where the records come from; remove NAME takes all of one out' },
  args: {
    act: { type: 'positional', description: 'Nothing, or remove', required: false },
    name: { type: 'positional', description: 'The source to remove', required: false },
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
    ...COMMON,
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
    const all = await LOOKS.sources(graph);
    const rows = all.map(({ source, records, firstSeen, lastSeen }) => [
      source,
      `${records} records`,
      `${day(firstSeen)} to ${day(lastSeen)}`,
    ]);
    print(args, all, all.length === 0 ? 'The graph holds no records.' : table(rows));
  });

const remove = (name: string, args: Args) =>
  withGraph(args, async (graph, config) => {
    if (!args.yes && !args.json && process.stdin.isTTY && process.stderr.isTTY) {
      const message = `Take all records of ${name} out of the graph? This cannot be taken back.`;
      const answer = await confirm({ message, output: process.stderr });
      if (isCancel(answer) || !answer) throw new BonafideError('invalid_arguments', 'Nothing was taken out.');
    }
    const done = await removeSource(graph, name, () => linkChanged(graph));
    noteAct(config, { act: 'graph.remove-source', target: sourceTold(name), detail: { ...done } });
    const text = `${done.removed} records of ${name} are gone\nthe graph now holds ${done.records} records on ${done.identities} identities`;
    print(args, done, text);
  });
