import { notFoundError } from '../../../errors.ts';
import * as PEOPLE from '../../openapi/operations/admin/people.ts';
import { at } from '../route.ts';
import type { AdminRoute } from '../route.ts';

export const PEOPLE_ROUTES: AdminRoute[] = [
  at(PEOPLE.FIND, async ({ body, actor, now }, { machine }) => {
    const { people, more, tried } = await machine.people('find', body, { actor, now });
    return {
      people: people.map(({ records, ...one }) => ({ ...one, records: records.map(recordView) })),
      more,
      tried,
    };
  }),
  at(PEOPLE.SHOW, async ({ id, actor, now }, { machine }) => {
    const it = await machine.people('show', numberOf(id, 'identity'), { actor, now });
    const { mergedFrom, firstSeen, lastSeen, records, ...rest } = it;
    return {
      ...rest,
      merged_from: mergedFrom,
      first_seen: timeText(firstSeen),
      last_seen: timeText(lastSeen),
      records: records.map(recordView),
    };
  }),
  at(PEOPLE.EXPORT, ({ id, actor, now }, { machine }) =>
    machine.people('export', numberOf(id, 'identity'), { actor, now }),
  ),
  at(PEOPLE.WHY, async ({ body, actor, now }, { machine }) => {
    const it = await machine.people('why', body, { actor, now });
    const { conflict, together, needed } = it;
    const evidence = it.evidence.map(({ bits, what }) => ({ bits: finite(bits), what }));
    return { bits: finite(it.bits), conflict, together, needed, evidence };
  }),
  at(PEOPLE.FORGET, async ({ body, actor, now }, { machine }) => {
    const { older_than: days, allow_return: allowReturn, clock_is_right: isClockRight, ...rest } = body;
    const olderThanMs = days === undefined ? undefined : Number.parseInt(days, 10) * DAY_MS;
    const it = await machine.people(
      'forget',
      { ...rest, olderThanMs, allowReturn, isClockRight },
      { actor, now },
    );
    return {
      ...it,
      people: it.people.map(({ records, ...one }) => ({ ...one, records: records.map(recordView) })),
    };
  }),
  at(PEOPLE.COMPACT, async ({ actor, now }, { machine }) => {
    const { completed, logsEmpty } = await machine.people('compact', undefined, { actor, now });
    return { completed, logs_empty: logsEmpty };
  }),
  at(PEOPLE.VERIFY, async ({ actor, now }, { machine }) => {
    const { invariants, ...it } = await machine.people('verify', undefined, { actor, now });
    return { ...it, invariants: invariants.map(({ says, of, broken }) => ({ says, of, broken })) };
  }),
  at(PEOPLE.JOIN, ({ body, actor, now }, { machine }) => machine.people('join', body, { actor, now })),
  at(PEOPLE.SPLIT, ({ body, actor, now }, { machine }) => machine.people('split', body, { actor, now })),
  at(PEOPLE.JUDGEMENTS, async ({ actor, now }, { machine }) => {
    const all = await machine.people('judgements', undefined, { actor, now });
    const items = all.map(({ groups, time, undone, ...one }) => ({
      ...one,
      time: timeText(time),
      undone: timeText(undone),
      records: groups.map(({ length }) => length),
    }));
    return { items };
  }),
  at(PEOPLE.UNDO, ({ id, actor, now }, { machine }) =>
    machine.people('undo', numberOf(id, 'judgement'), { actor, now }),
  ),
  at(PEOPLE.REMOVE_SOURCE, ({ body, actor, now }, { machine }) =>
    machine.people('removeSource', body, { actor, now }),
  ),
  at(PEOPLE.UNDO_IMPORT, ({ actor, now }, { machine }) =>
    machine.people('undoImport', undefined, { actor, now }),
  ),
];

const DAY_MS = 86_400_000;

const timeText = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const finite = (bits: number) => (Number.isFinite(bits) ? bits : null);

const recordView = <R extends { recordId: string }>({ recordId, ...rest }: R) => ({
  ...rest,
  record_id: recordId,
});

function numberOf(id: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw notFoundError('There is none of that number.', what);
}
