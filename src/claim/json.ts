import { BonafideError, type ValidationIssue } from '../errors.ts';
import { typoDistance } from '../normalise/typo.ts';
import { KNOWN_FIELDS } from './schema.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const invalid = (detail: string) => new BonafideError('invalid_json', detail);

/** What was sent, before anything is known of its fields: an object, and the rules that were found broken until then. */
export interface ParsedBody {
  value: Record<string, unknown>;
  issues: ValidationIssue[];
}

/**
 * Reads a body as one JSON object in UTF-8; a field that an object has twice is an issue. Never tells the parser's own words, which quote
 * the body.
 *
 * Errors: invalid_json, and invalid_request where it nests deeper than any request does.
 */
export function parseJsonObject(bytes: Uint8Array): ParsedBody {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw invalid('The body is not UTF-8.');
  }
  // First of all, and only as far as the depth that is too much: parsing what is nested by the thousand takes milliseconds.
  if (mayBeDeep(text) && isDeep(text))
    throw text.trimStart().startsWith('{') ? tooDeep() : invalid('The body is not a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(text.trim() === '' ? 'The body is empty.' : 'The body is not JSON.');
  }
  if (!isObject(value)) throw invalid('The body is JSON, but not an object.');
  return { value, issues: findDuplicateKeys(text) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A request needs four. */
const MOST_DEEP = 32;
/** Longer pointers end at a parent. */
const MAX_POINTER = 200;
const MAX_ISSUES = 50;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

function tooDeep(): BonafideError {
  const detail = `No request nests lists and objects more than ${MOST_DEEP} deep.`;
  return new BonafideError('invalid_request', 'The request breaks one rule.', {
    issues: [{ pointer: '', code: 'too_deep', detail }],
  });
}

/** Has a text more brackets than `MOST_DEEP` of a kind at all, strings included? Nearly none has, and to count them costs little. */
function mayBeDeep(text: string): boolean {
  return has(text, '{', MOST_DEEP / 2) || has(text, '[', MOST_DEEP / 2);
}

/** Is a character there more than `most` times? */
function has(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1))
    if (++count > most) return true;
  return false;
}

/** Does a text, JSON or not, open more brackets than `MOST_DEEP` at a time? What is looked for in it later would be found at length. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > MOST_DEEP) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
  }
  return false;
}

/** An object or a list that the walk is in. */
interface Level {
  path: string;
  /** Keys so far; null for a list. */
  keys: Set<string> | null;
  index: number;
  /** The key whose value comes next. */
  key: string;
}

/**
 * Fields that an object has twice. JSON.parse keeps the last one silently, which would silently weaken a check.
 * `text` must be valid JSON; this walks over its strings and brackets once, without recursion.
 */
export function findDuplicateKeys(text: string): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const levels: Level[] = [];
  for (let i = 0; i < text.length && issues.length < MAX_ISSUES; i++) {
    const level = levels.at(-1);
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = stringEnd(text, i);
        if (level?.keys && isKey(text, end)) noteKey(level, text.slice(i, end), issues);
        i = end - 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        levels.push(inside(level, text.charCodeAt(i) === OPEN_OBJECT));
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

function inside(outer: Level | undefined, isMap: boolean): Level {
  const step = outer === undefined ? '' : outer.keys ? toPointerToken(outer.key) : `/${outer.index}`;
  return { path: pointer(outer?.path ?? '', step), keys: isMap ? new Set() : null, index: 0, key: '' };
}

function isKey(text: string, end: number): boolean {
  let after = end;
  while (text.charCodeAt(after) <= 0x20) after++;
  return text.charCodeAt(after) === COLON;
}

function noteKey(level: Level, quoted: string, issues: ValidationIssue[]): void {
  level.key = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
  if (level.keys?.has(level.key)) issues.push(twice(pointer(level.path, toPointerToken(level.key))));
  else level.keys?.add(level.key);
}

const pointer = (path: string, step: string) =>
  path.length + step.length > MAX_POINTER ? path : path + step;

const twice = (path: string): ValidationIssue => ({
  pointer: path,
  code: 'duplicate_field',
  detail: 'This field is there more than once. Send it once.',
});

function stringEnd(text: string, start: number): number {
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

/**
 * A key as a reference token of a JSON Pointer (RFC 6901), slash included. A misplaced value may stand where a field's name belongs, so
 * only a known name, or a slip of one, is repeated; for any other key the pointer ends at its parent.
 */
export function toPointerToken(key: string): string {
  const isSlip = () => key.length >= 5 && NAMES.some((name) => typoDistance(key, name, 1) <= 1);
  return KNOWN.includes(key) || (/^\w{1,40}$/.test(key) && isSlip()) ? `/${key}` : '';
}

const KNOWN = [...new Set(Object.values(KNOWN_FIELDS).flat())];
/** With the singular of a list's name. */
const NAMES = [...KNOWN, 'email', 'phone', 'address'];
