// Manual links: an operator's decisions that records are one person, or two.
import type { PeopleOperationResult } from '../../admin/graph/people-operations.ts';
import { defineArgument, defineOption, parseIdentityNumber, parseWholeNumber } from '../helpers/arguments.ts';
import { defineCommand, formatTable, formatTime, printResult } from '../helpers/command.ts';
import { withGraph } from '../helpers/open.ts';
import { runAndPrintGraphOperation } from '../helpers/operations.ts';

const WHY_OPTION = {
  why: defineOption('Reason, stored encrypted. Do not write names, e-mails or phone numbers', 'text'),
};

export const graphSplitCommand = defineCommand('Decide that some records of an identity are another person', {
  args: { records: defineArgument('Records: ID, or SOURCE:ID', 'RECORD…'), ...WHY_OPTION },
  examples: ['graph split shop:1017 shop:1020 --why "twins, they told us"'],
  run: (args) =>
    runAndPrintGraphOperation(args, 'split', { records: args._, why: args.why ?? '' }, formatDecision),
});

export const graphJoinCommand = defineCommand('Decide that identities are one person', {
  args: { identities: defineArgument('Identity numbers', 'IDENTITY…'), ...WHY_OPTION },
  examples: ['graph join 12 40 --why "married, same customer"'],
  run: (args) => {
    const input = { identities: args._.map(parseIdentityNumber), why: args.why ?? '' };
    return runAndPrintGraphOperation(args, 'join', input, formatDecision);
  },
});

export const graphManualLinksCommand = defineCommand('List splits and joins: operator, time and reason', {
  args: { undo: defineOption('Undo the manual link with this number', 'number') },
  examples: ['graph manual-links', 'graph manual-links --undo 3'],
  run: (args) => {
    if (args.undo === undefined) return listManualLinks(args);
    return runAndPrintGraphOperation(args, 'undo', parseWholeNumber(args.undo, '--undo'), describeIdentities);
  },
});

const listManualLinks = (args: Parameters<typeof withGraph>[0]) =>
  withGraph(args, 'read', async (graph) => {
    const links = (await graph.manualLinks.list()).map(({ groups, time, undone, ...link }) => ({
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
    printResult(args, links, links.length === 0 ? 'There are no manual links.' : formatTable(rows));
  });

type Decision = PeopleOperationResult<'split'>;

const formatDecision = (decision: Decision) =>
  `${describeIdentities(decision)}\nTo undo this: bonafide graph manual-links --undo ${decision.id}`;

const describeIdentities = ({ records, identities }: Decision): string =>
  identities.length === 1
    ? `${records} records are now identity ${identities[0]}.`
    : `${records} records are now the identities ${identities.join(' and ')}.`;
