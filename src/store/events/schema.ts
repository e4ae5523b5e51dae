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
    /** Webhook endpoints of accounts. Their signing secrets are encrypted under the secret of the data folder. */
    endpoints: table('endpoints', {
      id: text('id').primaryKey(),
      account: text('account').notNull(),
      url: text('url').notNull(),
      secret: bytes('secret').notNull(),
      /** Signing secret before the last change; null if there is none. Messages are signed with it too until `previousUntil`. */
      previous: bytes('previous'),
      previousUntil: bigint('previous_until'),
      created: bigint('created').notNull(),
    }),

    /** Events for callers, such as changed verdicts of watches, in the order of their commits. They contain no submitted value. */
    events: table(
      'events',
      {
        seq: dialect.sequence('seq'),
        id: text('id').notNull(),
        /** Owner of the event: an account or a chain of API keys; see `toOwnerId`. */
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

    /** Watches: stored claims that are checked again when records of the graph change. Claims are encrypted under the secret of the data folder. */
    watches: table(
      'watches',
      {
        /** Sequence number of the watch, as in `watch_keys`. Callers must not see it, because it tells how many watches exist. */
        id: bigint('id').primaryKey(),
        /** Random number of the watch (52 bits), of which its public id is made. */
        number: bigint('number').notNull(),
        /** Owner of the watch: an account or a chain of API keys; see `toOwnerId`. */
        owner: text('owner').notNull(),
        /** Caller's own reference text for the watch; null if it gave none. */
        reference: text('reference'),
        created: bigint('created').notNull(),
        expires: bigint('expires').notNull(),
        /** Types of changes of the verdict for which the caller gets an event, separated by commas: `band`, `score`, `status`. */
        notifyOn: text('notify_on').notNull(),
        /** Minimum change of the score (points) for which the caller gets an event, if `notifyOn` contains `score`. */
        minChange: integer('min_change').notNull(),
        claim: bytes('claim').notNull(),
        /** Look-up keys of the watch, as in `watch_keys`: 6 bytes each, concatenated. */
        keys: bytes('keys').notNull(),
        /** Keyed hash of the records on which the last verdict is based. */
        digest: bytes('digest').notNull(),
        /** Last verdict as text; see `serializeWatchedVerdict`. */
        state: text('state').notNull(),
        /** Verdict that was last reported to the caller, in an event or when the watch was created, as text; null if it equals `state`. */
        reported: text('reported'),
        /** Number that grows with every change of the row. If two re-checks of a watch overlap, only one result is stored. */
        version: integer('version').notNull(),
        /** Time since which the watch waits for a re-check; null if it does not. */
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
     * Counters, such as the number of the last event. A transaction that increases a counter blocks others until its commit. A copy of a store copies
     * the tables in the order of their definition: triggers count the copied watches, and copied counters do not replace these counts.
     */
    counters: table('counters', { name: text('name').primaryKey(), value: bigint('value').notNull() }),

    /** Look-up keys of watches: keyed hashes of the names and contacts of a claim, different from those of the graph. */
    watchKeys: table(
      'watch_keys',
      { key: bigint('key').notNull(), watch: bigint('watch').notNull() },
      (watchKeys) => [primaryKey({ columns: [watchKeys.key, watchKeys.watch] })],
    ),

    /** Reservations of watches that are being created, so that parallel requests do not exceed the plan's maximum number of watches. */
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

    /** Progress of re-checks of watches, one row for each graph. */
    watchProgress: table('watch_progress', {
      graph: text('graph').primaryKey(),
      /** Position in the graph's change log up to which the affected watches are marked for a re-check; null at first. */
      position: text('position'),
      /** Progress of a re-check of all watches: `id` of the last checked watch; null if no such re-check is running. */
      sweep: bigint('sweep'),
      /** Time at which the last re-check of all watches ended; null if there was none. */
      swept: bigint('swept'),
      /** Name of the server worker that has the lease for re-checks. */
      worker: text('worker'),
      until: bigint('until').notNull(),
    }),
  };
}
