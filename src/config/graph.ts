// The parts of the setting `graph`: which engine answers, and how one that asks another service does.
import * as v from 'valibot';

const TEXT = v.pipe(v.string(), v.minLength(1));
const ENGINE = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/));
/** Milliseconds that somebody who asked for a check may be kept waiting. */
const WAIT = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60_000));

/** `upstream+sqlite` is the list of both, as a variable writes it. */
const ENGINES = v.union([
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}(\+[a-z][a-z0-9-]{0,39}){0,7}$/)),
  v.pipe(v.array(ENGINE), v.minLength(1), v.maxLength(8)),
]);

const KEEP =
  /^(?:(?:fingerprints|sealed)(?:\+[1-9]\d{0,3}[dwmy])?|[1-9]\d{0,3}[dwmy](?:\+(?:fingerprints|sealed))?)$/;

export const GRAPH_SCHEMA = v.strictObject({
  /** `sqlite` or `upstream`; or the name of a graph plugin; several are asked side by side. */
  engine: v.optional(ENGINES, 'sqlite'),
  /** Whether keys with the scope `graph` may ask this server as an upstream graph. */
  serve: v.optional(v.boolean(), false),
  /** Where a graph of several fails: `refuse` all checks, or `allow` those that need nothing of it. */
  partial: v.optional(v.picklist(['refuse', 'allow']), 'refuse'),
  /**
   * What is kept of records: `fingerprints` of their contacts, or beside them whole records, `sealed`; and how long, by when they were last seen,
   * such as `5y`. Both as `sealed+5y`, in either order.
   */
  keep: v.optional(v.pipe(v.string(), v.regex(KEEP)), 'fingerprints'),
  /** Address of a PostgreSQL that keeps the graph, such as postgres://bonafide@db.example/bonafide, or a file whose first line it is. */
  database: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//), v.url())),
  databaseFile: v.optional(TEXT),
  /** In how many pieces its large tables are made, where they are not there yet. */
  pieces: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1024)), 2),
  /** Address of the upstream graph's server, such as https://office.example:8787. */
  url: v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:/))),
  /** File whose first line, or variable whose text, is the key that is shown to it. */
  keyFile: v.optional(TEXT),
  keyEnv: v.optional(v.pipe(v.string(), v.regex(/^(?!BONAFIDE_)[A-Za-z_]\w*$/))),
  /** The header that the key goes in; `Authorization: Bearer` without one. */
  header: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/))),
  /** Files in PEM: a certificate to show with its key, and whose certificates are believed in place of those that the system believes. */
  cert: v.optional(TEXT),
  certKey: v.optional(TEXT),
  ca: v.optional(TEXT),
  /** How long an answer may take in all. */
  deadlineMs: v.optional(WAIT, 2000),
  /** Asks a second time where there is no answer after so long; 0 for never. */
  hedgeMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000)), 0),
  /** Questions that are open at a time, of each thread that serves. */
  concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024)), 64),
  /** The most that an answer may have. */
  answerKib: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_536)), 1024),
  /** What a graph plugin takes; in a settings file. */
  options: v.optional(v.record(v.string(), v.unknown()), {}),
});

export type GraphSettings = v.InferOutput<typeof GRAPH_SCHEMA>;

/** Without a word of the operator's. */
export const DEFAULT_GRAPH: GraphSettings = v.parse(GRAPH_SCHEMA, {});

export interface KeepSetting {
  /** Whole records, sealed. */
  whole: boolean;
  /** How long, such as `5y`; null for ever. */
  age: string | null;
}

/** What the part `keep` says. */
export function parseKeep({ keep }: Pick<GraphSettings, 'keep'>): KeepSetting {
  const words = keep.split('+');
  return { whole: words.includes('sealed'), age: words.find((word) => /^\d/.test(word)) ?? null };
}

/** The engines that are asked, each once, in the order in which they are named. */
export function enginesOf({ engine }: Pick<GraphSettings, 'engine'>): string[] {
  return [...new Set(typeof engine === 'string' ? engine.split('+') : engine)];
}
