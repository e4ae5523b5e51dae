// bonafide graph import --undo: the graph without the last import.
import { BonafideError } from '../../../errors.ts';
import type { KeepingGraph } from '../../../graph/graph.ts';
import { takeBack } from '../../../import/apply/sources.ts';
import { linkChanged } from '../../../people/linking/linking.ts';
import { noteAct } from '../../audit/note.ts';
import { holdingText, plural } from '../../../evaluate/report/words.ts';
import { print } from '../../command.ts';
import { consent } from '../consent.ts';
import { withGraph } from '../with-graph.ts';

type Args = Parameters<typeof withGraph>[0] & { yes?: boolean | undefined; json?: boolean | undefined };

/** Errors: `not_found` where there is none, `invalid_arguments` where the answer is no or nobody can be asked, those of the graph. */
export function takeBackLast(args: Args): Promise<void> {
  return withGraph(
    args,
    async (graph, config) => {
      await agreed(graph, args);
      const done = await takeBack(graph, () => linkChanged(graph));
      noteAct(config, { act: 'graph.undo', target: '', detail: { ...done } });
      const left = done.left > 0 ? `; ${done.left} changed since and stay` : '';
      const text = `the last import is taken back: ${plural(done.removed, 'record')} gone, ${done.restored} as they were${left}`;
      print(args, done, `${text}\nthe graph now holds ${holdingText(done)}`);
    },
    { writes: true },
  );
}

async function agreed({ records }: KeepingGraph, { yes = false }: Args): Promise<void> {
  const last = await records.lastApplied();
  if (!last) throw new BonafideError('not_found', 'There is no import that could be taken back.');
  await consent(`Take back the import of ${new Date(last.at).toLocaleString()}?`, yes);
}
