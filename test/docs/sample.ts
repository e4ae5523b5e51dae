// The page of the sample people, generated from answers of the program: `node test/docs/sample.ts` updates it.
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheckWithoutServer } from '../../src/app/local-checks.ts';
import { loadConfig } from '../../src/config.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { importRecords } from '../../src/import.ts';
import { DOCS_FOLDER, SAMPLE_FOLDER } from '../../src/platform/assets.ts';

/** One person of the sample: the request, and what the person is an example of. */
export interface SamplePerson {
  shows: string;
  request: { name: string; emails?: string[]; phones?: string[]; addresses?: object[] };
}

export const PEOPLE = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'people.json'), 'utf8')) as SamplePerson[];

type Content = Awaited<ReturnType<typeof runCheckWithoutServer>>['content'];

/** Returns the answer to each person's request, from the sample graph in a temporary folder. */
export async function sampleAnswers(): Promise<Content[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bonafide-sample-'));
  try {
    const graph = openSqliteGraph({ dataDir });
    const stream = createReadStream(join(SAMPLE_FOLDER, 'graph.jsonl'));
    await importRecords({ graph, inputs: [{ name: 'graph.jsonl', stream, bytes: null }], region: 'US' });
    await graph.close();
    const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir } });
    const answers: Content[] = [];
    for (const { request } of PEOPLE) answers.push((await runCheckWithoutServer(config, request)).content);
    return answers;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Returns the submitted fields in the order of the answer, with their match statuses. */
export function matches({ input_validation: rows }: Content): [field: string, status: string][] {
  const listed = [rows.email, rows.phone, ...(rows.address ? [rows.address] : [])];
  const names: [string, string][] = [['name', rows.name.match_status ?? '']];
  const fields = ['email', 'phone', 'address'];
  return names.concat(
    listed.flatMap(({ inputs }, i) =>
      inputs.map((one, at): [string, string] => [
        inputs.length > 1 ? `${fields[i]} ${at + 1}` : (fields[i] ?? ''),
        one.match_status,
      ]),
    ),
  );
}

/** Returns the generated part of the page, below its heading. */
export function samplePage(answers: Content[]): string {
  const rows = answers.map((answer, i) => {
    const person = PEOPLE[i];
    const verdict = answer.message.split(':')[0] ?? '';
    const flag = answer.possible_catfish ? 'yes' : '';
    return `| [${i + 1}](#${i + 1}) | ${person?.request.name} | ${person?.shows} | ${answer.trustworthiness_score} | ${verdict} | ${flag} |`;
  });
  return `${HEAD}
| | name | shows | score | verdict | \`possible_catfish\` |
|---|---|---|---|---|---|
${rows.join('\n')}

${answers.map((answer, i) => personText(answer, i)).join('\n')}`;
}

function personText(answer: Content, i: number): string {
  const { status, confidence_level, message, insights } = answer;
  return `## ${i + 1}

\`\`\`json
${toShortJson(PEOPLE[i]?.request ?? {})}
\`\`\`

\`match_status\`: ${matchesText(answer)}.

\`\`\`json
${toShortJson({ status, confidence_level, message, insights })}
\`\`\`
`;
}

/** Returns the match statuses of an answer, each with its fields: *Primary Match*: name, email 1. */
function matchesText(answer: Content): string {
  const fields = Map.groupBy(matches(answer), ([, status]) => status);
  return [...fields]
    .map(([status, of]) => `*${status}*: ${of.map(([field]) => field).join(', ')}`)
    .join('; ');
}

/** Returns an object as JSON with one field per line. */
const toShortJson = (object: object): string =>
  `{\n${Object.entries(object)
    .map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`)
    .join(',\n')}\n}`;

const HEAD = `# Sample people

Invented people with fixed answers, for tests of your integration: one for every verdict, match status and principal reason.

    curl -s http://127.0.0.1:8787/v1/validate -H 'X-API-Key: bf_test_…' -H 'Content-Type: application/json' -d '{"name":"Nora Ellingsworth"}'

Every server answers [test keys](operating.md#keys) (\`bf_test_…\`) from these people, and so does the demo. Send a request below to
\`/v1/validate\`: the answer has the score and flag of the table, and the fields below the request. A new version of the scoring model
can change scores: see [Changes](changes.md).
`;

if (import.meta.main) writeFileSync(join(DOCS_FOLDER, 'sample.md'), samplePage(await sampleAnswers()));
