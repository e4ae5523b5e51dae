// The setting `graph`: the engines that answer checks, and the options of each engine.
import * as v from 'valibot';
import {
  booleanSchema,
  postgresHostListSchema,
  postgresAddressSchema,
  createNonEmptyTextSchema,
  createMatchingTextSchema,
  webAddressSchema,
  createWholeNumberSchema,
  createChoiceSchema,
} from './values.ts';

const ENGINE = 'sqlite, postgres, upstream, the name of a graph plugin, or a list of these';
const KEEP = 'fingerprints or sealed, an age such as 5y, or both, such as sealed+5y';

/** One engine or a list of engines. An environment variable writes a list as `upstream+sqlite`. */
const ENGINES = v.union(
  [
    createMatchingTextSchema(/^[a-z][a-z0-9-]{0,39}(\+[a-z][a-z0-9-]{0,39}){0,7}$/, ENGINE),
    v.pipe(
      v.array(createMatchingTextSchema(/^[a-z][a-z0-9-]{0,39}$/, ENGINE), ENGINE),
      v.minLength(1, ENGINE),
      v.maxLength(8, ENGINE),
    ),
  ],
  ENGINE,
);

const KEEP_PATTERN =
  /^(?:(?:fingerprints|sealed)(?:\+[1-9]\d{0,3}[dwmy])?|[1-9]\d{0,3}[dwmy](?:\+(?:fingerprints|sealed))?)$/;

export const GRAPH_SETTINGS_SCHEMA = v.strictObject(
  {
    /** Engine `sqlite`, `postgres`, `upstream` or a graph plugin. Several engines are queried in parallel. */
    engine: v.optional(ENGINES, 'sqlite'),
    /** True if other servers may query this graph, with an API key that has the scope `graph`. */
    serve: v.optional(booleanSchema, false),
    /** Reaction if one of several graphs fails: `refuse` all checks, or `allow` checks to be answered from the other graphs. */
    partial: v.optional(createChoiceSchema('refuse', 'allow'), 'refuse'),
    /** Stored form of contacts (`fingerprints`, or `sealed` for encrypted values), maximum age of records (such as `5y`), or both (`sealed+5y`). */
    keep: v.optional(createMatchingTextSchema(KEEP_PATTERN, KEEP), 'fingerprints'),
    database: v.optional(postgresAddressSchema),
    /** Path of a file whose first line is the address of the database. */
    databaseFile: v.optional(createNonEmptyTextSchema('a file whose first line is a postgres:// address')),
    /** Standby servers for the look-ups of checks. Login and database are those of `database`. */
    readers: v.optional(postgresHostListSchema),
    /** Maximum delay, in seconds, of a standby's data behind the primary. A standby that is further behind is not used. */
    maxLagSeconds: v.optional(createWholeNumberSchema(1, 3600), 5),
    /** Number of partitions of each large PostgreSQL table. It has an effect only when the tables are created. */
    pieces: v.optional(createWholeNumberSchema(2, 1024), 2),
    url: v.optional(webAddressSchema),
    /** Path of a file whose first line is the API key for the upstream server. */
    keyFile: v.optional(createNonEmptyTextSchema('a file whose first line is an API key')),
    /** Environment variable with the API key for the upstream server, instead of `keyFile`. */
    keyEnv: v.optional(
      createMatchingTextSchema(
        /^(?!BONAFIDE_)[A-Za-z_]\w*$/,
        'the name of a variable that does not begin with BONAFIDE_',
      ),
    ),
    /** HTTP header for the API key. Default: `Authorization: Bearer KEY`. */
    header: v.optional(createMatchingTextSchema(/^[A-Za-z][\w-]*$/, 'the name of an HTTP header')),
    /** PEM file of the client certificate for the upstream server. */
    cert: v.optional(createNonEmptyTextSchema('a file in PEM')),
    /** PEM file of the client certificate's private key. */
    certKey: v.optional(createNonEmptyTextSchema('a file in PEM')),
    /** PEM file of certificate authorities that replace those of the system. */
    ca: v.optional(createNonEmptyTextSchema('a file in PEM')),
    deadlineMs: v.optional(createWholeNumberSchema(1, 60_000), 2000),
    /** Time (ms) after which an unanswered query is sent a second time; 0 for never. */
    hedgeMs: v.optional(createWholeNumberSchema(0, 60_000), 0),
    /** Maximum number of concurrent queries per serving thread. */
    concurrency: v.optional(createWholeNumberSchema(1, 1024), 64),
    answerKib: v.optional(createWholeNumberSchema(1, 65_536), 1024),
    /** Options of a graph plugin. Only a settings file can set them. */
    options: v.optional(
      v.record(v.string(), v.unknown(), 'an object with the options of a graph plugin'),
      {},
    ),
  },
  'an object with the options of a graph: engine, serve, partial, keep and those of the engine',
);

export type GraphSettings = v.InferOutput<typeof GRAPH_SETTINGS_SCHEMA>;
type GraphOption = keyof typeof GRAPH_SETTINGS_SCHEMA.entries;

/** Default value of the setting `graph`: the embedded SQLite graph. */
export const DEFAULT_GRAPH_SETTINGS: GraphSettings = v.parse(GRAPH_SETTINGS_SCHEMA, {});

const ALL_OPTIONS = Object.keys(GRAPH_SETTINGS_SCHEMA.entries) as GraphOption[];
const COMMON_OPTIONS: GraphOption[] = ['engine', 'serve', 'partial'];
const OPTIONS_BY_ENGINE: Record<string, GraphOption[]> = {
  sqlite: ['keep'],
  postgres: ['keep', 'database', 'databaseFile', 'readers', 'maxLagSeconds', 'pieces', 'deadlineMs'],
  upstream: 'url keyFile keyEnv header cert certKey ca deadlineMs hedgeMs concurrency answerKib'.split(
    ' ',
  ) as GraphOption[],
};

/** Lists the options of `graph` that apply to the engines. All options apply to a graph plugin. */
export function listGraphOptionsOfEngines(engines: readonly string[]): GraphOption[] {
  const used = engines.flatMap((engine) => OPTIONS_BY_ENGINE[engine] ?? ALL_OPTIONS);
  return ALL_OPTIONS.filter((option) => COMMON_OPTIONS.includes(option) || used.includes(option));
}

/** Parsed option `keep` of the setting `graph`. */
export interface RecordEncryptionAndRetention {
  /** True if whole records are stored encrypted; false if only fingerprints of contacts are stored. */
  sealed: boolean;
  /** Maximum time since a record was last seen, such as `5y`; null for no limit. */
  age: string | null;
}

export function parseRecordEncryptionAndRetention({
  keep,
}: Pick<GraphSettings, 'keep'>): RecordEncryptionAndRetention {
  const parts = keep.split('+');
  return { sealed: parts.includes('sealed'), age: parts.find((part) => /^\d/.test(part)) ?? null };
}

/** Lists the configured engines, without duplicates. */
export function listConfiguredGraphEngines({ engine }: Pick<GraphSettings, 'engine'>): string[] {
  return [...new Set(typeof engine === 'string' ? engine.split('+') : engine)];
}
