// Where the files that ship beside the code are. `npm run build` mirrors the repository below `dist`, so that one rule
// serves a clone, which runs from `src`, and an installed package, which runs from `dist/src`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const CODE = dirname(import.meta.dirname);
/** Folder of what lies beside the code. */
export const ROOT = dirname(CODE);
const ENDING = extname(import.meta.filename);

/** Whether this runs from what a build made, a package or the single executable, and not from a clone. */
export const BUILT = ENDING === '.js';

/** Folder of the name tables, one text file each. */
export const NAME_TABLES = join(ROOT, 'data/names');
/** Folder of the words that imports know headers, titles and genders by, one text file each. */
export const IMPORT_TABLES = join(ROOT, 'data/import');
/** Folder of the tables that generated people are made from. */
export const GENERATE_TABLES = join(ROOT, 'data/generate');
/** Folder of the sample graph and the request that goes with it. */
export const SAMPLE = join(ROOT, 'data/sample');
/** Folder of the pages of documentation, one Markdown file a subject. */
export const DOCS = join(ROOT, 'data/docs');
/** Folder of the plugins that come with Bonafide, one folder each. */
export const BUILTIN_PLUGINS = join(ROOT, 'plugins');
/** Folder of the store's migrations, as drizzle-kit wrote them. */
export const STORE_MIGRATIONS = join(CODE, 'store/sqlite/migrations');
/** Those of a store in PostgreSQL. */
export const POSTGRES_MIGRATIONS = join(CODE, 'store/postgres/migrations');

/** The files of Swagger UI that are served: a build copies them, a clone has them among its packages. */
export const SWAGGER_UI = [join(ROOT, 'swagger-ui'), join(ROOT, 'node_modules/swagger-ui-dist')];

/** The console's pages: what a build made of them, in a clone `npm run build:console` or `npm start`. */
export const CONSOLE_PAGES = join(ROOT, BUILT ? 'console' : 'dist/console');

/** A module of Bonafide's own as a file, for a worker or a loader: `store/sqlite/writer`, below `src` and without its ending. */
export function codeFile(module: string): string {
  return `${join(CODE, module)}${ENDING}`;
}

/** The version that package.json gives. */
export function packageVersion(): string {
  // Below `dist` there is no package.json: it would be another package to Node.
  const folder = existsSync(join(ROOT, 'package.json')) ? ROOT : dirname(ROOT);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
