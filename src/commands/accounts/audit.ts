import type { AuditEntry } from '../../accounts/audit.ts';
import { toActJson, checkAuditLog } from '../../admin/logs.ts';
import { BonafideError } from '../../errors.ts';
import { listAuditEntries } from '../../store/audit.ts';
import type { AuditVerification } from '../../store/audit.ts';
import type { Store } from '../../store/store.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';

/** Runs `work` on the store of the data folder. Errors: file_not_found, those of `withStore`. */
const reading = <T>(args: Parameters<typeof withStore>[0], work: (store: Store) => T): Promise<T> =>
  withStore(args, work, () => {
    throw new BonafideError('file_not_found', 'There is no store in this folder, and so no audit log.');
  });

const show = defineCommand({
  meta: { name: 'show', description: 'Show what was administered: who, what and when, the newest first' },
  args: {
    ...COMMON_OPTIONS,
    limit: { type: 'string', description: 'How many (default 50)', valueHint: 'number' },
    before: { type: 'string', description: 'Only those before this number', valueHint: 'number' },
  },
  examples: ['audit show', 'audit show --limit 10 --json'],
  run: ({ args }) =>
    reading(args, (store) => {
      const limit = whole(args.limit, 'limit') ?? 50;
      const acts = listAuditEntries(store, { limit, before: whole(args.before, 'before') ?? Infinity });
      const text = acts.length === 0 ? 'Nothing was administered yet.' : formatTable(acts.map(cells));
      print(args, acts.map(toActJson), text);
    }),
});

const verify = defineCommand({
  meta: { name: 'verify', description: 'Follow the chain of the audit log: a gap or a change shows' },
  args: {
    ...COMMON_OPTIONS,
    head: { type: 'string', description: 'A head that was noted earlier: is it in the chain?' },
  },
  examples: ['audit verify', 'audit verify --head 128:9f3c…'],
  run: ({ args }) =>
    reading(args, (store) => {
      const found = checkAuditLog(store, args.head);
      const wrong = wordsOf(found);
      if (wrong) throw new BonafideError('damaged_audit', wrong);
      const text = `${found.acts} ${found.acts === 1 ? 'act' : 'acts'}, none missing or changed. Note the head elsewhere: ${found.head}`;
      print(args, { acts: found.acts, head: found.head }, text);
    }),
});

export default defineCommand({
  meta: { name: 'audit', description: 'Who administered what, and when' },
  subCommands: { show, verify },
  examples: ['audit show', 'audit verify'],
});

/** What is wrong with a log, as a sentence; nothing where it is whole. */
function wordsOf({ broken, known }: AuditVerification): string | undefined {
  if (broken?.why === 'missing')
    return `The audit log is not whole: act ${broken.seq} is missing, or was put elsewhere.`;
  if (broken) return `The audit log is not whole: act ${broken.seq}, or the one before it, was changed.`;
  return known === false ? 'This head is not in the audit log: it was written anew since.' : undefined;
}

function whole(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new BonafideError('invalid_arguments', `--${option} takes a whole number.`);
}

const cells = ({ seq, time, actor, act, target, detail }: AuditEntry) => [
  String(seq),
  new Date(time).toISOString(),
  actor,
  act,
  target,
  detailText(detail),
];

const detailText = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
