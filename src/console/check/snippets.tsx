// The same request for a program: curl, TypeScript, Python.
import { useState } from 'preact/hooks';
import { Card, Code, Tabs } from '../parts/parts.tsx';
import type { CheckRequest } from './request.ts';

type Language = 'curl' | 'ts' | 'python' | 'json';

export function Snippets({ path, body, answer }: { path: string; body: CheckRequest; answer: unknown }) {
  const [language, setLanguage] = useState<Language>('curl');
  const text = { curl: curl, ts: typescript, python, json: () => JSON.stringify(answer, null, 2) }[language](
    path,
    body,
  );
  return (
    <Card title="For programs" about="The same request, with a key of your own in BONAFIDE_KEY.">
      <Tabs
        label="Language"
        tabs={[
          ['curl', 'curl'],
          ['ts', 'TypeScript'],
          ['python', 'Python'],
          ['json', 'The answer as JSON'],
        ]}
        chosen={language}
        choose={(tab) => setLanguage(tab)}
      >
        <Code text={text} label={language === 'json' ? 'The answer as JSON' : 'The request'} />
      </Tabs>
    </Card>
  );
}

const curl = (path: string, body: CheckRequest) =>
  `curl -s '${location.origin}${path}' \\\n  -H "X-API-Key: $BONAFIDE_KEY" -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;

function typescript(path: string, body: CheckRequest): string {
  const call = path.includes('enhanced') ? 'validateEnhanced' : 'validate';
  const ai = path.includes('ai=true') ? ', { ai: true }' : '';
  return `import { createClient } from 'bonafide/client';

const bonafide = createClient({ url: '${location.origin}', key: process.env.BONAFIDE_KEY ?? '' });
const check = await bonafide.${call}(${JSON.stringify(body, null, 2)}${ai});
console.log(check.trustworthiness_score, check.status, check.request_id);`;
}

const python = (path: string, body: CheckRequest) => `import json, os, urllib.request

person = ${pythonText(body)}
request = urllib.request.Request(
    "${location.origin}${path}",
    data=json.dumps(person).encode(),
    headers={"X-API-Key": os.environ["BONAFIDE_KEY"], "Content-Type": "application/json"},
)
with urllib.request.urlopen(request, timeout=30) as answer:
    check = json.load(answer)
print(check["trustworthiness_score"], check["status"], check["request_id"])`;

/** JSON is Python but for three words, none of which is a value of a text here: those stay in their quotes. */
const pythonText = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /: (true|false|null)(?=[,\n])/g,
    (_, word: string) => `: ${{ true: 'True', false: 'False', null: 'None' }[word]}`,
  );
