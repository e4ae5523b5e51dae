// Who may import whom: the one truth about the rooms of the source.
import type { Room } from './arrows.ts';

/** What an engine that keeps records is made of. */
const ENGINE = 'model.ts errors.ts names link platform graph graph/incoming graph/remembered'.split(' ');

/** A file in the top folder of the source is a room of its own; a folder is one with all below it that is not a room itself. The lowest first. */
export const ROOMS: Record<string, Room> = {
  'model.ts': { rooms: [], packages: [] },
  'errors.ts': { rooms: [], packages: [] },
  'intents.ts': { rooms: ['model.ts'], packages: [] },
  platform: { rooms: ['errors.ts'], packages: ['better-sqlite3', 'node:*'], globals: ['*'], sql: true },
  normalise: {
    rooms: ['model.ts', 'data'],
    packages: ['any-ascii', 'libphonenumber-js', 'node:url'],
  },
  config: {
    rooms: ['errors.ts', 'normalise'],
    packages: ['@valibot/to-json-schema', 'c12', 'libphonenumber-js', 'valibot', 'node:*'],
    globals: ['*'],
  },
  'config.ts': {
    rooms: ['errors.ts', 'platform', 'config'],
    packages: ['valibot', 'node:*'],
    globals: ['*', 'process.env'],
  },
  observe: {
    rooms: ['model.ts', 'errors.ts', 'platform'],
    packages: ['consola', 'prom-client', 'node:crypto', 'node:fs'],
    globals: ['*'],
  },
  // Its tables and the operator's own are files, and the readings of rare characters a package that is loaded when one comes.
  names: {
    rooms: ['errors.ts', 'normalise', 'platform'],
    packages: ['any-ascii', 'pinyin-pro', 'node:crypto', 'node:fs', 'node:module', 'node:path'],
  },
  generate: { rooms: [], packages: [] },
  match: { rooms: ['model.ts', 'names', 'normalise'], packages: [] },
  score: { rooms: ['model.ts'], packages: [] },
  evaluate: { rooms: ['model.ts', 'generate', 'score'], packages: [] },
  // What an operator fitted to cases of his own.
  'app/calibrations.ts': { rooms: ['model.ts', 'errors.ts', 'platform', 'score'], packages: ['node:*'] },
  link: { rooms: ['model.ts', 'names', 'normalise'], packages: ['node:crypto'] },
  claim: { rooms: ['model.ts', 'errors.ts', 'intents.ts', 'normalise'], packages: ['valibot'] },
  graph: { rooms: ['model.ts', 'errors.ts', 'names', 'link', 'platform'], packages: ['node:*'] },
  // Records on their way into any engine.
  'graph/incoming': { rooms: ['platform', 'graph'], packages: [], sql: true },
  // What linking remembers of records, in a file of SQLite beside whatever engine has them.
  'graph/remembered': { rooms: ['errors.ts', 'link', 'platform', 'graph'], packages: ['node:*'], sql: true },
  'graph/sqlite': {
    rooms: ENGINE,
    packages: ['node:*'],
    globals: ['new Date', 'performance'],
    sql: true,
  },
  // The driver is loaded when the engine is asked for.
  'graph/postgres': {
    rooms: ENGINE,
    packages: ['postgres', 'node:*'],
    globals: ['new Date', 'performance', 'setTimeout', 'setInterval'],
    sql: true,
  },
  // Readers of workbooks and Parquet are loaded when one comes.
  // Questions and answers between servers.
  'graph/wire': {
    rooms: ['model.ts', 'errors.ts', 'normalise', 'names', 'match', 'claim', 'graph'],
    packages: ['valibot'],
  },
  'graph/upstream': {
    rooms: ['errors.ts', 'platform', 'graph', 'graph/wire'],
    packages: ['valibot', 'node:*'],
    globals: ['performance', 'setTimeout', 'Math.random', 'Date.now'],
  },
  // The one place that knows every engine.
  'graph/engines.ts': {
    rooms: ['errors.ts', 'config', 'graph', 'graph/sqlite', 'graph/postgres', 'graph/upstream'],
    packages: [],
  },
  import: {
    rooms: ['model.ts', 'errors.ts', 'platform', 'normalise', 'names', 'link', 'graph'],
    packages: ['hyparquet', 'saxes', 'node:*'],
  },
  'evaluate/run': { rooms: ['model.ts', 'errors.ts', 'evaluate', 'import'], packages: [] },
  // Who is who, of all records of a graph or of those that came, and whether it is so.
  linking: { rooms: ['platform', 'graph', 'import'], packages: [] },
  'import.ts': { rooms: ['platform', 'graph', 'import', 'linking'], packages: [], globals: ['performance'] },
  // Takes records out of a graph and every file.
  erase: {
    rooms: ['errors.ts', 'platform', 'link', 'graph', 'import', 'linking'],
    packages: ['node:*'],
    globals: ['new Date'],
  },
  // A graph as a whole, in counts and pictures.
  overview: { rooms: ['evaluate', 'link', 'graph'], packages: [], globals: ['new Date'] },
  // Whose records are meant, and what is held on somebody.
  people: {
    rooms: ['model.ts', 'errors.ts', 'normalise', 'names', 'link', 'graph', 'linking', 'erase'],
    packages: [],
    globals: ['new Date'],
  },
  // Records as they change, in a thread of their own.
  feed: {
    rooms: ['errors.ts', 'platform', 'names', 'link', 'graph', 'graph/engines.ts', 'import', 'linking'],
    packages: ['node:*'],
    globals: ['setTimeout'],
  },
  'sample.ts': {
    rooms: ['errors.ts', 'platform', 'graph', 'graph/sqlite', 'import.ts'],
    packages: ['node:*'],
  },
  'check.ts': { rooms: ['model.ts', 'normalise', 'names', 'match', 'score', 'graph'], packages: [] },
  accounts: {
    rooms: ['model.ts', 'errors.ts'],
    packages: ['valibot', 'node:crypto', 'node:net', 'node:zlib'],
  },
  // Rows of accounts, usage and the call log, in the SQL that all engines have. A call counts in the month of its commit, and only who commits
  // knows when that is.
  store: {
    rooms: ['model.ts', 'errors.ts', 'platform', 'accounts'],
    packages: ['better-sqlite3', 'drizzle-orm', 'node:*'],
    globals: ['performance', 'Date.now', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/sqlite': {
    rooms: ['errors.ts', 'platform', 'accounts', 'store'],
    packages: ['better-sqlite3', 'node:*'],
    globals: ['performance', 'Date.now', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/postgres': {
    rooms: ['errors.ts', 'platform', 'accounts', 'store'],
    packages: ['drizzle-orm', 'postgres', 'node:*'],
    globals: ['performance', 'setImmediate', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/open.ts': { rooms: ['errors.ts', 'store', 'store/sqlite', 'store/postgres'], packages: ['node:fs'] },
  // From one engine to another.
  'store/move': {
    rooms: ['errors.ts', 'store', 'store/sqlite', 'store/postgres', 'store/open.ts'],
    packages: ['drizzle-orm', 'node:*'],
    sql: true,
  },
  'features/plugin': {
    rooms: ['model.ts', 'intents.ts'],
    packages: ['@valibot/to-json-schema', 'ofetch', 'valibot', 'node:*'],
    globals: ['performance', 'setTimeout'],
  },
  features: {
    rooms: ['model.ts', 'errors.ts', 'platform', 'features/plugin'],
    packages: ['valibot', 'node:*'],
    globals: ['*'],
  },
  'features/plugin/test': {
    rooms: ['model.ts', 'intents.ts', 'features/plugin', 'features'],
    packages: ['valibot'],
    globals: ['performance', 'setTimeout'],
  },
  plugins: { rooms: [], packages: ['bonafide/plugin', 'node:*'], globals: ['*'] },
  'validate.ts': {
    rooms: ['model.ts', 'names', 'claim', 'graph', 'check.ts', 'accounts', 'features'],
    packages: [],
    globals: ['performance'],
  },
  // What an operator does and sees, at the command line and over HTTP; from afar, in a thread with a connection of its own.
  admin: {
    rooms: [
      'model.ts',
      'errors.ts',
      'platform',
      'config',
      'names',
      'graph',
      'graph/engines.ts',
      'accounts',
      'store',
      'store/open.ts',
      'import',
      'import.ts',
      'erase',
      ...'linking people overview evaluate evaluate/run features'.split(' '),
    ],
    packages: ['node:*'],
    globals: ['new Date', 'Date.now', 'setTimeout'],
  },
  // What requests and answers look like: for the description of the API and for clients.
  'http/schema': { rooms: ['intents.ts', 'claim', 'accounts', 'features/plugin'], packages: ['valibot'] },
  client: {
    rooms: ['errors.ts', 'http/schema'],
    packages: ['ofetch', 'valibot', 'node:*'],
    globals: ['crypto', 'performance'],
  },
  'app/observed/watched.ts': { rooms: ['observe', 'validate.ts'], packages: [], globals: ['performance'] },
  http: {
    rooms: [
      'model.ts',
      'errors.ts',
      'platform',
      'observe',
      'claim',
      'graph/wire',
      'accounts',
      'validate.ts',
      'admin',
      'http/schema',
    ],
    packages: [
      '@modelcontextprotocol/server',
      '@valibot/to-json-schema',
      'h3',
      'marked',
      'srvx',
      'valibot',
      'node:*',
    ],
    globals: ['*'],
  },
  // Counts and compares the rows of any database.
  'keep/sqlite': {
    rooms: ['errors.ts', 'platform', 'graph', 'graph/sqlite', 'store/sqlite'],
    packages: ['better-sqlite3', 'node:*'],
    globals: ['Math.random'],
    sql: true,
  },
  keep: {
    rooms: ['errors.ts', 'platform', 'graph/remembered', 'graph/sqlite', 'store/sqlite', 'keep/sqlite'],
    packages: ['valibot', 'node:*'],
    globals: ['*'],
  },
  // A graph under another secret.
  rekey: {
    rooms: [
      'errors.ts',
      'platform',
      'graph',
      'graph/sqlite',
      'import',
      'linking',
      'erase',
      'keep',
      'keep/sqlite',
    ],
    packages: ['node:*'],
  },
  // The parts of a server, and checks without one.
  app: {
    rooms: [
      'errors.ts',
      'platform',
      'config.ts',
      'observe',
      'evaluate',
      'evaluate/run',
      'graph',
      'names',
      'graph/wire',
      'graph/upstream',
      'graph/engines.ts',
      'accounts',
      'feed',
      'store',
      'store/sqlite',
      'store/postgres',
      'store/open.ts',
      'features',
      'features/plugin',
      'validate.ts',
      'app/calibrations.ts',
      'admin',
      'http',
      'keep',
    ],
    packages: ['valibot', 'node:*'],
    globals: ['*'],
  },
  'app.ts': {
    rooms: [
      'config.ts',
      'observe',
      'graph',
      'accounts',
      'store',
      'validate.ts',
      'app/observed/watched.ts',
      'app',
      'sample.ts',
      'http',
      'keep',
    ],
    packages: ['h3', 'node:*'],
    globals: ['*'],
  },
  'index.ts': { rooms: ['errors.ts', 'config.ts', 'app.ts'], packages: [] },
  // Several threads that serve: the keeper and each of them.
  workers: {
    rooms: [
      'errors.ts',
      'platform',
      'config.ts',
      'observe',
      'accounts',
      'store',
      'store/sqlite',
      'admin',
      'http',
      'keep',
      'app',
      'app.ts',
    ],
    packages: ['node:*'],
    globals: ['*'],
  },
  commands: {
    rooms: [
      ...'model.ts errors.ts platform normalise config.ts observe names generate evaluate evaluate/run graph graph/sqlite graph/engines.ts import import.ts linking erase overview people'.split(
        ' ',
      ),
      ...'rekey app/calibrations.ts sample.ts accounts store store/open.ts store/move client features features/plugin features/plugin/test admin keep keep/sqlite app app.ts workers'.split(
        ' ',
      ),
    ],
    packages: ['@clack/prompts', 'citty', 'node:*'],
    globals: ['*'],
  },
  // The operator's pages run in a browser, and know of the rest what its addresses answer.
  console: { rooms: [], packages: ['preact', 'uplot'], globals: ['*'] },
  'cli.ts': { rooms: ['commands'], packages: [], globals: ['process'] },
  'bonafide.mjs': { rooms: [], packages: ['node:*'], globals: ['*', 'process.env'] },
};
