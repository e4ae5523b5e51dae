// A person's judgement on who is who, and taking it back.
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import {
  join as joinIdentities,
  type Judged,
  judgementsIn,
  split as splitRecords,
  undo,
} from '../../people/judge.ts';
import { getOperatorName } from '../../store/audit.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { parseIdentity } from '../shared/arguments.ts';

const WHY = {
  why: {
    type: 'string',
    description: 'The reason, kept encrypted until one of them is forgotten: no name, no e-mail, no phone',
    valueHint: 'text',
  },
} as const;

const judgeOf = (why: string | undefined) => ({ who: getOperatorName(), why: why ?? '', time: Date.now() });

export const split = defineCommand({
  meta: {
    name: 'split',
    description: 'Judge that records of an identity are another person than its others',
  },
  args: {
    records: {
      type: 'positional',
      description: 'Record ids, or SOURCE:ID',
      required: true,
      valueHint: 'RECORD…',
    },
    ...WHY,
    ...COMMON_OPTIONS,
  },
  examples: ['graph split shop:1017 shop:1020 --why "twins, they told us"'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        const it = await splitRecords(graph, args._, judgeOf(args.why));
        noteJudged(config, 'graph.split', it);
        print(args, it, `${judgedText(it)}\nundo it with: bonafide graph judgements --undo ${it.id}`);
      },
      { writes: true },
    ),
});

export const join = defineCommand({
  meta: { name: 'join', description: 'Judge that identities are one person' },
  args: {
    identities: {
      type: 'positional',
      description: 'Identity numbers',
      required: true,
      valueHint: 'IDENTITY…',
    },
    ...WHY,
    ...COMMON_OPTIONS,
  },
  examples: ['graph join 12 40 --why "married, same customer"'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        const it = await joinIdentities(graph, args._.map(parseIdentity), judgeOf(args.why));
        noteJudged(config, 'graph.join', it);
        print(args, it, `${judgedText(it)}\nundo it with: bonafide graph judgements --undo ${it.id}`);
      },
      { writes: true },
    ),
});

export const judgements = defineCommand({
  meta: { name: 'judgements', description: 'What was split and joined, by whom, when and why' },
  args: {
    undo: { type: 'string', description: 'Take this judgement back', valueHint: 'number' },
    ...COMMON_OPTIONS,
  },
  examples: ['graph judgements', 'graph judgements --undo 3'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        if (args.undo !== undefined) {
          if (!/^\d{1,15}$/.test(args.undo))
            throw new BonafideError(
              'invalid_arguments',
              'A judgement is a number: graph judgements lists them.',
            );
          const it = await undo(graph, Number(args.undo), Date.now());
          noteJudged(config, 'graph.undo', it);
          return print(args, it, judgedText(it));
        }
        const all = (await judgementsIn(graph)).map(({ groups, time, undone, ...one }) => ({
          ...one,
          time: new Date(time).toISOString(),
          undone: undone === null ? null : new Date(undone).toISOString(),
          records: groups.map((group) => group.length),
        }));
        const rows = all.map(({ id, kind, time, who, why, undone, records }) => [
          String(id),
          time,
          `${kind} of ${records.join(' and ')} records`,
          who,
          why,
          undone === null ? '' : `undone ${undone}`,
        ]);
        print(args, all, all.length === 0 ? 'Nobody has judged anything.' : formatTable(rows));
      },
      { writes: args.undo !== undefined },
    ),
});

function noteJudged(config: Config, act: 'graph.split' | 'graph.join' | 'graph.undo', it: Judged): void {
  recordAction(config, {
    act,
    target: String(it.id),
    detail: { records: it.records, identities: it.identities.length },
  });
}

const judgedText = ({ records, identities }: Judged): string =>
  `${records} records are now ${identities.length === 1 ? 'identity' : 'identities'} ${identities.join(' and ')}`;
