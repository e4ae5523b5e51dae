import * as v from 'valibot';
import { checkRequestSchema, legacyCheckRequestSchema } from './request.ts';
import { scoreBandSchema, scoreSchema } from './check.ts';
import * as s from './builders.ts';

const NOTIFY_ON = ['band', 'score', 'status'] as const;

export const watchIdSchema = s.string('Id of the watch.', { pattern: /^wat_[0-9a-z]{11}$/ });
const reference = s.shortString('Text of your own, such as the id of a seller. It is kept in the clear.');

/** Makes a field optional. Null stands for its default, too. */
const optional = <S extends v.GenericSchema>(schema: S, fallback: v.InferInput<S>) =>
  v.pipe(v.nullish(schema, fallback as never), v.description(v.getDescription(schema) ?? ''));

/** Fields of a watch request, in addition to the fields of a check request. */
export const watchOptionsSchema = v.object({
  expires_in_days: optional(s.integerBetween(1, 400, 'Days until the watch is deleted; 90 by default.'), 90),
  notify_on: optional(
    s.list(
      v.picklist(NOTIFY_ON),
      'Changes that make an event: `band` (the field `status`), `score` (by `min_change` points or more), `status` (of a value). `band` by default.',
      { min: 1, max: NOTIFY_ON.length },
    ),
    ['band'],
  ),
  min_change: optional(
    s.integerBetween(1, 100, 'Least change of the score that makes an event; 10 by default.'),
    10,
  ),
  reference: v.optional(
    s.nullable(reference, 'Text of your own, such as the id of a seller. It is kept in the clear.'),
    null,
  ),
});
export type WatchOptions = v.InferOutput<typeof watchOptionsSchema>;

export const watchRequestSchema = v.pipe(
  v.object({ ...checkRequestSchema.entries, ...watchOptionsSchema.entries }),
  v.title('WatchRequest'),
  v.description('Person to watch: the body of a check, and what to report.'),
);
export const legacyWatchRequestSchema = v.pipe(
  v.object({ ...legacyCheckRequestSchema.entries, ...watchOptionsSchema.entries }),
  v.title('LegacyWatchRequest'),
  v.description('The same in the legacy shape.'),
);

const matchStatus = s.oneOf(['primary', 'secondary', 'different', 'unverified'], 'Match status of a value.');
const statuses = (about: string) => s.list(matchStatus, about);
const state = {
  score: scoreSchema,
  status: scoreBandSchema,
  statuses: s.object('Match status of each value, in the order of the request.', {
    name: matchStatus,
    emails: statuses('Of each e-mail.'),
    phones: statuses('Of each phone.'),
    addresses: statuses('Of each address.'),
  }),
};

export const watchSchema = s.openApiObject(
  'Watch',
  'A watch with its last verdict; never what was submitted.',
  {
    watch_id: watchIdSchema,
    reference: s.nullable(reference, 'Text of your own.'),
    ...state,
    notify_on: s.list(s.oneOf(NOTIFY_ON, 'Change that makes an event.'), 'Changes that make an event.'),
    min_change: s.integerBetween(1, 100, 'Least change of the score that makes an event.'),
    created_at: s.timestamp('Time of the request.'),
    expires_at: s.timestamp('Time at which the watch is deleted.'),
    recheck_every_hours: s.nullableNumber(
      'Null if every change of the records is noticed at once. Otherwise the graph cannot tell its changes, and the watch is checked again after this time.',
    ),
  },
);

export const deletedWatchSchema = s.openApiObject('DeletedWatch', 'A watch that was deleted.', {
  watch_id: watchIdSchema,
  deleted: v.pipe(v.literal(true), v.description('Always true.')),
});

export const watchPageSchema = s.openApiObject('Watches', 'One page of your watches.', {
  watches: s.list(watchSchema, 'Watches of this page, the oldest first.'),
  next: s.nullableString('Cursor of the next page; null on the last page.'),
});

const stateSchema = s.object('Verdict of the watch.', state);

export const watchEventSchema = s.openApiObject(
  'Event',
  'Something that happened to one of your watches or jobs. It never has a submitted value or anything of a record.',
  {
    id: s.string('Id of the event.', { pattern: /^evt_[0-9a-z]{26}$/ }),
    type: s.oneOf(['watch.changed', 'watch.expired', 'job.finished'], 'Type of the event.'),
    created_at: s.timestamp('Time of the event.'),
    ...s.optional({
      watch_id: watchIdSchema,
      job_id: s.string('Id of the job, for `job.finished`.'),
      state: s.oneOf(['finished', 'failed'], 'How the job ended.'),
      total: s.integer('Lines of the job.'),
      done: s.integer('Lines of the job that have a result.'),
      failed: s.integer('Lines of those whose result is a problem.'),
      reference: s.nullable(reference, 'Text of your own.'),
      request_id: s.string('Id of the new check. It is in no call log, because it is not counted.', {
        pattern: /^req_[0-9a-z]{26}$/,
      }),
      before: stateSchema,
      after: stateSchema,
      reasons: s.stringList(
        'Codes of the reasons that only one of the two verdicts has; see the page reasons.',
      ),
    }),
  },
);

export const watchEventPageSchema = s.openApiObject('Events', 'Your events after a cursor.', {
  events: s.list(watchEventSchema, 'Events after the cursor, the oldest first.'),
  next: s.string('Cursor of later events: send it as `after`.'),
});

const limit = v.optional(s.integerBetween(1, 500, 'Greatest number of items; 100 by default.'), 100);

export const WATCH_LIST_PARAMETERS = {
  limit,
  cursor: v.optional(s.string('`next` of the page before.', { max: 100 })),
};
export const EVENT_LIST_PARAMETERS = {
  limit,
  after: v.optional(
    s.string('`next` of the answer before; without it, all events that are kept (30 days).', {
      max: 100,
      pattern: /^evt_(?:0|[0-9a-hjkmnp-tv-z]{26})$/,
      form: '`next` of an earlier answer (`evt_…`). For all events, leave the parameter out',
    }),
  ),
};
