// Tables of events, of the endpoints that receive them, and of watches; see src/store/schema.ts.
import { isNotNull, type TableDialect } from '../drizzle.ts';

export function buildEventTables({ table, text, bytes, integer, bigint, ...dialect }: TableDialect) {
  const { index, uniqueIndex, primaryKey } = dialect;
  return {
    /** Addresses to which an account's events are sent. Secrets are encrypted under the secret of the data folder. */
    endpoints: table('endpoints', {
      id: text('id').primaryKey(),
      account: text('account').notNull(),
      url: text('url').notNull(),
      secret: bytes('secret').notNull(),
      /** Secret before the last rotation, with which messages are also signed for a day; null if there is none. */
      previous: bytes('previous'),
      previousUntil: bigint('previous_until'),
      created: bigint('created').notNull(),
    }),

    /** Events of callers, such as changed watches, in the order of their commits. Never a submitted value. */
    events: table(
      'events',
      {
        seq: dialect.sequence('seq'),
        id: text('id').notNull(),
        /** Account or chain of keys; see src/store/events/events.ts. */
        owner: text('owner').notNull(),
        subject: text('subject').notNull(),
        type: text('type').notNull(),
        created: bigint('created').notNull(),
        body: text('body').notNull(),
      },
      (events) => [
        uniqueIndex('events_id').on(events.id),
        index('events_owner').on(events.owner, events.seq),
        index('events_subject').on(events.subject, events.seq),
        index('events_created').on(events.created),
      ],
    ),

    /** Counters, such as the number of the last event. A transaction that increases a counter makes others wait until its commit. */
    counters: table('counters', { name: text('name').primaryKey(), value: bigint('value').notNull() }),

    /** Claims that are checked again when records behind them change. Claims are encrypted under the secret of the data folder. */
    watches: table(
      'watches',
      {
        /** Increasing number, by which `watch_keys` refers to the watch. Callers must not see it, because it shows how many watches exist. */
        id: bigint('id').primaryKey(),
        /** Number of 52 bits from which the public id is computed. */
        number: bigint('number').notNull(),
        /** Account or chain of keys; see src/store/events/events.ts. */
        owner: text('owner').notNull(),
        /** Text that the caller chose. */
        reference: text('reference'),
        created: bigint('created').notNull(),
        expires: bigint('expires').notNull(),
        /** Changes that cause an event: words separated by commas. */
        notifyOn: text('notify_on').notNull(),
        /** Minimum change of the score, in points, that causes an event. */
        minChange: integer('min_change').notNull(),
        claim: bytes('claim').notNull(),
        /** Fingerprints in `watch_keys`, 6 bytes each. */
        keys: bytes('keys').notNull(),
        /** Keyed digest of the records behind the last verdict. */
        digest: bytes('digest').notNull(),
        /** The last verdict as text; see `serializeWatchState`. */
        state: text('state').notNull(),
        /** The verdict of the last event as text; null if it is the same as the last verdict. */
        reported: text('reported'),
        /** Version of the row; increases with every change. If two re-checks of a watch overlap, only one outcome is stored. */
        version: integer('version').notNull(),
        /** Time since which the watch waits for a re-check; null if it does not wait. */
        due: bigint('due'),
      },
      (watches) => [
        uniqueIndex('watches_number').on(watches.number),
        index('watches_owner').on(watches.owner, watches.id),
        index('watches_expires').on(watches.expires),
        index('watches_due').on(watches.due).where(isNotNull(watches.due)),
      ],
    ),

    /** Look-up keys of watches, as fingerprints under a separate key. */
    watchKeys: table(
      'watch_keys',
      { key: bigint('key').notNull(), watch: bigint('watch').notNull() },
      (watchKeys) => [primaryKey({ columns: [watchKeys.key, watchKeys.watch] })],
    ),

    /** Places for watches whose first check runs, of owners whose plan limits watches: so no worker counts a call of a watch beyond the plan. */
    watchReservations: table(
      'watch_reservations',
      {
        request: text('request').primaryKey(),
        owner: text('owner').notNull(),
        /** Time at which the place is free again if the request was interrupted: milliseconds since 1970. */
        until: bigint('until').notNull(),
      },
      (reservations) => [index('watch_reservations_owner').on(reservations.owner)],
    ),

    /** Progress of re-checks, by graph. */
    watchProgress: table('watch_progress', {
      graph: text('graph').primaryKey(),
      /** Position in the change log of the graph up to which watches are marked; null for none. */
      position: text('position'),
      /** Number of the watch up to which watches were re-checked, while all watches are re-checked; otherwise null. */
      sweep: bigint('sweep'),
      /** Time at which the last re-check of all watches ended. */
      swept: bigint('swept'),
      /** Server that has the lease for re-checks. */
      worker: text('worker'),
      until: bigint('until').notNull(),
    }),
  };
}
