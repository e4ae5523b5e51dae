// Finds what each source file depends on: files, packages, globals and SQL. The rules themselves are in modules.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** One dependency of a file. `target` is a path from the top folder, a package name, a global, or the first word of a SQL statement. */
export interface Dependency {
  file: string;
  line: number;
  kind: 'file' | 'package' | 'global' | 'sql';
  target: string;
  /** True for `import type` and `export type` declarations, which leave nothing in the compiled file. */
  isTypeOnly?: boolean;
}

/** Path of a file, relative to the top folder, and its text. */
export interface SourceFile {
  file: string;
  text: string;
}

type Node = { type: string; start: number } & Record<string, unknown>;

/** Globals that make a result depend on more than the input, or that have side effects. */
const GLOBALS = new Set([
  'process',
  'console',
  'fetch',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
]);
const CALLS = new Set(['Date.now', 'Math.random', 'new Date']);

/** Reads every TypeScript and JavaScript file below the folders, sorted by path. */
export function readSources(top: string, folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(top, folder, file),
      ),
    )
    .filter((file) => /\.m?tsx?$|\.mjs$/.test(file) && !file.includes('node_modules'))
    .sort()
    .map((file) => ({ file: relative(top, file), text: readFileSync(file, 'utf8') }));
}

/** Returns the dependencies of one file: imports and exports (types included), `import()`, `import('…').Type`, `require`, `import x = require`, `new URL('./x', import.meta.url)`, globals and SQL. */
export function dependenciesOf({ file, text }: SourceFile): Dependency[] {
  const found: Dependency[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const add = (specifier: unknown, node: Node) => {
    if (typeof specifier === 'string')
      found.push({
        file,
        line: lineOf(node.start),
        ...targetOf(file, specifier),
        ...(isTypeOnly(node) ? { isTypeOnly: true } : {}),
      });
  };
  walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, (node) => {
    for (const specifier of specifiersOf(node)) add(specifier, node);
    const statement = statementOf(node);
    if (statement) found.push({ file, line: lineOf(node.start), kind: 'sql', target: statement });
    const touched = globalOf(node);
    if (touched) found.push({ file, line: lineOf(node.start), kind: 'global', target: touched });
  });
  return found;
}

function targetOf(file: string, specifier: string): Pick<Dependency, 'kind' | 'target'> {
  if (specifier.startsWith('.'))
    return { kind: 'file', target: posix.normalize(posix.join(posix.dirname(file), specifier)) };
  const [scope = '', name = ''] = specifier.split('/');
  if (specifier.startsWith('node:') || specifier.startsWith('bonafide/'))
    return { kind: 'package', target: specifier };
  return { kind: 'package', target: scope.startsWith('@') ? `${scope}/${name}` : scope };
}

/** `import { type X }` is not type-only: the import itself stays in the compiled file. */
const isTypeOnly = ({ type, importKind, exportKind }: Node): boolean =>
  (type === 'ImportDeclaration' && importKind === 'type') ||
  (type === 'ExportNamedDeclaration' && exportKind === 'type');

function specifiersOf(node: Node): unknown[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return [literal(node.source)];
    case 'TSExternalModuleReference':
      return [literal(node.expression)];
    case 'CallExpression':
      return isRequire(node.callee as Node) ? [literal(argument(node, 0))] : [];
    case 'NewExpression': {
      const path = literal(argument(node, 0));
      const isAsset = nameOf(node.callee) === 'URL' && nameOf(argument(node, 1)) === 'import.meta.url';
      return isAsset && typeof path === 'string' ? [path.startsWith('.') ? path : `./${path}`] : [];
    }
    default:
      return [];
  }
}

/** True for `require`, `createRequire(…)` and `import.meta.resolve`. */
function isRequire(callee: Node): boolean {
  if (callee.type === 'CallExpression') return nameOf(callee.callee) === 'createRequire';
  return ['require', 'import.meta.resolve'].includes(nameOf(callee));
}

function globalOf(node: Node): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node);
    const [object = ''] = name.split('.');
    if (name === 'process.env') return name;
    if (CALLS.has(name)) return name;
    return GLOBALS.has(object) && name.split('.').length === 2 ? object : undefined;
  }
  if (node.type === 'CallExpression' && GLOBALS.has(nameOf(node.callee))) return nameOf(node.callee);
  const isClock =
    node.type === 'NewExpression' && nameOf(node.callee) === 'Date' && argument(node, 0) === undefined;
  return isClock ? 'new Date' : undefined;
}

const SQL =
  /^\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|(?:CREATE|DROP|ALTER)\s+(?:TEMP\s+)?(?:TABLE|INDEX))\s/s;

/** Returns the first word of a text that begins like a SQL statement, else undefined. */
function statementOf({ type, value }: Node): string | undefined {
  const text =
    type === 'Literal' ? value : type === 'TemplateElement' ? (value as { raw: string }).raw : undefined;
  return typeof text === 'string' ? SQL.exec(text)?.[1]?.split(/\s/)[0] : undefined;
}

const argument = (node: Node, at: number) => (node.arguments as Node[])[at];
const literal = (node: unknown) => (node as { value?: unknown } | null | undefined)?.value;

/** Returns `a.b.c` for an identifier or a chain of members, and an empty string for any other node. */
function nameOf(node: unknown): string {
  const { type, name, object, property, meta } = (node ?? {}) as Record<string, unknown>;
  if (type === 'Identifier') return String(name);
  if (type === 'MetaProperty') return `${nameOf(meta)}.${nameOf(property)}`;
  return type === 'MemberExpression' ? `${nameOf(object)}.${nameOf(property)}` : '';
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && typeof node.type === 'string') visit(node as Node);
    for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit);
  }
}

/** Returns the import cycles, types included, each as its list of files in order. */
export function cyclesOf(dependencies: Dependency[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, kind, target } of dependencies)
    if (kind === 'file') next.set(file, [...(next.get(file) ?? []), target]);
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return cycles;
}

export interface ModuleRule {
  /** Modules whose files may be imported, separated by spaces. */
  modules: string;
  /** Packages that may be imported, separated by spaces; `node:*` stands for all of Node's own. */
  packages: string;
  /** Modules and packages of which only types may be imported, with `import type`, separated by spaces. */
  types?: string;
  /** True where files of the module may contain SQL. */
  sql?: boolean;
  /** Globals that may be used; `*` stands for all except `process.env`. A module without globals is a pure function of its input. */
  globals?: string[];
}

/** Returns functions that check imports against a table from module name (a path below `src`) to the rule of the module. */
export function rulesOf(modules: Record<string, ModuleRule>) {
  /** Returns the module of a file: the longest module name that the path below `src` begins with. */
  function moduleOf(file: string): string {
    const parts = file.replace(/^src\//, '').split('/');
    for (let length = parts.length; length > 1; length--) {
      const name = parts.slice(0, length).join('/');
      if (name in modules) return name;
    }
    return parts[0] ?? '';
  }

  /** Returns one sentence with file, line and rule for a dependency that is not allowed, or an empty list. */
  function violationsOf({ file, line, kind, target, isTypeOnly = false }: Dependency): string[] {
    const from = moduleOf(file);
    const rule = modules[from];
    const at = `${file}:${line}`;
    if (!rule) return [`${at} belongs to no module of the table`];
    if (kind === 'sql') return rule.sql ? [] : [`${at} contains SQL (${target}), and ${from} may not`];
    if (kind === 'global') {
      const { globals = [] } = rule;
      const isAllowed = globals.includes(target) || (globals.includes('*') && target !== 'process.env');
      return isAllowed ? [] : [`${at} uses ${target}, and ${from} may not`];
    }
    const typesOf = isTypeOnly && rule.types ? rule.types.split(' ') : [];
    if (kind === 'package') {
      const packages = rule.packages.split(' ');
      const isAllowed =
        typesOf.includes(target) ||
        packages.includes(target) ||
        (packages.includes('node:*') && target.startsWith('node:'));
      return isAllowed ? [] : [`${at} imports the package ${target}, and ${from} may not`];
    }
    const to = moduleOf(target);
    return from === to || rule.modules.split(' ').includes(to) || typesOf.includes(to)
      ? []
      : [`${at} imports ${target}: ${from} may not import ${to}`];
  }

  return { moduleOf, violationsOf };
}
