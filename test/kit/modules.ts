// The modules of the source and what each may import. test/arrows.test.ts enforces this table.
import type { ModuleRule } from './arrows.ts';

/**
 * From module name to rule, lowest module first. A file directly in `src` is a module. A folder is a module with everything below it,
 * except for folders that are modules themselves.
 */
export const MODULES: Record<string, ModuleRule> = {
  'model.ts': { modules: '', packages: '' },
  'errors.ts': { modules: '', packages: '' },
  platform: { modules: 'errors.ts', packages: 'better-sqlite3 postgres node:*', globals: ['*'], sql: true },
  normalise: {
    modules: 'model.ts data',
    packages: 'any-ascii libphonenumber-js node:url',
  },
  config: {
    modules: 'errors.ts normalise platform',
    packages: '@valibot/to-json-schema c12 libphonenumber-js valibot node:*',
    globals: ['*'],
  },
  'config.ts': {
    modules: 'errors.ts platform config',
    packages: 'valibot node:*',
    globals: ['*', 'process.env'],
  },
  observe: {
    modules: 'model.ts errors.ts platform',
    packages: 'consola prom-client node:crypto node:dns node:fs node:http node:https node:net',
    globals: ['*'],
  },
  // Reads name tables from files, and loads a package for the readings of rare characters.
  names: {
    modules: 'errors.ts normalise platform',
    packages: 'any-ascii pinyin-pro node:crypto node:fs node:module node:path',
  },
  generate: { modules: 'data', packages: '' },
  match: { modules: 'model.ts names normalise', packages: '' },
  score: { modules: 'model.ts', packages: '' },
  // Calibrations that an operator fitted to their own cases.
  'app/calibrations.ts': { modules: 'model.ts errors.ts platform score', packages: 'node:*' },
  link: { modules: 'model.ts names normalise', packages: 'node:crypto' },
  claim: { modules: 'model.ts errors.ts normalise', packages: 'valibot' },
  graph: { modules: 'model.ts errors.ts names link platform', packages: 'node:*' },
  // Results of the last linking, in an SQLite file, for every engine that stores records.
  'graph/link-cache': {
    modules: 'errors.ts link platform graph',
    packages: 'node:*',
    sql: true,
  },
  // Code that both engines with stored records share.
  'graph/sql': {
    modules: 'model.ts names link platform graph graph/link-cache',
    packages: 'node:*',
    globals: ['new Date'],
    sql: true,
  },
  'graph/sqlite': {
    modules: 'model.ts errors.ts link platform graph graph/link-cache graph/sql',
    packages: 'node:*',
    globals: ['new Date', 'performance'],
    sql: true,
  },
  // The driver is loaded when this engine is opened.
  'graph/postgres': {
    modules: 'errors.ts platform graph graph/link-cache graph/sql',
    packages: 'postgres node:*',
    globals: ['new Date', 'performance', 'setTimeout', 'setInterval'],
    sql: true,
  },
  // Queries and answers between servers.
  'graph/wire': {
    modules: 'model.ts errors.ts normalise names match claim graph',
    packages: 'valibot',
  },
  'graph/upstream': {
    modules: 'errors.ts platform graph graph/wire',
    packages: 'valibot node:*',
    globals: ['performance', 'setTimeout', 'Math.random', 'Date.now'],
  },
  // The only module that imports every engine.
  'graph/engines.ts': {
    modules: 'errors.ts config graph graph/sqlite graph/postgres graph/upstream',
    packages: '',
  },
  // Readers of workbooks and Parquet are loaded when a file needs them.
  import: {
    modules: 'model.ts errors.ts platform normalise names link graph',
    packages: 'hyparquet saxes node:*',
  },
  evaluate: { modules: 'model.ts errors.ts generate score import', packages: '' },
  // Linking of all records of a graph or of new ones, and its verification.
  'people/linking.ts': { modules: 'errors.ts platform graph import', packages: '' },
  'people/verify-links.ts': { modules: 'platform graph import people/linking.ts', packages: '' },
  'import.ts': {
    modules: 'platform graph import people/linking.ts',
    packages: '',
    globals: ['performance'],
  },
  // Erases records from a graph and from every file of the data folder.
  'people/erase': {
    modules: 'model.ts errors.ts platform link graph people/linking.ts',
    packages: 'node:*',
    globals: ['new Date'],
  },
  // Graph statistics, as counts and pictures.
  'admin/overview': { modules: 'model.ts evaluate link graph', packages: '', globals: ['new Date'] },
  // Selection of records, and the export of all data about one person.
  people: {
    modules: 'model.ts errors.ts normalise names link graph people/linking.ts people/erase',
    packages: '',
    globals: ['new Date'],
  },
  // A feed of records, in a separate thread.
  'import/feed': {
    modules: 'errors.ts platform names link graph graph/engines.ts import people/linking.ts',
    packages: 'node:*',
    globals: ['setTimeout'],
  },
  'app/sample.ts': {
    modules: 'errors.ts platform graph graph/sqlite import.ts',
    packages: 'node:*',
  },
  'check.ts': { modules: 'model.ts normalise names match score graph', packages: '' },
  accounts: {
    modules: 'model.ts errors.ts',
    packages: 'valibot node:crypto node:net node:zlib',
  },
  // Rows of accounts, usage and the call log, in SQL that all engines understand. A call counts in the month of its commit, so this module reads
  // the clock.
  store: {
    modules: 'model.ts errors.ts platform accounts',
    packages: 'drizzle-orm node:*',
    globals: ['performance', 'Date.now', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/sqlite': {
    modules: 'errors.ts platform accounts store',
    packages: 'better-sqlite3 node:*',
    globals: ['performance', 'Date.now', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/postgres': {
    modules: 'errors.ts platform accounts store',
    packages: 'postgres node:*',
    globals: ['performance', 'setImmediate', 'setInterval', 'setTimeout'],
    sql: true,
  },
  'store/open.ts': {
    modules: 'errors.ts platform store store/sqlite store/postgres',
    packages: '',
  },
  // Copies a store from one engine to another.
  'store/move.ts': {
    modules: 'errors.ts platform store store/sqlite store/postgres store/open.ts',
    packages: 'node:*',
    sql: true,
  },
  'features/plugin': {
    modules: 'model.ts',
    packages: '@valibot/to-json-schema ofetch valibot node:*',
    globals: ['performance', 'setTimeout'],
  },
  features: {
    modules: 'model.ts errors.ts platform features/plugin',
    packages: 'valibot node:*',
    globals: ['*'],
  },
  'features/plugin/test': {
    modules: 'model.ts features/plugin features',
    packages: 'valibot',
    globals: ['performance', 'setTimeout'],
  },
  plugins: { modules: '', packages: 'bonafide/plugin node:*', globals: ['*'] },
  'name-facts.ts': { modules: 'model.ts names features', packages: '' },
  'validate.ts': {
    modules: 'model.ts platform claim graph check.ts accounts features name-facts.ts',
    packages: '',
    globals: ['performance'],
  },
  // Files of checks that a server works through in the background.
  jobs: {
    modules: 'model.ts errors.ts platform claim import graph accounts store validate.ts',
    packages: 'node:*',
    globals: ['new Date', 'Date.now', 'performance', 'setTimeout', 'setInterval'],
  },
  // Content of watches, and their re-checks.
  watches: {
    modules: 'model.ts errors.ts platform link claim graph check.ts accounts store store/open.ts jobs',
    packages: 'node:*',
    globals: ['new Date', 'Date.now'],
  },
  // Operations for operators, at the command line and over HTTP; remote ones run in a thread with a separate connection.
  admin: {
    modules:
      'model.ts errors.ts platform config names graph graph/engines.ts accounts store store/open.ts jobs import import.ts people/erase people/linking.ts people/verify-links.ts people admin/overview evaluate features watches',
    packages: 'node:*',
    globals: ['new Date', 'Date.now', 'setTimeout'],
  },
  // Schemas of requests and answers, for the API description and for clients.
  'http/schema': { modules: 'model.ts claim accounts features/plugin', packages: 'valibot' },
  client: {
    modules: 'errors.ts http/schema',
    packages: 'ofetch valibot node:*',
    globals: ['crypto', 'performance'],
  },
  'app/metrics/stages.ts': { modules: 'observe validate.ts', packages: '', globals: ['performance'] },
  http: {
    modules:
      'model.ts errors.ts platform observe claim graph/wire accounts validate.ts jobs admin http/schema',
    packages: '@modelcontextprotocol/server @valibot/to-json-schema h3 marked srvx valibot node:*',
    globals: ['*'],
  },
  // Counts and compares the rows of any database.
  'maintenance/sqlite': {
    modules: 'errors.ts platform graph graph/sqlite store/sqlite',
    packages: 'better-sqlite3 node:*',
    globals: ['Math.random'],
    sql: true,
  },
  maintenance: {
    modules: 'errors.ts platform graph graph/link-cache graph/sqlite store store/sqlite maintenance/sqlite',
    packages: 'valibot node:*',
    globals: ['*'],
  },
  // Rewrites a graph with another secret.
  'people/rekey.ts': {
    modules:
      'errors.ts platform graph graph/sqlite import people/linking.ts people/erase maintenance maintenance/sqlite',
    packages: 'node:*',
  },
  // The parts of a server, also for checks without a server.
  app: {
    modules:
      'errors.ts platform config.ts observe evaluate graph names graph/wire graph/upstream graph/engines.ts accounts import/feed store store/sqlite store/postgres store/open.ts features features/plugin validate.ts watches app/calibrations.ts jobs admin http http/schema maintenance',
    packages: 'valibot node:*',
    globals: ['*'],
  },
  'app.ts': {
    modules:
      'config.ts observe graph accounts store validate.ts app/metrics/stages.ts app app/sample.ts http maintenance',
    packages: 'h3 node:*',
    globals: ['*'],
  },
  'index.ts': { modules: 'errors.ts config.ts app.ts', packages: '' },
  // Several threads that serve, and the main thread that keeps the store.
  'app/workers': {
    modules:
      'errors.ts platform config.ts observe accounts store store/sqlite admin http maintenance app app.ts',
    packages: 'node:*',
    globals: ['*'],
  },
  commands: {
    modules:
      'model.ts errors.ts platform config.ts observe names generate evaluate graph graph/sqlite graph/engines.ts import import.ts people/linking.ts people/verify-links.ts people/erase admin/overview people people/rekey.ts app/calibrations.ts app/sample.ts accounts store store/open.ts store/move.ts client features features/plugin features/plugin/test watches jobs admin maintenance maintenance/sqlite app app.ts app/workers',
    packages: '@clack/prompts citty node:*',
    globals: ['*'],
  },
  // Web pages for operators, which run in a browser. They import the types of the server's answers from the schemas, and no code.
  console: { modules: '', packages: 'preact uplot', types: 'http http/schema valibot', globals: ['*'] },
  'cli.ts': { modules: 'commands', packages: '', globals: ['process'] },
  'bonafide.mjs': { modules: '', packages: 'node:*', globals: ['*', 'process.env'] },
};
