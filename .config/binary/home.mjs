// The content of the executable: the bundled code and all files that it reads, laid out as in a clone.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { copyAssets } from '../assets.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Modules with a file of their own: the start, the module that finds other files relative to itself, and the contract of plugins. */
const ENTRIES = ['cli', 'platform/assets', 'features/plugin/index', 'features/plugin/test/index'];
/** Packages outside the bundle: one has a native addon, one is big and rarely read, one is installed by the operator. */
const EXTERNAL = ['better-sqlite3', 'pinyin-pro', 'node-llama-cpp'];

/** Lays out the content of the executable for a platform such as `linux-x64`. */
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
  // Parts are two folders deep, as src/platform/assets.ts is, which finds other files relative to itself.
  await bundleOf(home, Object.fromEntries(modules), { external: EXTERNAL, parts: 'src/parts' });
  // Built-in plugins import the contract under its public name, as an operator's plugins do.
  const plugins = readdirSync(join(ROOT, 'plugins')).map((name) => [
    `plugins/${name}/index`,
    join(ROOT, `plugins/${name}/index.ts`),
  ]);
  await bundleOf(home, Object.fromEntries(plugins), {
    external: [...EXTERNAL, /^bonafide\//],
    parts: 'src/parts',
  });
}

/** Returns the modules that the source starts by file name, such as the first module of a thread. Each must remain a separate file. */
function startedByFile() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  const started = /(?:getModuleFile\(|\bcreateLazyWorkerThread\b[^]{0,120}?file: )'([^']+)'/g;
  return texts.flatMap((text) => Array.from(text.matchAll(started), ([, module]) => module));
}

/** Turns `require` of Drizzle, which loads faster in the source, into an import, so that it becomes part of the bundle. */
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
    // Comments with the path of each module would differ from clone to clone.
    experimental: { attachDebugInfo: 'none' },
  });
  await built.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${parts}/[name]-[hash].js`,
    // Names and line breaks stay, so that stack traces name the functions.
    comments: false,
    plugins: [IN_ASCII],
  });
  await built.close();
}

/** Writes bundles in ASCII. V8 keeps the text of each module in memory: two bytes per character if one of them is not Latin-1, else one byte. */
const IN_ASCII = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = inAscii(part.code);
  },
};

/** Escapes non-ASCII characters, which is valid in strings, patterns and names. A backslash directly before such a character is dropped. */
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
