// What the executable carries: the bundled code and all that it reads, laid out as in a clone.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { copyAssets } from '../assets.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Where it starts, what finds the rest by where it is, and the contract that plugins are given. */
const ENTRIES = ['cli', 'platform/assets', 'features/plugin/index', 'features/plugin/test/index'];
/** Not bundled: one holds a native addon, one is big and read by few, one is brought by who wants it. */
const EXTERNAL = ['better-sqlite3', 'pinyin-pro', 'node-llama-cpp'];

/** Lays out all that the executable carries, for a platform such as `linux-x64`. */
export async function makeHome(home, { target, node }) {
  await bundle(home);
  copyAssets(home);
  const own = { name: 'node', version: node.version, licence: 'MIT', text: node.text };
  const others = JSON.parse(readFileSync(join(home, 'licences.json'), 'utf8'));
  writeFileSync(join(home, 'licences.json'), JSON.stringify([own, ...others]));
  copyPackage(home, 'better-sqlite3', ['package.json', 'LICENSE', 'lib', `prebuilds/${target}.node`]);
  copyPackage(home, 'pinyin-pro', ['package.json', 'LICENSE', 'dist/index.js']);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version, type: 'module' }));
  cpSync(join(import.meta.dirname, 'inside.cjs'), join(home, 'inside.cjs'));
}

async function bundle(home) {
  const modules = [...ENTRIES, ...startedByFile()].map((module) => [
    `src/${module}`,
    join(ROOT, `src/${module}.ts`),
  ]);
  // Parts lie two folders deep as src/platform/assets.ts does, which finds all else from where it is.
  await bundleOf(home, Object.fromEntries(modules), { external: EXTERNAL, parts: 'src/parts' });
  // Bonafide's own plugins import its contract under its public name, as an operator's do.
  const plugins = readdirSync(join(ROOT, 'plugins')).map((name) => [
    `plugins/${name}/index`,
    join(ROOT, `plugins/${name}/index.ts`),
  ]);
  await bundleOf(home, Object.fromEntries(plugins), {
    external: [...EXTERNAL, /^bonafide\//],
    parts: 'src/parts',
  });
}

/** What is started by its file's name, such as a thread's first module: each has to stay a file of its own. */
function startedByFile() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  const started = /(?:getModuleFile\(|\bcreateLazyWorkerThread\b[^]{0,120}?file: )'([^']+)'/g;
  return texts.flatMap((text) => Array.from(text.matchAll(started), ([, module]) => module));
}

/** What the source requires, for it loads sooner, is to be in the bundle. */
const importsDrizzle = {
  name: 'imports-drizzle',
  transform: (code, id) =>
    id.endsWith('src/store/drizzle.ts')
      ? code.replaceAll(
          /export const (\{[^}]*\}) =\s*require\(('[^']+')\)[^;]*;/g,
          'import $1 from $2; export $1;',
        )
      : null,
};

async function bundleOf(dir, input, { external, parts }) {
  const built = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [importsDrizzle],
    preserveEntrySignatures: 'strict',
    // A comment on where each module lay would be another one in each clone.
    experimental: { attachDebugInfo: 'none' },
  });
  await built.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${parts}/[name]-[hash].js`,
    // Names and lines stay: a stack still says what it came through.
    comments: false,
    plugins: [IN_ASCII],
  });
  await built.close();
}

/** V8 keeps the text of a module as long as it runs: two bytes a letter where a single one is not Latin, and one where all are. */
const IN_ASCII = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = inAscii(part.code);
  },
};

/** Escapes hold in texts, patterns and names alike; a backslash that stood before a letter already is not needed any more. */
const inAscii = (code) =>
  code.replace(/(\\*)([\u0080-\uffff])/g, (_, slashes, letter) => {
    const kept = slashes.length % 2 === 1 ? slashes.slice(1) : slashes;
    return `${kept}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

function copyPackage(home, name, parts) {
  for (const part of parts) {
    const to = join(home, 'node_modules', name, part);
    mkdirSync(join(to, '..'), { recursive: true });
    cpSync(join(ROOT, 'node_modules', name, part), to, { recursive: true });
  }
}
