// Who may import whom: the one truth about the rooms of the source. Imports go down only, types included.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cyclesOf, reachesOf, readSources, rulesOf } from './kit/arrows.ts';
import type { Room } from './kit/arrows.ts';

/** A file in the top folder of the source is a room of its own; a folder is one with all below it that is not a room itself. The lowest first. */
const ROOMS: Record<string, Room> = {
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
    rooms: ['errors.ts', 'config'],
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
  'graph/sqlite': {
    rooms: ['model.ts', 'errors.ts', 'names', 'link', 'platform', 'graph'],
    packages: ['node:*'],
    globals: ['new Date', 'performance'],
    sql: true,
  },
  import: { rooms: ['model.ts', 'errors.ts', 'normalise', 'link', 'graph'], packages: ['node:*'] },
  'import.ts': { rooms: ['link', 'graph', 'import'], packages: [], globals: ['performance'] },
  'sample.ts': {
    rooms: ['errors.ts', 'platform', 'graph', 'graph/sqlite', 'import.ts'],
    packages: ['node:*'],
  },
  'check.ts': { rooms: ['model.ts', 'normalise', 'names', 'match', 'score', 'graph'], packages: [] },
  accounts: {
    rooms: ['model.ts', 'errors.ts'],
    packages: ['valibot', 'node:crypto', 'node:net', 'node:zlib'],
  },
  // A call counts in the month of its commit, and only who commits knows when that is.
  'store/sqlite': {
    rooms: ['model.ts', 'errors.ts', 'platform', 'accounts'],
    packages: ['better-sqlite3', 'drizzle-orm', 'node:*'],
    globals: ['performance', 'Date.now', 'setInterval', 'setTimeout'],
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
  // What requests and answers look like: for the description of the API and for clients.
  'http/schema': { rooms: ['intents.ts', 'claim', 'features/plugin'], packages: ['valibot'] },
  client: {
    rooms: ['errors.ts', 'http/schema'],
    packages: ['ofetch', 'valibot', 'node:*'],
    globals: ['crypto', 'performance'],
  },
  'app/watched.ts': { rooms: ['observe', 'features', 'validate.ts'], packages: [], globals: ['performance'] },
  http: {
    rooms: [
      'model.ts',
      'errors.ts',
      'platform',
      'observe',
      'claim',
      'accounts',
      'validate.ts',
      'http/schema',
    ],
    packages: ['@valibot/to-json-schema', 'h3', 'marked', 'srvx', 'valibot', 'node:*'],
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
    rooms: ['errors.ts', 'platform', 'graph/sqlite', 'store/sqlite', 'keep/sqlite'],
    packages: ['valibot', 'node:*'],
    globals: ['*'],
  },
  'app.ts': {
    rooms: [
      'errors.ts',
      'platform',
      'config.ts',
      'observe',
      'graph',
      'graph/sqlite',
      'accounts',
      'store/sqlite',
      'features',
      'validate.ts',
      'app/watched.ts',
      'sample.ts',
      'app/calibrations.ts',
      'http',
      'keep',
    ],
    packages: ['h3', 'node:*'],
    globals: ['*'],
  },
  'index.ts': { rooms: ['errors.ts', 'config.ts', 'app.ts'], packages: [] },
  commands: {
    rooms: [
      'model.ts',
      'errors.ts',
      'platform',
      'normalise',
      'config.ts',
      'observe',
      'names',
      'generate',
      'evaluate',
      'graph',
      'graph/sqlite',
      'import',
      'import.ts',
      'app/calibrations.ts',
      'sample.ts',
      'accounts',
      'store/sqlite',
      'features',
      'features/plugin',
      'features/plugin/test',
      'keep',
      'keep/sqlite',
      'app.ts',
    ],
    packages: ['@clack/prompts', 'citty', 'node:*'],
    globals: ['*'],
  },
  'cli.ts': { rooms: ['commands'], packages: [], globals: ['process'] },
  'bonafide.mjs': { rooms: [], packages: ['node:*'], globals: ['*', 'process.env'] },
};

const TOP = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = readSources(TOP, ['src', 'plugins']);
const REACHES = SOURCES.flatMap(reachesOf);

const { roomOf, broken } = rulesOf(ROOMS);

describe('imports', () => {
  test('keep to the table', () => {
    expect(REACHES.flatMap(broken)).toEqual([]);
  });

  test('run in no circle, types included', () => {
    expect(cyclesOf(REACHES)).toEqual([]);
  });

  test('go down only: a room imports none that stands above it in the table', () => {
    const order = Object.keys(ROOMS);
    const up = Object.entries(ROOMS).flatMap(([name, { rooms }], i) =>
      rooms.filter((room) => order.indexOf(room) >= i).map((room) => `${name} → ${room}`),
    );
    expect(up).toEqual([]);
  });

  test('are allowed in the table only where somebody needs them', () => {
    const used = new Set(
      REACHES.map(
        ({ file, kind, target }) => `${roomOf(file)} → ${kind === 'file' ? roomOf(target) : target}`,
      ),
    );
    const idle = Object.entries(ROOMS).flatMap(([name, { rooms, packages }]) =>
      [...rooms, ...packages.filter((one) => one !== 'node:*')]
        .map((one) => `${name} → ${one}`)
        .filter((arrow) => !used.has(arrow)),
    );
    expect(idle).toEqual([]);
  });
});

describe('a planted violation', () => {
  const found = (file: string, text: string) => reachesOf({ file, text }).flatMap(broken);

  test.each([
    ['an import', "import { callOf } from '../store/sqlite/stream.ts';"],
    ['an import of a type', "import type { Store } from '../store/sqlite/open.ts';"],
    ['an import for its effect', "import '../store/sqlite/open.ts';"],
    ['an export of what another file has', "export { callOf } from '../store/sqlite/stream.ts';"],
    ['an export of all', "export * from '../store/sqlite/stream.ts';"],
    ['an export of a type', "export type { Store } from '../store/sqlite/open.ts';"],
    ['an import when it is needed', "const store = await import('../store/sqlite/open.ts');"],
    ['a type that names its file', "let store: import('../store/sqlite/open.ts').Store;"],
    ['a required file', "const store = require('../store/sqlite/open.ts');"],
    [
      'a file required by way of Node',
      "const store = createRequire(import.meta.url)('../store/sqlite/open.ts');",
    ],
    ['a file that is looked up', "const store = import.meta.resolve('../store/sqlite/open.ts');"],
    ['a required file, the TypeScript way', "import store = require('../store/sqlite/open.ts');"],
    [
      'a file that is loaded by its address',
      "new Worker(new URL('../store/sqlite/writer.ts', import.meta.url));",
    ],
  ])('is found: %s', (_, text) => {
    expect(found('src/http/planted.ts', `// a comment\n${text}`)).toEqual([
      expect.stringMatching(
        /^src\/http\/planted\.ts:2 imports src\/store\/sqlite\/\w+\.ts: http may not import store\/sqlite$/,
      ),
    ]);
  });

  test.each([
    ['src/score/planted.ts', 'const level = process.env.LEVEL;', 'process.env'],
    ['src/http/planted.ts', 'const { level } = process.env;', 'process.env'],
    ['src/match/planted.ts', 'const today = Date.now();', 'Date.now'],
    ['src/link/planted.ts', 'const today = new Date();', 'new Date'],
    ['src/link/planted.ts', 'const start = performance.now();', 'performance'],
    ['src/score/planted.ts', 'const chance = Math.random();', 'Math.random'],
    ['src/normalise/planted.ts', "console.log('seen');", 'console'],
    ['src/match/planted.ts', 'setTimeout(later, 5);', 'setTimeout'],
  ])('is found: %s touches %s', (file, text, target) => {
    expect(found(file, text)).toEqual([`${file}:1 touches ${target}, and ${roomOf(file)} may not`]);
  });

  test.each([
    ['src/http/planted.ts', 'better-sqlite3'],
    ['src/commands/planted.ts', 'drizzle-orm/better-sqlite3'],
    ['src/score/planted.ts', 'node:fs'],
    ['src/claim/planted.ts', 'h3'],
    ['plugins/planted/index.ts', 'h3'],
  ])('is found: %s imports the package %s', (file, name) => {
    expect(found(file, `import type { X } from '${name}';`)).toEqual([
      `${file}:1 imports the package ${name.split('/')[0]}, and ${roomOf(file)} may not`,
    ]);
  });

  test.each([
    ['src/http/planted.ts', "db.prepare('SELECT count(*) FROM calls WHERE key = ?');", 'SELECT'],
    ['src/link/planted.ts', 'db.exec(`CREATE TEMP TABLE pairs (a INTEGER, b INTEGER)`);', 'CREATE'],
    ['src/graph/resolve/planted.ts', 'db.exec(`\n  INSERT INTO meta VALUES (1)`);', 'INSERT'],
  ])('is found: %s holds SQL', (file, text, word) => {
    expect(found(file, text)).toEqual([`${file}:1 holds SQL (${word}), and ${roomOf(file)} may not`]);
  });

  test('is found from every room into every other that it may not import', () => {
    const inside = (room: string) =>
      /\.\w+$/.test(room)
        ? `src/${room}`
        : room === 'plugins'
          ? 'plugins/planted.ts'
          : `src/${room}/planted.ts`;
    const missed = Object.entries(ROOMS).flatMap(([from, { rooms }]) =>
      Object.keys(ROOMS)
        .filter((to) => to !== from && !rooms.includes(to))
        .filter(
          (to) => broken({ file: inside(from), line: 1, kind: 'file', target: inside(to) }).length !== 1,
        )
        .map((to) => `${from} → ${to}`),
    );
    expect(missed).toEqual([]);
  });

  test('is found: a circle of types', () => {
    const files = [
      { file: 'src/score/a.ts', text: "import type { B } from './b.ts';" },
      { file: 'src/score/b.ts', text: "export type { A } from './a.ts';" },
    ];
    expect(cyclesOf(files.flatMap(reachesOf))).toEqual([
      ['src/score/a.ts', 'src/score/b.ts', 'src/score/a.ts'],
    ]);
  });
});
