// Mutants of a source file: the file with one small fault each, which a test of its module should notice.
import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

export interface Mutant {
  file: string;
  line: number;
  start: number;
  end: number;
  /** Text that replaces the characters from start to end. */
  replacement: string;
  original: string;
}

type Change = Pick<Mutant, 'start' | 'end' | 'replacement'>;

interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** Types of TypeScript that contain an expression. All other nodes of that prefix are types, which do not run. */
const WITH_EXPRESSION = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
/** Nodes in which a text is the name of a module or a member, and not a value of the program. */
const WITHOUT_TEXT = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'Property',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Returns all mutants of a file, in the order of the file. */
export function listMutants(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const changes: Change[] = [];
  visit(program as unknown as Node, null, (node, parent) => changes.push(...changesOf(node, parent, text)));
  return changes
    .toSorted((a, b) => a.start - b.start)
    .map((change) => ({
      ...change,
      file,
      line: text.slice(0, change.start).split('\n').length,
      original: text.slice(change.start, change.end),
    }));
}

function visit(node: Node, parent: Node | null, see: (node: Node, parent: Node | null) => void): void {
  if (node.type.startsWith('TS') && !WITH_EXPRESSION.has(node.type)) return;
  see(node, parent);
  for (const part of Object.values(node).flat()) if (isNode(part)) visit(part, node, see);
}

function changesOf(node: Node, parent: Node | null, text: string): Change[] {
  const { type, start, end } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') return changesOfOperator(node, text);
  if (type === 'UnaryExpression' && node.operator === '!')
    return [{ start, end: start + 1, replacement: '' }];
  if (type === 'ReturnStatement' && isNode(node.argument)) return [{ start, end, replacement: 'return;' }];
  if (type === 'ArrowFunctionExpression' && isNode(node.body) && node.body.type !== 'BlockStatement')
    return [{ start: node.body.start, end: node.body.end, replacement: ' undefined' }];
  if (type === 'Literal' && typeof node.value === 'boolean')
    return [{ start, end, replacement: String(!node.value) }];
  const isText = type === 'Literal' && typeof node.value === 'string' && node.value !== '';
  if (isText && !(parent && WITHOUT_TEXT.has(parent.type) && parent.value !== node))
    return [{ start, end, replacement: "''" }];
  return [];
}

function changesOfOperator({ operator, left, right }: Node, text: string): Change[] {
  const replacement = OPERATORS[String(operator)];
  if (replacement === undefined || !isNode(left) || !isNode(right)) return [];
  const start = text.indexOf(String(operator), left.end);
  return start < right.start ? [{ start, end: start + String(operator).length, replacement }] : [];
}
