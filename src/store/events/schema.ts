// Tables of events, of the endpoints that receive them, and of watches; see src/store/schema.ts.
import { isNotNull, type TableDefinitionFunctions } from '../drizzle.ts';

export function defineEventTables({
  table,
  text,
  bytes,
  integer,
  bigint,
  ...dialect
}: TableDefinitionFunctions) {
  const { index, uniqueIndex, primaryKey } = dialect;
  return {
    /** Webhook endpoints of accounts. Secrets are encrypted with the secret of the data folder. */
    endpoints: table('endpoints', {
      id: text('id').primaryKey(),
      account: text('account').notNull(),
      url: text('url').notNull(),
      secret: bytes('secret').notNull(),
      /** Secret before the last rotation, valid until `previousUntil`; null if there is none. Messages are also signed with it. */
      previous: bytes('previous'),
      previousUntil: bigint('previous_until'),
      created: bigint('created').notNull(),
    }),

    /** Events for callers, such as changed watches, in the order of their commits. They contain no submitted values. */
    events: table(
      'events',
      {
        seq: dialect.sequence('seq'),
        id: text('id').notNull(),
        /** Account or chain of rotated API keys that owns the event; see `toOwnerId`. */
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

    /** Watches: claims that are checked again when records in the graph change. Claims are encrypted with the secret of the data folder. */
    watches: table(
      'watches',
      {
        /** Sequence number of the watch, used in `watch_keys`. Callers must not see it, because it shows how many watches exist. */
        id: bigint('id').primaryKey(),
        /** Random number of the watch (52 bits), from which its public id is computed. */
        number: bigint('number').notNull(),
        /** Account or chain of rotated API keys that owns the watch; see `toOwnerId`. */
        owner: text('owner').notNull(),
        /** Reference text that the caller chose; null for none. */
        reference: text('reference'),
        created: bigint('created').notNull(),
        expires: bigint('expires').notNull(),
        /** Names of the changes of a verdict that cause an event, separated by commas. */
        notifyOn: text('notify_on').notNull(),
        /** Minimum change of the score, in points, that causes an event. */
        minChange: integer('min_change').notNull(),
        claim: bytes('claim').notNull(),
        /** Look-up keys of the watch as in `watch_keys`, concatenated, 6 bytes each. */
        keys: bytes('keys').notNull(),
        /** Keyed hash of the records on which the last verdict is based. */
        digest: bytes('digest').notNull(),
        /** Last verdict as text; see `serializeWatchedVerdict`. */
        state: text('state').notNull(),
        /** Verdict that was last reported to the caller, in an event or at the creation of the watch, as text; null if it equals the last verdict. */
        reported: text('reported'),
        /** Version of the row, which increases with every change. If two re-checks of a watch overlap, only one result is stored. */
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

    /**
     * Counters, such as the number of the last event. A transaction that increases a counter blocks others until its commit. Defined after
     * `watches`, so that a copy of a store copies the watches first: triggers count them, and the copy keeps these counts.
     */
    counters: table('counters', { name: text('name').primaryKey(), value: bigint('value').notNull() }),

    /** Look-up keys of watches: keyed hashes of the names and contacts in a claim. They differ from the hashes in the graph. */
    watchKeys: table(
      'watch_keys',
      { key: bigint('key').notNull(), watch: bigint('watch').notNull() },
      (watchKeys) => [primaryKey({ columns: [watchKeys.key, watchKeys.watch] })],
    ),

    /** Reservations for watches that are being created. They keep parallel requests within the plan's maximum number of watches. */
    watchReservations: table(
      'watch_reservations',
      {
        request: text('request').primaryKey(),
        owner: text('owner').notNull(),
        /** Time at which the reservation of an interrupted request expires, in milliseconds since 1970. */
        until: bigint('until').notNull(),
      },
      (reservations) => [index('watch_reservations_owner').on(reservations.owner)],
    ),

    /** Progress of re-checks, one row for each graph. */
    watchProgress: table('watch_progress', {
      graph: text('graph').primaryKey(),
      /** Position in the change log of the graph up to which the affected watches are marked for a re-check; null for none. */
      position: text('position'),
      /** Number of the last watch that was re-checked, during a re-check of all watches; null otherwise. */
      sweep: bigint('sweep'),
      /** Time at which the last re-check of all watches ended; null if there was none. */
      swept: bigint('swept'),
      /** Server that holds the lease for re-checks. */
      worker: text('worker'),
      until: bigint('until').notNull(),
    }),
  };
}
