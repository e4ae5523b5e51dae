// bonafide graph import --undo: the graph without the last import.
import { confirm, isCancel } from '@clack/prompts';
import { BonafideError } from '../../../errors.ts';
import type { KeepingGraph } from '../../../graph/graph.ts';
import { takeBack } from '../../../import/apply/sources.ts';
import { linkChanged } from '../../../import.ts';
import { noteAct } from '../../audit/note.ts';
import { print } from '../../command.ts';
import { withGraph } from '../with-graph.ts';

type Args = Parameters<typeof withGraph>[0] & { yes?: boolean | undefined; json?: boolean | undefined };

/** Errors: `not_found` where there is none, `invalid_arguments` where the answer is no, those of the graph. */
export function takeBackLast(args: Args): Promise<void> {
  return withGraph(args, async (graph, config) => {
    await agreed(graph, args);
    const done = await takeBack(graph, () => linkChanged(graph));
    noteAct(config, { act: 'graph.undo', target: '', detail: { ...done } });
    const left = done.left > 0 ? `; ${done.left} were changed since and stay` : '';
    const text = `the last import is taken back: ${done.removed} records gone, ${done.restored} as they were${left}`;
    print(
      args,
      done,
      `${text}\nthe graph now holds ${done.records} records on ${done.identities} identities`,
    );
  });
}

/** Where somebody can be asked, they are. */
async function agreed({ records }: KeepingGraph, { yes, json }: Args): Promise<void> {
  const last = await records.lastApplied();
  if (!last) throw new BonafideError('not_found', 'There is no import that could be taken back.');
  if (yes || json || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const message = `Take back the import of ${new Date(last.at).toLocaleString()}?`;
  const answer = await confirm({ message, output: process.stderr });
  if (isCancel(answer) || !answer) throw new BonafideError('invalid_arguments', 'Nothing was taken back.');
}
