import { BonafideError, type ValidationIssue, resultOr } from '../errors.ts';
import { toJsonPointerTokenIfKnown } from './fields.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const invalidJsonError = (detail: string) => new BonafideError('invalid_json', detail);

/** Request body that is a JSON object, with the problems found so far. Its fields are not checked yet. */
export interface ParsedBody {
  value: Record<string, unknown>;
  issues: ValidationIssue[];
}

/**
 * Parses a request body that must be one JSON object in UTF-8. Reports a field that occurs twice in an object in `issues`. Errors: `invalid_json`;
 * `invalid_request` if the body is nested too deep or has more than `maxParts` fields, lists and objects. No error contains the parser's message,
 * because it quotes the body.
 */
export function parseJsonObject(bytes: Uint8Array, maxParts = Infinity): ParsedBody {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw invalidJsonError('The body is not UTF-8. Encode it as UTF-8.');
  }
  // Depth and parts are checked before parsing, because parsing thousands of levels or fields takes long.
  const issues = findDuplicateFieldIssues(text, maxParts);
  if (issues === null)
    throw text.trimStart().startsWith('{')
      ? tooDeepError()
      : invalidJsonError('The body is not a JSON object. Send the fields of the request as an object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJsonError(text.trim() === '' ? 'The body is empty.' : 'The body is not JSON.');
  }
  if (!isObject(value)) throw invalidJsonError('The body is JSON, but not an object.');
  return { value, issues };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum depth of nested lists and objects. A request needs four levels. */
const MAX_DEPTH = 32;
/** Maximum number of fields, lists and objects in the request body of one check. A check with every field and full lists has about 600. */
export const MAX_CHECK_REQUEST_JSON_NODES = 700;
/** Maximum length of a JSON Pointer in characters. A longer pointer is replaced by the pointer to a parent. */
const MAX_POINTER = 200;
const MAX_ISSUES = 50;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

const brokenBoundError = (code: string, detail: string) =>
  new BonafideError('invalid_request', 'The request has one error; see `errors`.', {
    issues: [{ pointer: '', code, detail }],
  });
const tooDeepError = () =>
  brokenBoundError('too_deep', `Lists and objects may be nested ${MAX_DEPTH} deep at most.`);
const tooManyPartsError = (max: number) =>
  brokenBoundError('too_many', `A body may have at most ${max} fields, lists and objects.`);

/** Object or list that is open at the current position of the scan. */
interface Level {
  path: string;
  /** Keys of the object that were read so far; null for a list. */
  keys: Set<string> | null;
  index: number;
  key: string;
  /** True inside the field `intent`, where any JSON is allowed. */
  isInIntent: boolean;
}

/**
 * Returns an issue for each field that occurs twice in an object, because JSON.parse would silently keep only the last one. Null if the text is
 * nested too deep. Scans the text once, without recursion; the text may be invalid JSON. Errors: `invalid_request` for more than `maxParts` fields,
 * lists and objects.
 */
export function findDuplicateFieldIssues(text: string, maxParts = Infinity): ValidationIssue[] | null {
  const issues: ValidationIssue[] = [];
  let parts = 0;
  const levels: Level[] = [];
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1);
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = findStringEnd(text, i);
        if (level?.keys && isKey(text, end)) {
          if (++parts > maxParts) throw tooManyPartsError(maxParts);
          addKey(level, text.slice(i, end), issues);
        }
        i = end - 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (levels.length === MAX_DEPTH) return null;
        if (++parts > maxParts) throw tooManyPartsError(maxParts);
        levels.push(openLevel(level, text.charCodeAt(i) === OPEN_OBJECT));
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        levels.pop();
        break;
      case COMMA:
        if (level) level.index++;
    }
  }
  return issues;
}

function openLevel(outer: Level | undefined, isMap: boolean): Level {
  const step =
    outer === undefined ? '' : outer.keys ? toJsonPointerTokenIfKnown(outer.key) : `/${outer.index}`;
  return {
    path: appendToPointer(outer?.path ?? '', step),
    keys: isMap ? new Set() : null,
    index: 0,
    key: '',
    isInIntent: outer?.isInIntent === true || outer?.key === 'intent',
  };
}

function isKey(text: string, end: number): boolean {
  let after = end;
  while (text.charCodeAt(after) <= 0x20) after++;
  return text.charCodeAt(after) === COLON;
}

function addKey(level: Level, quoted: string, issues: ValidationIssue[]): void {
  level.key = unquote(quoted);
  if (!level.keys?.has(level.key)) level.keys?.add(level.key);
  else if (!level.isInIntent && issues.length <= MAX_ISSUES)
    issues.push(duplicateFieldIssue(appendToPointer(level.path, toJsonPointerTokenIfKnown(level.key))));
}

function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  return resultOr(() => JSON.parse(quoted), quoted);
}

const appendToPointer = (path: string, step: string) =>
  path.length + step.length > MAX_POINTER ? path : path + step;

const duplicateFieldIssue = (path: string): ValidationIssue => ({
  pointer: path,
  code: 'duplicate_field',
  detail: 'This field occurs more than once. Send it once.',
});

function findStringEnd(text: string, start: number): number {
  let end = start + 1;
  while (true) {
    end = text.indexOf('"', end);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    end++;
    if (slashes % 2 === 0) return end;
  }
}
