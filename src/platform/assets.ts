// Where the files that ship beside the code are. `npm run build` mirrors the repository below `dist`, so that one rule
// serves a clone, which runs from `src`, and an installed package, which runs from `dist/src`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const CODE_FOLDER = dirname(import.meta.dirname);
/** Folder of what lies beside the code. */
export const PACKAGE_FOLDER = dirname(CODE_FOLDER);
const MODULE_EXTENSION = extname(import.meta.filename);

/** Whether this runs from what a build made, a package or the single executable, and not from a clone. */
export const IS_BUILT = MODULE_EXTENSION === '.js';

/** Folder of the name tables, one text file each. */
export const NAME_TABLES_FOLDER = join(PACKAGE_FOLDER, 'data/names');
/** Folder of the words that imports know headers, titles and genders by, one text file each. */
export const IMPORT_TABLES_FOLDER = join(PACKAGE_FOLDER, 'data/import');
/** Folder of the tables that generated people are made from. */
export const GENERATE_TABLES_FOLDER = join(PACKAGE_FOLDER, 'data/generate');
/** Folder of the sample graph and the request that goes with it. */
export const SAMPLE_FOLDER = join(PACKAGE_FOLDER, 'data/sample');
/** Folder of the pages of documentation, one Markdown file a subject. */
export const DOCS_FOLDER = join(PACKAGE_FOLDER, 'data/docs');
/** Folder of the plugins that come with Bonafide, one folder each. */
export const BUILTIN_PLUGINS_FOLDER = join(PACKAGE_FOLDER, 'plugins');
/** Folder of the store's migrations, as drizzle-kit wrote them. */
export const STORE_MIGRATIONS_FOLDER = join(CODE_FOLDER, 'store/sqlite/migrations');
/** Those of a store in PostgreSQL. */
export const POSTGRES_MIGRATIONS_FOLDER = join(CODE_FOLDER, 'store/postgres/migrations');

/** The files of Swagger UI that are served: a build copies them, a clone has them among its packages. */
export const SWAGGER_UI_FOLDERS = [
  join(PACKAGE_FOLDER, 'swagger-ui'),
  join(PACKAGE_FOLDER, 'node_modules/swagger-ui-dist'),
];

/** The console's pages: what a build made of them, in a clone `npm run build:console` or `npm start`. */
export const CONSOLE_FOLDER = join(PACKAGE_FOLDER, IS_BUILT ? 'console' : 'dist/console');

/** A module of Bonafide's own as a file, for a worker or a loader: `store/sqlite/writer`, below `src` and without its ending. */
export function getModuleFile(module: string): string {
  return `${join(CODE_FOLDER, module)}${MODULE_EXTENSION}`;
}

/** The version that package.json gives. */
export function getPackageVersion(): string {
  // Below `dist` there is no package.json: it would be another package to Node.
  const folder = existsSync(join(PACKAGE_FOLDER, 'package.json')) ? PACKAGE_FOLDER : dirname(PACKAGE_FOLDER);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

// The pages of documentation as they ship: Markdown files, and `index.md`, whose list gives their order.
export interface DocPage {
  /** Its file's name without the ending, as in `/docs/scoring`. */
  page: string;
  title: string;
  /** What it is about, in a few words. */
  about: string;
}

/** The pages in the order of the index. */
export function listDocPages(): DocPage[] {
  const lines = readPageFile('index').matchAll(/^- \[([^\]]+)\]\(([a-z-]+)\.md\): (.+)$/gm);
  return Array.from(lines, ([, title = '', page = '', about = '']) => ({ page, title, about }));
}

/** The Markdown of a page, or null where there is none of this name. */
export function readDocPage(page: string): string | null {
  return page === 'index' || listDocPages().some((known) => known.page === page) ? readPageFile(page) : null;
}

const readPageFile = (page: string) => readFileSync(join(DOCS_FOLDER, `${page}.md`), 'utf8');
