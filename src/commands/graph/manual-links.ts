// Manual links: an operator's decisions that records are one person, or two.
import type { Config } from '../../config.ts';
import {
  join as joinIdentities,
  type Judged,
  judgementsIn,
  split as splitRecords,
  undo,
} from '../../people/judge.ts';
import { getOperatorName } from '../../store/audit.ts';
import { argument, option, parseIdentity, parseWholeNumber } from '../shared/arguments.ts';
import { defineCommand, formatTable, formatTime, print } from '../shared/command.ts';
import { recordAction, withGraph } from '../shared/open.ts';

const WHY_OPTION = {
  why: option(
    'Reason; stored encrypted until one of the people is forgotten. Do not write names, e-mails or phones',
    'text',
  ),
};

/** Operator, reason and time of a decision. */
const describeDecision = (why: string | undefined) => ({
  who: getOperatorName(),
  why: why ?? '',
  time: Date.now(),
});

export const split = defineCommand('split', 'Decide that some records of an identity are another person', {
  args: { records: argument('Records: ID, or SOURCE:ID', 'RECORD…'), ...WHY_OPTION },
  examples: ['graph split shop:1017 shop:1020 --why "twins, they told us"'],
  run: (args) =>
    withGraph(
      args,
      async (graph, config) => {
        const result = await splitRecords(graph, args._, describeDecision(args.why));
        recordDecision(config, 'graph.split', result);
        print(args, result, formatDecision(result));
      },
      'write',
    ),
});

export const join = defineCommand('join', 'Decide that identities are one person', {
  args: { identities: argument('Numbers of identities', 'IDENTITY…'), ...WHY_OPTION },
  examples: ['graph join 12 40 --why "married, same customer"'],
  run: (args) =>
    withGraph(
      args,
      async (graph, config) => {
        const result = await joinIdentities(graph, args._.map(parseIdentity), describeDecision(args.why));
        recordDecision(config, 'graph.join', result);
        print(args, result, formatDecision(result));
      },
      'write',
    ),
});

export const manualLinks = defineCommand(
  'manual-links',
  'List the manual links: splits and joins, with operator, time and reason',
  {
    args: { undo: option('Undo the manual link with this number', 'number') },
    examples: ['graph manual-links', 'graph manual-links --undo 3'],
    run: (args) =>
      withGraph(
        args,
        async (graph, config) => {
          if (args.undo !== undefined) {
            const result = await undo(graph, parseWholeNumber(args.undo, '--undo'), Date.now());
            recordDecision(config, 'graph.undo', result);
            return print(args, result, describeIdentities(result));
          }
          const links = (await judgementsIn(graph)).map(({ groups, time, undone, ...link }) => ({
            ...link,
            time: formatTime(time),
            undone: formatTime(undone),
            records: groups.map((group) => group.length),
          }));
          const rows = links.map(({ id, kind, time, who, why, undone, records }) => [
            String(id),
            time,
            `${kind} of ${records.join(' and ')} records`,
            who,
            why,
            undone === null ? '' : `undone ${undone}`,
          ]);
          print(args, links, links.length === 0 ? 'There are no manual links.' : formatTable(rows));
        },
        args.undo === undefined ? 'read' : 'write',
      ),
  },
);

function recordDecision(
  config: Config,
  act: 'graph.split' | 'graph.join' | 'graph.undo',
  { id, records, identities }: Judged,
): void {
  recordAction(config, { act, target: String(id), detail: { records, identities: identities.length } });
}

const formatDecision = (result: Judged) =>
  `${describeIdentities(result)}\nTo undo this: bonafide graph manual-links --undo ${result.id}`;

const describeIdentities = ({ records, identities }: Judged): string =>
  identities.length === 1
    ? `${records} records are now identity ${identities[0]}.`
    : `${records} records are now the identities ${identities.join(' and ')}.`;
