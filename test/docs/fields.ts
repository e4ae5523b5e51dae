// The field reference, made from the API's description: `node test/docs/fields.ts` writes it anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApiDescription } from '../../src/http/openapi/document.ts';
import { ROUTES } from '../../src/http/server.ts';
import { DOCS_FOLDER } from '../../src/platform/assets.ts';
import type { Document, Json } from '../kit/openapi.ts';

const PARTS: [title: string, schema: string, text: string][] = [
  [
    'The request',
    'CheckRequest',
    'The current shape. Everything but the name may be left out. An unknown field is an error that names the nearest known one.',
  ],
  [
    'The legacy request',
    'LegacyCheckRequest',
    'The older shape, in the vocabulary of the identity graph: `nameAddresses` in place of `name` and `addresses`, `emailAddresses` and `phoneNumbers` in place of `emails` and `phones`. It is not deprecated, and the same person in either shape gets the same answer. The two may be mixed field by field; both forms of one field are refused.',
  ],
  [
    'The answer, version 1',
    'Check',
    'The default, frozen: no field, place or meaning changes any more. Each field of `input_validation` has a verdict that stands for all its values, and `inputs` with a row for each. Show the rows: the verdict of the field is the best of them.',
  ],
  [
    'The answer, version 2',
    'CheckV2',
    'Asked for with `?response=v2` or `Accept-Version: v2`. It is version 1 but for `response_version` and `input_validation`: plain lists of rows, under the names of the request, addresses in the words that were sent, booleans in place of `Yes` and `No`, three match statuses.',
  ],
  [
    'The explanations of an enhanced check',
    'EnhancedInsights',
    '`ai_insights` of `/v1/validate/enhanced`. With `?ai=true` on `/v1/validate` only `trust_enhancement` and `overview` are made, and the other two are null.',
  ],
  ['An earlier call', 'EarlierCall', 'What `GET /v1/requests/:id` answers.'],
  ['Usage', 'Usage', 'What `GET /v1/usage` answers.'],
  ['Readiness', 'Readiness', 'What `GET /readyz` answers, with 200 or 503.'],
  ['A problem', 'Problem', 'What every error answers; the codes are in [Calling the API](http.md#errors).'],
];

type Row = [field: string, type: string, meaning: string];

const DOCUMENT = buildApiDescription(ROUTES) as unknown as Document;
const nameOf = (schema: Json) =>
  typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
const resolved = (schema: Json): Json => DOCUMENT.components.schemas[nameOf(schema) ?? ''] ?? schema;
const options = (schema: Json) => (schema.anyOf ?? []) as Json[];

function typeOf(schema: Json): string {
  const own = resolved(schema);
  if (own.const !== undefined) return `\`${String(own.const)}\``;
  if (options(own).length > 0) return [...new Set(options(own).map(typeOf))].join(' or ');
  if (own.type === 'array') return `list of ${typeOf((own.items ?? {}) as Json)}`;
  if (Array.isArray(own.enum)) return own.enum.map((one) => `\`${String(one)}\``).join(', ');
  return typeof own.type === 'string' ? own.type : 'anything';
}

/** The fields of an object and of all below it, each reached by its path. */
function fieldsOf(schema: Json, at: string, told: Set<string>): Row[] {
  const own = resolved(schema);
  const properties = Object.entries((own.properties ?? {}) as Record<string, Json>);
  return properties.flatMap(([name, one]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const row: Row = [path, typeOf(one), String(one.description ?? resolved(one).description ?? '')];
    return [row, ...below(one, path, told)];
  });
}

function below(schema: Json, path: string, told: Set<string>): Row[] {
  const name = nameOf(schema);
  // A part that stands in several places is told where it comes first.
  if (name !== undefined && told.has(name)) return [];
  if (name !== undefined) told.add(name);
  const own = resolved(schema);
  if (own.type === 'array') return below((own.items ?? {}) as Json, `${path}[]`, told);
  return [...fieldsOf(own, path, told), ...options(own).flatMap((one) => below(one, path, told))];
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The whole page. */
export function fieldsPage(): string {
  const told = new Set<string>();
  const parts = PARTS.map(([title, name, text]) => {
    told.add(name);
    const rows = fieldsOf(DOCUMENT.components.schemas[name] ?? {}, '', told);
    const seen = new Set<string>();
    const fresh = rows.filter(([path]) => !seen.has(path) && seen.add(path));
    const shown =
      name === 'CheckV2'
        ? fresh.filter(([path]) => /^(response_version|input_validation)/.test(path))
        : fresh;
    const lines = shown.map((row) => `| \`${row[0]}\` | ${cell(row[1])} | ${cell(row[2])} |`);
    return `## ${title}\n\n${text}\n\n| field | type | meaning |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `${HEAD}\n${parts.join('\n')}`;
}

const HEAD = `# Field reference

Every field of requests and answers. It is made from the schemas that the server reads requests with and that
its answers are tested against (\`node test/docs/fields.ts\`); the same for programs is at \`/openapi.json\` of every
server, and at \`/docs/api\` it can be tried.

One score has one value: \`trustworthiness_score\`, \`combined_trust_score.final\`, \`identity_score.final\` and
\`trust_score.final\` are the same number. Three blocks tell how it came about:

| block | counts in | tells |
|---|---|---|
| \`identity_score\` | points of 0–100 | \`raw\`, what the matching evidence alone would give; \`bonuses\`, \`penalties\` and \`fraud_risk_penalty\` move it to \`adjusted\`; the bounds move that to \`final\` |
| \`trust_score\` | bits | \`raw\`, the sum of the evidence; \`reasons\`, each piece of it |
| \`combined_trust_score\` | points of 0–100 | \`pre_capped\`, the score before the bounds (\`identity_score.adjusted\`); \`final\`, after them; \`explanation\`, which bound applied |

A bound is a height that a score does not pass without certain evidence, such as 85 with one kind of contact
alone: see [Scoring](scoring.md). \`Unverified\` is no matching record, never a failed check.
`;

if (import.meta.main) writeFileSync(join(DOCS_FOLDER, 'fields.md'), fieldsPage());
