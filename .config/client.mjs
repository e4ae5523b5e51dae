// Builds the typed client as a separate package in dist/bonafide-client: one script without dependencies, and its declarations. The types of
// requests and answers are generated from the schemas, so that the package needs neither valibot nor the server.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { rolldown } from 'rolldown';
import * as calls from '../src/http/schema/calls.ts';
import * as checks from '../src/http/schema/check.ts';
import * as jobs from '../src/http/schema/jobs.ts';
import * as requests from '../src/http/schema/request.ts';
import * as watches from '../src/http/schema/watches.ts';

const ROOT = join(import.meta.dirname, '..');
const SCHEMAS = { ...calls, ...checks, ...jobs, ...requests, ...watches };
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const out = resolve(process.argv[2] ?? join(ROOT, 'dist/bonafide-client'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'bonafide-client-'));
try {
  await bundle();
  declare();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const manifest = {
  name: 'bonafide-client',
  version,
  description: 'Typed client of the Bonafide API.',
  license,
  type: 'module',
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  files: ['index.js', 'index.d.ts', 'send.d.ts'],
  engines,
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const kilobytes = Math.round(statSync(join(out, 'index.js')).size / 1000);
process.stdout.write(
  `Built ${out}: the typed client as a package, ${kilobytes} kB of code. Pack it with: npm pack ${out}\n`,
);

async function bundle() {
  const built = await rolldown({
    input: join(ROOT, 'src/client/index.ts'),
    // Not for Node only, so that ofetch uses the fetch of the runtime and bundles no other.
    platform: 'neutral',
    external: [/^node:/],

    experimental: { attachDebugInfo: 'none' },
  });
  await built.write({ file: join(out, 'index.js'), format: 'esm', comments: false, codeSplitting: false });
  await built.close();
}

/** Writes the declarations that the compiler makes, with each type of a schema written out. */
function declare() {
  const config = {
    extends: join(ROOT, '.config/build.json'),
    compilerOptions: {
      outDir: scratch,
      rootDir: ROOT,
      emitDeclarationOnly: true,
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [],
    files: [join(ROOT, 'src/client/index.ts')],
  };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [TSC, '--project', scratch], { stdio: 'inherit' });
  const codes = /type ErrorCode = [^;]*;/.exec(readFileSync(join(scratch, 'src/errors.d.ts'), 'utf8'))?.[0];
  if (codes === undefined) throw new Error('src/errors.ts declares no type ErrorCode.');
  for (const name of ['index', 'send']) {
    const text = readFileSync(join(scratch, `src/client/${name}.d.ts`), 'utf8')
      .replaceAll(/^import type [^;]*;\n/gm, '')
      .replaceAll('./send.ts', './send.js')
      .replaceAll(
        /= v\.Infer(Input|Output)<typeof (\w+)>;/g,
        (_, mode, schema) => `= ${typeOf(schema, mode.toLowerCase())};`,
      );
    writeFileSync(join(out, `${name}.d.ts`), name === 'send' ? `${codes}\n${text}` : text);
  }
}

function typeOf(name, typeMode) {
  const { $defs: parts = {}, ...schema } = toJsonSchema(SCHEMAS[name], { errorMode: 'ignore', typeMode });
  // A part that is used twice is a reference. Each reference is replaced by its part, because the generated types have no names.
  const withParts = (value) =>
    value?.$ref === undefined ? value : JSON.parse(toText(parts[value.$ref.replace('#/$defs/', '')]));
  const toText = (value) => JSON.stringify(value, (_, member) => withParts(member));
  return toType(JSON.parse(toText(schema)));
}

/** Returns the TypeScript type of a JSON Schema. */
function toType(node) {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = node.anyOf ?? node.oneOf;
  if (options) return [...new Set(options.map(toType))].join(' | ');
  if (node.allOf) return node.allOf.map((part) => `(${toType(part)})`).join(' & ');
  if (Array.isArray(node.type)) return node.type.map((type) => toType({ ...node, type })).join(' | ');
  if (node.type === 'array') return `Array<${toType(node.items ?? {})}>`;
  if (node.type === 'object') return toObjectType(node);
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[node.type] ??
    'unknown'
  );
}

function toObjectType({ properties, required = [], additionalProperties }) {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? toType(additionalProperties) : 'unknown'}>`;
  const members = Object.entries(properties).map(([key, node]) => {
    const about = node.description ? `/** ${node.description.replaceAll('*/', '*\\/')} */\n` : '';
    const isRequired = required.includes(key);
    return `${about}${JSON.stringify(key)}${isRequired ? '' : '?'}: ${toType(node)}${isRequired ? '' : ' | undefined'};`;
  });
  return `{\n${members.join('\n')}\n}`;
}
