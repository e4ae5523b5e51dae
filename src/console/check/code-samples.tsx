import { useState } from 'preact/hooks';
import type { CheckAnswer, CheckRequest } from '../app/types.ts';
import { RadioGroup } from '../components/form.tsx';
import { Card, CodeBlock } from '../components/layout.tsx';

const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python', json: 'Response JSON' };

export function CodeSamples({
  path,
  body,
  answer,
}: {
  path: string;
  body: CheckRequest;
  answer: CheckAnswer;
}) {
  const [language, setLanguage] = useState<keyof typeof LANGUAGES>('curl');
  const samples = {
    curl: () => toCurl(path, body),
    typescript: () => toTypeScript(path, body),
    python: () => toPython(path, body),
    json: () => JSON.stringify(answer, null, 2),
  };
  return (
    <Card title="Code samples" about="The same request, with your API key in BONAFIDE_KEY.">
      <RadioGroup
        label="Language"
        isLabelHidden
        value={language}
        options={LANGUAGES}
        onChange={setLanguage}
      />
      <CodeBlock text={samples[language]()} label={language === 'json' ? 'Response JSON' : 'Request'} />
    </Card>
  );
}

function toCurl(path: string, body: CheckRequest): string {
  const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return `curl -s '${location.origin}${path}' \\
  -H "X-API-Key: $BONAFIDE_KEY" -H 'Content-Type: application/json' \\
  -d '${data}'`;
}

function toTypeScript(path: string, body: CheckRequest): string {
  const call = path.includes('enhanced') ? 'validateEnhanced' : 'validate';
  const ai = path.includes('ai=true') ? ', { ai: true }' : '';
  return `import { createClient } from 'bonafide/client';

const bonafide = createClient({ url: '${location.origin}', key: process.env.BONAFIDE_KEY ?? '' });
const check = await bonafide.${call}(${JSON.stringify(body, null, 2)}${ai});
console.log(check.trustworthiness_score, check.status, check.request_id);`;
}

const toPython = (path: string, body: CheckRequest) => `import json, os, urllib.request

person = ${toPythonLiteral(body)}
request = urllib.request.Request(
    "${location.origin}${path}",
    data=json.dumps(person).encode(),
    headers={"X-API-Key": os.environ["BONAFIDE_KEY"], "Content-Type": "application/json"},
)
with urllib.request.urlopen(request, timeout=30) as answer:
    check = json.load(answer)
print(check["trustworthiness_score"], check["status"], check["request_id"])`;

/** Formats a request body as a Python literal. */
const toPythonLiteral = (body: CheckRequest): string =>
  JSON.stringify(body, null, 4)
    .replaceAll(/^( +(?:"\w+": )?)false(?=,?$)/gm, '$1False')
    .replaceAll(/^( +)null(?=,?$)/gm, '$1None');
