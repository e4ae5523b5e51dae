// The field reference, generated from the API's description: `node test/docs/fields.ts` updates it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApiDescription } from '../../src/http/openapi/document.ts';
import { ROUTES } from '../../src/http/server.ts';
import { DOCS_FOLDER } from '../../src/platform/assets.ts';
import type { Document, Json } from '../kit/openapi.ts';

const PARTS: [title: string, schema: string, text: string][] = [
  ['The request', 'CheckRequest', 'Only the name is required. An unknown field is an error.'],
  [
    'The legacy request',
    'LegacyCheckRequest',
    'An older shape, which is not deprecated. The other fields are those above. The shapes may be mixed; both forms of one field are an error.',
  ],
  [
    'The answer, version 1',
    'Check',
    'The default. It is frozen: no field changes its place or meaning. [Reasons](reasons.md) explains `raw.explanation`.',
  ],
  [
    'The answer, version 2',
    'CheckV2',
    'Requested with `?response=v2` or `Accept-Version: v2`. `name`, `emails`, `phones` and `addresses` of `input_validation` are lists of rows, one for each value in the order of the request. The table lists only what differs from version 1.',
  ],
  [
    'The explanations of an enhanced check',
    'EnhancedInsights',
    '`ai_insights` of `/v1/validate/enhanced`. With `?ai=true` on `/v1/validate`, only `trust_enhancement` and `overview` are made, and the other two are null. [AI features](ai-features.md#guard-and-errors) lists the error codes.',
  ],
  ['An earlier call', 'EarlierCall', 'The answer of `GET /v1/requests/:id`.'],
  ['Usage', 'Usage', 'The answer of `GET /v1/usage`.'],
  ['Readiness', 'Readiness', 'The answer of `GET /readyz`, with 200 or 503.'],
  ['A problem', 'Problem', 'The answer of every error. [Calling the API](http.md#errors) lists the codes.'],
];

type Row = [field: string, type: string, meaning: string];

const DOCUMENT = buildApiDescription(ROUTES) as unknown as Document;
const nameOf = (schema: Json) =>
  typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
const resolved = (schema: Json): Json => DOCUMENT.components.schemas[nameOf(schema) ?? ''] ?? schema;
/** Returns the alternatives of a schema. Leaves out values that count as absent or as the default: blank texts, and any other value. */
const options = (schema: Json) =>
  ((schema.anyOf ?? []) as Json[]).filter(
    (one) => Object.keys(one).length > 0 && one.pattern !== String.raw`^\s*$`,
  );

/** A list of more values than this is on another page. */
const LONG_LIST = 8;

const isTypeName = (type: string) => /^\w+(\[\])*$/.test(type);

function typeOf(schema: Json): string {
  const own = resolved(schema);
  if (own.const !== undefined) return `\`${String(own.const)}\``;
  if (options(own).length > 0) {
    const types = [...new Set(options(own).map(typeOf))];
    const [type = '', other] = types.filter((one) => one !== 'null');
    if (other === undefined && isTypeName(type) && types.includes('null')) return `${type}?`;
    return types.join(' or ');
  }
  if (own.type === 'array') {
    const type = typeOf((own.items ?? {}) as Json);
    return isTypeName(type) ? `${type}[]` : `list of ${type}`;
  }
  if (Array.isArray(own.enum) && own.enum.length > LONG_LIST) return 'string';
  if (Array.isArray(own.enum)) return own.enum.map((one) => `\`${String(one)}\``).join(', ');
  return typeof own.type === 'string' ? own.type : 'anything';
}

/** Returns the fields of an object and of all nested objects, each with its path. */
function fieldsOf(schema: Json, at: string, listed: Set<string>): Row[] {
  const own = resolved(schema);
  const properties = Object.entries((own.properties ?? {}) as Record<string, Json>);
  return properties.flatMap(([name, one]) => {
    const path = at === '' ? name : `${at}.${name}`;
    // The name of a block in the block itself, so that the rows of all blocks are merged.
    const type = resolved(one).const === at.split('.').at(-1) ? 'string' : typeOf(one);
    const row: Row = [path, type, String(one.description ?? resolved(one).description ?? '')];
    return [row, ...below(one, path, listed)];
  });
}

function below(schema: Json, path: string, listed: Set<string>): Row[] {
  const name = nameOf(schema);
  // A part that is used in several places is listed at the first one.
  if (name !== undefined && listed.has(name)) return [];
  if (name !== undefined) listed.add(name);
  const own = resolved(schema);
  if (own.type === 'array') return below((own.items ?? {}) as Json, `${path}[]`, listed);
  return [...fieldsOf(own, path, listed), ...options(own).flatMap((one) => below(one, path, listed))];
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Meanings of more words than this are written once; later rows with the same meaning refer to the first one. */
const LONG_MEANING = 8;

/** Meanings of at most this many words share a row with those of adjacent fields. */
const SHORT_MEANING = 5;

/** An object whose meaning has fewer words than this has no row, because its fields name it. */
const PARENT_MEANING = 6;

const isLong = (meaning: string) => meaning.split(' ').length > LONG_MEANING;

/** Merges rows that differ in one part of the path only: `a.b.status` and `a.c.status` become `a.{b,c}.status`. */
function mergeRows(rows: Row[]): Row[] {
  const isParent = (path: string) =>
    rows.some(([other]) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  const merged: { parts: string[][]; row: Row }[] = [];
  for (const row of rows) {
    const parts = row[0].split('.').map((part) => [part]);
    const target = merged.find(
      ({ parts: known, row: [, type, meaning] }) =>
        type === row[1] &&
        meaning === row[2] &&
        known.length === parts.length &&
        known.filter((names, i) => names.join() !== parts[i]?.join()).length === 1 &&
        // Parents of other rows are not merged.
        (known.at(-1)?.join() === parts.at(-1)?.join() || !isParent(row[0])),
    );
    const at = target?.parts.findIndex((names, i) => names.join() !== parts[i]?.join()) ?? -1;
    if (target) target.parts[at]?.push(...(parts[at] ?? []));
    else merged.push({ parts, row });
  }
  const toPath = (parts: string[][]) =>
    parts.map((names) => (names.length > 1 ? `{${names.join()}}` : names[0])).join('.');
  return merged.map(({ parts, row: [, type, meaning] }) => [toPath(parts), type, meaning]);
}

/** Merges adjacent fields of one object that have one type and short meanings: the meanings are in the order of the fields. */
function mergeShortRows(rows: Row[]): Row[] {
  const merged: { parent: string; names: string[]; type: string; meaning: string; isShort: boolean }[] = [];
  for (const [path, type, meaning] of rows) {
    const [, parent = '', name = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? [];
    const isShort =
      meaning.split(' ').length <= SHORT_MEANING && /^(string|integer|number|boolean)\??$/.test(type);
    const last = merged.at(-1);
    if (isShort && last?.isShort && last.parent === parent && last.type === type) {
      last.names.push(name);
      last.meaning += ` ${meaning}`;
    } else merged.push({ parent, names: [name], type, meaning, isShort });
  }
  return merged.map(({ parent, names, type, meaning }) => [
    parent + (names.length > 1 ? `{${names.join()}}` : names.join()),
    type,
    meaning,
  ]);
}

/** Replaces long meanings that an earlier row of the page has by a reference to it: `first` has the path of each meaning. */
function shortenRepeated(rows: Row[], first: Map<string, string>): Row[] {
  return rows.map(([path, type, meaning]) => {
    const earlier = first.get(meaning);
    if (isLong(meaning) && earlier !== undefined) {
      return [path, type, earlier === path ? 'As above.' : `As \`${earlier}\`.`];
    }
    first.set(meaning, path);
    return [path, type, meaning];
  });
}

/** Returns true for an object whose fields have rows that say everything that its row would. */
const isPlainParent = ([path, type, meaning]: Row, rows: Row[]): boolean =>
  /^object(\[\])?\??$/.test(type) &&
  meaning.split(' ').length < PARENT_MEANING &&
  rows.some(([other]) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));

/** Rows with one key are the same field in another place. */
const keyOf = ([path, type, meaning]: Row): string => [path.split('.').at(-1), type, meaning].join('|');

/** Returns the rows of a section: version 2 without the fields of version 1, the legacy request without those of the request. */
function rowsOfPart(name: string, rows: Row[]): Row[] {
  if (name === 'CheckV2') {
    const before = new Set(fieldsOf(DOCUMENT.components.schemas.Check ?? {}, '', new Set()).map(keyOf));
    return rows.filter(
      (row) =>
        /^(response_version|input_validation\.\w+(\[\])?\.)/.test(row[0]) &&
        (/addresses/.test(row[0]) || !before.has(keyOf(row))),
    );
  }
  if (name === 'Check') return rows.filter(([path]) => !path.startsWith('raw.explanation'));
  const isLegacy = ([path]: Row) => /^(nameAddresses|emailAddresses|phoneNumbers)/.test(path);
  if (name === 'CheckRequest') return rows.filter((row) => !isLegacy(row));
  return name === 'LegacyCheckRequest' ? rows.filter(isLegacy) : rows;
}

/** Returns the whole page. */
export function fieldsPage(): string {
  const listed = new Set<string>();
  const first = new Map<string, string>();
  const parts = PARTS.map(([title, name, text]) => {
    listed.add(name);
    const all = fieldsOf(
      DOCUMENT.components.schemas[name] ?? {},
      '',
      // Both requests have the fields of both shapes, and each section lists some of them.
      name.endsWith('CheckRequest') ? new Set() : listed,
    );
    const seen = new Set<string>();
    const rows = rowsOfPart(
      name,
      all.filter(([path]) => !seen.has(path) && seen.add(path)),
    );
    const merged = mergeShortRows(mergeRows(rows.filter((row) => !isPlainParent(row, rows))));
    const lines = shortenRepeated(merged, first).map(
      ([path, type, meaning]) => `| \`${path}\` | ${cell(type)} | ${cell(meaning)} |`,
    );
    return `## ${title}\n\n${text}\n\n| field | type | meaning |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `${HEAD}\n${parts.join('\n')}`;
}

const HEAD = `# Field reference

Every field of requests and answers. [Calling the API](http.md) explains how to use them. \`/openapi.json\` of every server has the same for
programs.

\`a.{b,c}.d\` means the fields \`a.b.d\` and \`a.c.d\`; their short meanings are in the same order. \`string[]\` is a list, and \`string?\` may be
null. “As …” refers to a row above.

\`trustworthiness_score\` and the three \`final\` are the same number. \`trust_score\` explains it in bits, the other two blocks in points of 0
to 100.
`;

if (import.meta.main) writeFileSync(join(DOCS_FOLDER, 'fields.md'), fieldsPage());
