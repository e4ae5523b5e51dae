// Reads every import of the source, of whatever kind, and what a pure file must not touch; knows no rule itself.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** One thing that a file reaches for: another file (from the top folder), a package, a global, or a database (`target`: the statement's first word). */
export interface Reach {
  file: string;
  line: number;
  kind: 'file' | 'package' | 'global' | 'sql';
  target: string;
}

/** A file as it was read: its path from the top folder, and its text. */
export interface SourceFile {
  file: string;
  text: string;
}

type Node = { type: string; start: number } & Record<string, unknown>;

/** What makes an answer depend on more than its input, or writes where nobody asked. */
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

/** Every TypeScript and JavaScript file below the folders, in order of their paths. */
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

/** What one file reaches for: imports and exports from (types too), `import()`, `import('…').Type`, `require`, `import x = require`, `new URL('./x', import.meta.url)`. */
export function reachesOf({ file, text }: SourceFile): Reach[] {
  const found: Reach[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const add = (specifier: unknown, node: Node) => {
    if (typeof specifier === 'string')
      found.push({ file, line: lineOf(node.start), ...targetOf(file, specifier) });
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

function targetOf(file: string, specifier: string): Pick<Reach, 'kind' | 'target'> {
  if (specifier.startsWith('.'))
    return { kind: 'file', target: posix.normalize(posix.join(posix.dirname(file), specifier)) };
  const [scope = '', name = ''] = specifier.split('/');
  if (specifier.startsWith('node:') || specifier.startsWith('bonafide/'))
    return { kind: 'package', target: specifier };
  return { kind: 'package', target: scope.startsWith('@') ? `${scope}/${name}` : scope };
}

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

/** `require`, `createRequire(…)`, `import.meta.resolve`. */
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

/** The first word of a statement of SQL, where a text begins like one. */
function statementOf({ type, value }: Node): string | undefined {
  const text =
    type === 'Literal' ? value : type === 'TemplateElement' ? (value as { raw: string }).raw : undefined;
  return typeof text === 'string' ? SQL.exec(text)?.[1]?.split(/\s/)[0] : undefined;
}

const argument = (node: Node, at: number) => (node.arguments as Node[])[at];
const literal = (node: unknown) => (node as { value?: unknown } | null | undefined)?.value;

/** `a.b.c` of an identifier or a chain of members; empty for anything else. */
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

/** Circles among the files, types included: each as the files on it, in order. */
export function cyclesOf(reaches: Reach[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, kind, target } of reaches)
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

export interface Room {
  /** Rooms whose files may be imported. */
  rooms: string[];
  /** Packages that may be imported; `node:*` is any of Node's own. */
  packages: string[];
  /** Whether it speaks SQL. */
  sql?: boolean;
  /** Globals that may be touched, `*` for all but `process.env`; a room without any is a pure function of its input. */
  globals?: string[];
}

/** What a table of rooms, by their names below `src`, says of files and of what they reach. */
export function rulesOf(rooms: Record<string, Room>) {
  /** The room that a file belongs to: the longest of the table's names that its path below `src` begins with. */
  function roomOf(file: string): string {
    const parts = file.replace(/^src\//, '').split('/');
    for (let length = parts.length; length > 1; length--) {
      const room = parts.slice(0, length).join('/');
      if (room in rooms) return room;
    }
    return parts[0] ?? '';
  }

  /** What is wrong with one reach, as a sentence that names file, line and rule; nothing where it is allowed. */
  function broken({ file, line, kind, target }: Reach): string[] {
    const from = roomOf(file);
    const room = rooms[from];
    const at = `${file}:${line}`;
    if (!room) return [`${at} is in no room of the table`];
    if (kind === 'sql') return room.sql ? [] : [`${at} holds SQL (${target}), and ${from} may not`];
    if (kind === 'global') {
      const { globals = [] } = room;
      const allowed = globals.includes(target) || (globals.includes('*') && target !== 'process.env');
      return allowed ? [] : [`${at} touches ${target}, and ${from} may not`];
    }
    if (kind === 'package') {
      const allowed =
        room.packages.includes(target) || (room.packages.includes('node:*') && target.startsWith('node:'));
      return allowed ? [] : [`${at} imports the package ${target}, and ${from} may not`];
    }
    const to = roomOf(target);
    return from === to || room.rooms.includes(to)
      ? []
      : [`${at} imports ${target}: ${from} may not import ${to}`];
  }

  return { roomOf, broken };
}
