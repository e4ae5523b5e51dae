// Commands `bonafide audit`: the log of administrative actions.
import { type AuditEntryJson, toAuditEntryJson, verifyAuditLogWithHead } from '../../admin/logs.ts';
import { BonafideError } from '../../errors.ts';
import { type AuditVerification, listAuditEntries } from '../../store/audit.ts';
import { defineOption, parseWholeNumber } from '../helpers/arguments.ts';
import { defineCommand, defineCommandGroup, formatTable, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';

const show = defineCommand('Show administrative actions, newest first: who, what and when', {
  args: {
    limit: defineOption('Maximum number of actions (default 50)', 'number'),
    before: defineOption('Only actions before the one with this number', 'number'),
  },
  examples: ['audit show', 'audit show --limit 10 --json'],
  run: async (args) => {
    const limit = parseWholeNumber(args.limit ?? '50', '--limit');
    const before = args.before === undefined ? Infinity : parseWholeNumber(args.before, '--before');
    const entries = await withStore(args, 'refuse', (store) =>
      listAuditEntries(store, { limit, before }).map(toAuditEntryJson),
    );
    const text = entries.length === 0 ? 'The audit log is empty.' : formatTable(entries.map(toCells));
    printResult(args, entries, text);
  },
});

const verify = defineCommand('Verify the hash chain of the audit log: no action is missing or changed', {
  args: { head: defineOption('Head that was noted earlier; it must be in the log') },
  examples: ['audit verify', 'audit verify --head 128:9f3c…'],
  run: async (args) => {
    const { acts, head, ...verification } = await withStore(args, 'refuse', (store) =>
      verifyAuditLogWithHead(store, args.head),
    );
    const problem = describeProblem(verification);
    if (problem !== null) throw new BonafideError('damaged_audit', problem);
    const count = `${acts} ${acts === 1 ? 'action' : 'actions'}`;
    printResult(
      args,
      { acts, head },
      `${count}, none missing or changed. Keep this head outside of this machine: ${head}`,
    );
  },
});

export const auditCommands = defineCommandGroup('Show and verify the log of administrative actions', {
  subCommands: { show, verify },
  examples: ['audit show', 'audit verify'],
});

/** Describes the damage of an audit log in a sentence; null for an undamaged log. */
function describeProblem({ broken, known }: Pick<AuditVerification, 'broken' | 'known'>): string | null {
  if (broken?.why === 'missing')
    return `The audit log is damaged: action ${broken.seq} is missing or was moved.`;
  if (broken) return `The audit log is damaged: action ${broken.seq}, or the action before it, was changed.`;
  return known === false ? 'This head is not in the audit log. The log was rewritten since then.' : null;
}

const toCells = ({ seq, time, actor, act, target, detail }: AuditEntryJson) => [
  String(seq),
  time,
  actor,
  act,
  target,
  formatDetail(detail),
];

const formatDetail = (detail: AuditEntryJson['detail']): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
