import { writeFileSync } from 'node:fs';
import { type Config, parseKeep, DEFAULT_GRAPH } from '../../config.ts';
import { ageOf } from '../../people/erase/age.ts';
import { refuseDoubtfulClock } from '../../people/erase/clock.ts';
import {
  actOf,
  completeForgetting,
  finishReceipts,
  forget as forgetRecords,
  type NamedRow,
  returned,
  unseenFor,
} from '../../people/erase/forget.ts';
import { marksIn, type Receipt, receiptsIn, receiptText } from '../../people/erase/receipt.ts';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import type { RecordName } from '../../graph/records.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { choose, type ChosenPerson, peopleOf } from '../../people/choose.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { COMMON_OPTIONS, defineCommand, everyValue, print, REGION_OPTION } from '../shared/command.ts';
import { confirmOrThrow } from '../shared/terminal.ts';
import { parseIdentity } from '../shared/arguments.ts';

export const forget = defineCommand({
  meta: { name: 'forget', description: 'Take a person or records out of every file of the folder, for good' },
  args: {
    identity: { type: 'string', description: 'An identity number; may be repeated, as the next three' },
    record: { type: 'string', description: 'A record, SOURCE:ID' },
    email: { type: 'string', description: 'The e-mail address of one identity' },
    phone: { type: 'string', description: 'The phone number of one identity' },
    'older-than': {
      type: 'string',
      description: 'In place of them: all records that were last seen so long ago, such as 5y',
      valueHint: 'time',
    },
    due: {
      type: 'boolean',
      description: 'In place of them: what is kept no longer, as the setting graph.keep says',
    },
    'clock-is-right': {
      type: 'boolean',
      description:
        'With the two above: take most of the graph out, though nobody on record was seen for a year',
    },
    again: {
      type: 'boolean',
      description:
        'In place of them: who was forgotten before and is there again, as after restoring an older backup',
    },
    'dry-run': { type: 'boolean', description: 'Show what would go, and change nothing' },
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
    'allow-return': { type: 'boolean', description: 'Let them in again with a later import' },
    rewrite: {
      type: 'boolean',
      description: 'Write the files anew, also where nothing of them is found any more',
    },
    receipt: { type: 'string', description: 'Write the receipt here too', valueHint: 'file' },
    ...REGION_OPTION,
    ...COMMON_OPTIONS,
  },
  examples: [
    'graph forget --identity 12',
    'graph forget --email jane@example.com --dry-run',
    'graph forget --record shop:1017 --yes --receipt receipt.json',
    'graph forget --older-than 5y --yes',
    'graph forget --due --yes',
  ],
  run: ({ args, rawArgs }) =>
    withGraph(
      args,
      async (graph, config) => {
        const { dataDir, region, graph: graphSetting, backup } = config;
        if (args.receipt) refuseOwnFile(dataDir, args.receipt);
        if (!args['dry-run']) await completed(graph, config);
        // What the last import replaced or took out is kept for taking it back, and may be of the very person who is not found any more.
        if (args.yes && !args['dry-run']) await graph.records.discardUndoJournal();
        const going = await goingOf(graph, {
          every: (option) => everyValue(rawArgs, option),
          olderThan: args['older-than'],
          due: args.due === true ? ageSet(graphSetting) : undefined,
          again: args.again === true ? receiptsIn(dataDir) : null,
          region,
          isClockRight: args['clock-is-right'] === true || args['dry-run'] === true,
        });
        const says = goingText(going);
        const planned = {
          records: going.names.length,
          people: going.people.map(personView),
          more: going.more,
        };
        if (args.again && !args['dry-run'] && going.names.length === 0) await finishReceipts(graph, dataDir);
        if (args['dry-run'] || going.names.length === 0)
          return print(args, { ...planned, dry_run: true }, `${says}\nnothing was changed`);
        if (args.json !== true) process.stderr.write(`${says}\n`);
        await confirmOrThrow('Take them out for good? No command brings them back.', args.yes === true);
        const { receipt, file } = await forgetRecords(graph, going.names, {
          dataDir,
          now: Date.now(),
          // Whose time is over may come again as somebody who was seen since.
          allowReturn: args['allow-return'] ?? args.due,
          rewrite: args.rewrite,
          backupsTo: backup?.to,
        });
        if (args.receipt) writeFileSync(args.receipt, receiptText(receipt), { mode: 0o600 });
        if (args.again) await finishReceipts(graph, dataDir);
        recordAction(config, actOf(receipt));
        print(args, { ...receipt, receipt: file }, receiptSays(receipt, file));
      },
      { writes: args['dry-run'] !== true },
    ),
});

/** Completes a forgetting that was cut short, which nobody has noted yet. */
export async function completed(graph: RecordGraph, config: Config): Promise<void> {
  const receipt = await completeForgetting(graph, config.dataDir);
  if (receipt === null) return;
  recordAction(config, actOf(receipt));
  process.stderr.write(
    `A forgetting that was cut short is complete now: ${receipt.records} records of ${receipt.time}.\n`,
  );
}

/** Errors: `invalid_arguments` where none is set. */
function ageSet(setting: Config['graph']): string {
  const { age } = parseKeep(setting ?? DEFAULT_GRAPH);
  if (age !== null) return age;
  throw new BonafideError(
    'invalid_arguments',
    'The setting graph.keep names no age, such as 5y: see the page Settings, or say --older-than.',
  );
}

interface Going {
  names: RecordName[];
  people: ChosenPerson[];
  /** Identities beyond those that are listed. */
  more: number;
  /** Records without a date, where the age decides. */
  undated?: number;
}

interface Wanted {
  every(option: string): string[];
  olderThan: string | undefined;
  due: string | undefined;
  again: string[] | null;
  region: string;
  isClockRight: boolean;
}

async function goingOf(
  graph: RecordGraph,
  { every, olderThan, due, again, region, isClockRight }: Wanted,
): Promise<Going> {
  const age = olderThan ?? due;
  const named = ['identity', 'record', 'email', 'phone'].filter((option) => every(option).length > 0);
  if (named.length > 0 && (age !== undefined || again !== null))
    throw new BonafideError(
      'invalid_arguments',
      `--${named[0]} does not go with --older-than, --due and --again.`,
    );
  if (again) return listed(graph, await returned(graph, again.flatMap(marksIn)));
  if (age !== undefined) {
    const now = Date.now();
    const found = await unseenFor(graph, ageOf(age), now);
    if (!isClockRight) refuseDoubtfulClock(found, now);
    return { ...(await listed(graph, found.names)), undated: found.undated };
  }
  const people = await choosing(graph, {
    identities: every('identity').map(parseIdentity),
    records: every('record'),
    emails: every('email'),
    phones: every('phone'),
    region,
  });
  const names = people.flatMap(({ chosen }) => chosen.map(({ source, recordId }) => ({ source, recordId })));
  return { names, people, more: 0 };
}

/** Identities that are listed where an age or receipts choose them. */
const MOST_LISTED = 100;

const listed = async (graph: RecordGraph, names: NamedRow[]): Promise<Going> => ({
  names,
  ...(await peopleOf(graph, names, MOST_LISTED)),
});

/** Somebody may be held only in what the last import replaced: nobody is told that nothing is held while that is kept. */
async function choosing(graph: RecordGraph, chosen: Parameters<typeof choose>[1]): Promise<ChosenPerson[]> {
  try {
    return await choose(graph, chosen);
  } catch (error) {
    if (!(error instanceof BonafideError) || !(await graph.records.lastAppliedImport())) throw error;
    const kept =
      'What the last import replaced or took out is still kept, for graph import --undo: with --yes this command ends that, and so does the next import.';
    throw new BonafideError(error.code, `${error.message}\n${kept}`, error.details);
  }
}

const personView = ({ identity, names, chosen, others }: ChosenPerson) => ({
  identity,
  names,
  records: chosen.map(({ source, recordId }) => ({ source, record_id: recordId })),
  others,
});

function goingText({ names, people, more, undated = 0 }: Going): string {
  const lines = people.flatMap(({ identity, names: called, chosen, others }) => [
    `identity ${identity ?? 'none yet'}  ${called.join(', ') || 'without a name'}${others > 0 ? `  (${counted(others, 'other record')} of it ${others === 1 ? 'stays' : 'stay'})` : ''}`,
    ...chosen.map(({ source, recordId }) => `  record ${source}:${recordId}`),
  ]);
  if (more > 0) lines.push(`… and ${counted(more, 'more identity', 'more identities')}`);
  lines.push(`${counted(names.length, 'record')} would go`);
  if (undated > 0)
    lines.push(
      `${counted(undated, 'record')} ${undated === 1 ? 'carries no date and stays' : 'carry no date and stay'}`,
    );
  return lines.join('\n');
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const NOT_SEARCHED = 'they may still be in';
const WHAT_THEN =
  'it is a backup, encrypted, under another secret, was sent to be imported, may not be read, or a process is at work on it, so it cannot be searched. Delete it when you need it no more';

function receiptSays(it: Receipt, file: string): string {
  const lines = [
    `${counted(it.records, 'record')} ${it.records === 1 ? 'is' : 'are'} gone, and ${counted(it.identities.length, 'identity', 'identities')} with ${it.records === 1 ? 'it' : 'them'}`,
    it.traces.length === 0
      ? `every file of the folder ${it.unsearched?.length ? 'that can be searched ' : ''}was read: nothing of them is left in any`
      : `something of them is still in ${it.traces.join(', ')}: delete these files when you need them no more`,
  ];
  if (it.unsearched?.length) lines.push(`${NOT_SEARCHED} ${it.unsearched.join(', ')}: ${WHAT_THEN}`);
  if (it.beyond !== undefined) lines.push(`no row of the database is theirs any more; ${it.beyond}`);
  if (!it.logs_empty)
    lines.push(
      it.beyond === undefined
        ? 'a log could not be emptied, since somebody reads in it (a backup?): run graph compact when that has ended'
        : 'deleted rows are still in the tables, since somebody reads them (a backup?) or the role may not vacuum them: run graph compact when that has ended',
    );
  lines.push(
    it.marks.length > 0
      ? 'a later import of the same source brings back neither these records nor others with one of their names and an e-mail, phone or address of theirs; under another name, with none of these contacts, or in another source, they can come in'
      : 'a later import may bring them back',
    'backups that were made before still hold them: see the page People on record',
    `receipt: ${file}`,
  );
  return lines.join('\n');
}
