// Commands `bonafide requests`: accepted and refused calls, without submitted values.
import {
  getLoggedCall,
  getRefusedCallDetails,
  type RefusedCallDetails,
  type RefusalJson,
} from '../../admin/logs.ts';
import { toLoggedCallJson } from '../../admin/wire.ts';
import { BonafideError } from '../../errors.ts';
import { defineArgument, defineOption, parseDurationOption, parseWholeNumber } from '../helpers/arguments.ts';
import { defineCommand, defineCommandGroup, formatTable, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';
import { runAndPrintStoreOperation } from '../helpers/operations.ts';

const show = defineCommand('Show a call by its request id: its result, or why it was refused', {
  args: { id: defineArgument('Request id (req_…): `request_id` of the answer, or its header X-Request-Id') },
  examples: ['requests show req_01kb2v9r3c000142m6x9q0w8zt'],
  run: (args) =>
    withStore(args, 'empty', (store) => {
      try {
        const json = toLoggedCallJson(getLoggedCall(store, args.id));
        printResult(args, json, formatFields('accepted', json));
      } catch (error) {
        if (!(error instanceof BonafideError && error.code === 'not_found')) throw error;
        const refusal = getRefusedCallDetails(store, args.id);
        printResult(args, refusal, formatRefusal(args.id, refusal));
      }
    }),
});

const refused = defineCommand('List refused calls, newest first: when, with which key and by which rule', {
  args: {
    key: defineOption('Only calls of the key with this id or name', 'key'),
    account: defineOption('Only calls of this account', 'acc_…'),
    status: defineOption('Only calls with this HTTP status', 'number'),
    since: defineOption('Only calls of this last period, such as 2h or 7d', 'time'),
    limit: defineOption('Maximum number of calls (default 50)', 'number'),
  },
  examples: ['requests refused', 'requests refused --key shop --since 2h'],
  run: (args) => {
    const query = {
      key: args.key,
      account: args.account,
      status: args.status === undefined ? undefined : parseWholeNumber(args.status, '--status'),
      since: args.since === undefined ? undefined : Date.now() - parseDurationOption(args.since, '--since'),
      limit: parseWholeNumber(args.limit ?? '50', '--limit'),
    };
    return runAndPrintStoreOperation(args, 'refusals.list', query, ({ items }) => formatRefusals(items));
  },
});

export const loggedRequestsCommands = defineCommandGroup('Show accepted and refused calls', {
  subCommands: { show, refused },
  examples: ['requests show req_01kb2v9r3c000142m6x9q0w8zt', 'requests refused --since 2h'],
});

function formatFields(result: string, call: object): string {
  const rows = Object.entries({ result, ...call }).flatMap(([name, value]: [string, unknown]) =>
    value === null
      ? []
      : [[name.replaceAll('_', ' '), typeof value === 'object' ? listCounts(value) : String(value)]],
  );
  return formatTable(rows);
}

const listCounts = (counts: object | null): string =>
  Object.entries(counts ?? {})
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

function formatRefusal(id: string, { refusal, counted }: RefusedCallDetails): string {
  if (refusal) {
    const { more, ...fields } = refusal;
    return formatFields('refused', more === 0 ? fields : { ...fields, more });
  }
  return `${id} has no row of its own: in its minute these refusals were counted together.\n${formatRefusals(counted)}`;
}

function formatRefusals(refusals: RefusalJson[]): string {
  if (refusals.length === 0) return 'No refused call matches.';
  const rows = refusals.map((refusal) => [
    refusal.time,
    String(refusal.status),
    refusal.rule === null ? refusal.code : `${refusal.code}: ${refusal.rule}`,
    refusal.endpoint,
    refusal.key_name ?? refusal.key ?? 'no known key',
    refusal.account_name ?? refusal.account ?? '',
    refusal.request_id + (refusal.more === 0 ? '' : ` and ${refusal.more} more`),
  ]);
  return formatTable([['time', 'status', 'reason', 'endpoint', 'key', 'account', 'request'], ...rows]);
}
