import { useRef, useState } from 'preact/hooks';
import { postJson, ApiProblem } from '../app/api.ts';
import { useAction, useResource } from '../app/hooks.ts';
import type { CheckAnswer, ApiKey, ConsoleSession, RecordSourceSummary } from '../app/types.ts';
import { EmptyState, ErrorNote, Note } from '../components/feedback.tsx';
import { formatDuration } from '../components/format.ts';
import { Card, PageHeader } from '../components/layout.tsx';
import { toVerdictDisplay } from './answer.ts';
import { CodeSamples } from './code-samples.tsx';
import { type CheckExample, CHECK_EXAMPLES, SAMPLE_RECORD_SOURCES } from './examples.ts';
import { PeopleFileCheckCard } from './file.tsx';
import { PersonForm } from './form.tsx';
import { AiExplanation } from './insights.tsx';
import {
  type CheckForm,
  EMPTY_CHECK_FORM,
  type PersonValues,
  type CheckHttpRequest,
  toFormValues,
  toCheckHttpRequest,
} from './request.ts';
import {
  EvidenceCard,
  SeenPeriodsCard,
  ScoreObservationsNote,
  ScoreCard,
  SubmittedValuesCard,
} from './verdict.tsx';

/** Request fields whose errors are shown next to the form field. */
const FORM_FIELDS = new Set(['name', 'emails', 'phones', 'addresses']);

interface CheckResult {
  sent: CheckHttpRequest;
  answer: CheckAnswer;
  ms: number;
}

function useIsDemo(): boolean {
  const { data } = useResource<{ items: RecordSourceSummary[] }>('/admin/v1/graph/sources');
  const sources = data?.items.map(({ source }) => source) ?? [];
  return (
    sources.length === SAMPLE_RECORD_SOURCES.length &&
    sources.every((source) => SAMPLE_RECORD_SOURCES.includes(source))
  );
}

function useCanCheck(): boolean {
  const { data: session } = useResource<ConsoleSession>('/console/session');
  const { data: key } = useResource<ApiKey>(session?.key ? `/admin/v1/keys/${session.key}` : null);
  return key === null || key.scopes.includes('validate');
}

export default function CheckPage() {
  const [form, setForm] = useState(EMPTY_CHECK_FORM);
  const [result, setResult] = useState<CheckResult | null>(null);
  const [selected, setSelected] = useState<CheckExample | null>(null);
  const column = useRef<HTMLDivElement>(null);
  const { isRunning, problem, run } = useAction();
  const isDemo = useIsDemo();
  const canCheck = useCanCheck();

  const check = (values: CheckForm) =>
    run(async () => {
      const request = toCheckHttpRequest(values);
      const start = performance.now();
      const answer = await sendCheck(request);
      setResult({ sent: request, answer, ms: performance.now() - start });
      // On a narrow screen, the result is far below the form, so the page scrolls to the result.
      requestAnimationFrame(() => {
        if ((column.current?.getBoundingClientRect().top ?? 0) > innerHeight * 0.6)
          column.current?.scrollIntoView({ block: 'start' });
      });
    });
  const select = (example: CheckExample) => {
    const next = { ...form, ...toFormValues(example.person), intent: example.intent ?? 'general' };
    setForm(next);
    setSelected(example);
    void check(next);
  };
  const open = (person: PersonValues) => {
    const next = { ...form, ...toFormValues(person) };
    change(next);
    void check(next).then(() => column.current?.scrollIntoView({ block: 'start' }));
  };
  const change = (next: CheckForm) => {
    setForm(next);
    setSelected(null);
  };
  return (
    <>
      <PageHeader
        title="Check"
        about="Checks whether a name, e-mails, phones and addresses belong together and to one person."
      />
      {canCheck ? null : <NoCheckScope />}
      <div class="check-page">
        <PersonForm
          form={form}
          onChange={change}
          submit={() => void check(form)}
          isRunning={isRunning}
          canCheck={canCheck}
          errors={problem?.errors ?? []}
        />
        <div class="stack loose" ref={column} aria-busy={isRunning}>
          <ErrorNote problem={problem} shownAtField={FORM_FIELDS} />
          <div class="visually-hidden" role="status">
            {result && !isRunning ? describeResult(result.answer) : ''}
          </div>
          {result ? <Result {...result} /> : null}
          {isDemo ? <Examples selected={selected} select={select} disabled={isRunning || !canCheck} /> : null}
          {result ? null : <NoResult />}
          <PeopleFileCheckCard canCheck={canCheck} onOpen={open} />
        </div>
      </div>
    </>
  );
}

const NoCheckScope = () => (
  <Note tone="care">
    Your API key has no scope <code>validate</code>, so it cannot check people. Create a key with the scopes{' '}
    <code>admin</code>, <code>validate</code> and <code>raw</code> under{' '}
    <a href="/console/keys">Accounts &amp; keys</a>, or sign in with <code>bonafide console link</code>.
  </Note>
);

/** Sends a check with `operation: raw`; without it if the API key lacks the scope `raw`. */
async function sendCheck({ path, body }: CheckHttpRequest): Promise<CheckAnswer> {
  try {
    return await postJson<CheckAnswer>(path, { ...body, operation: 'raw' });
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'forbidden') return postJson<CheckAnswer>(path, body);
    throw error;
  }
}

const describeResult = (answer: CheckAnswer) =>
  `Score ${answer.trustworthiness_score}, ${toVerdictDisplay(answer).label}. ${answer.summary}`;

const Result = ({ sent, answer, ms }: CheckResult) => (
  <>
    <ScoreCard answer={answer} />
    <EvidenceCard answer={answer} />
    <SubmittedValuesCard answer={answer} />
    <ScoreObservationsNote answer={answer} />
    <SeenPeriodsCard answer={answer} />
    <AiExplanation answer={answer} />
    <CodeSamples path={sent.path} body={sent.body} answer={answer} />
    <p class="small faint row wrap">
      <a class="mono" href={`/console/requests?id=${answer.request_id}`}>
        {answer.request_id}
      </a>
      <span>Response time: {formatDuration(ms)}</span>
      {answer.raw ? <span>Scoring model: {answer.raw.scoring_model}</span> : null}
    </p>
  </>
);

const NoResult = () => (
  <Card flat>
    <EmptyState title="No result yet">
      <p>
        Enter a name and the contact details that are said to belong to it. A value without a record counts
        neither for nor against the person.
      </p>
    </EmptyState>
  </Card>
);

interface ExamplesProps {
  selected: CheckExample | null;
  select(example: CheckExample): void;
  disabled: boolean;
}

const Examples = ({ selected, select, disabled }: ExamplesProps) => (
  <section class="stack" aria-labelledby="examples">
    <Note tone="accent">
      <span id="examples">
        This graph contains sample people only. Select an example to check one of them.
      </span>
    </Note>
    <div class="examples">
      {CHECK_EXAMPLES.map((example) => (
        <button
          type="button"
          class="example"
          key={example.title}
          aria-pressed={selected === example}
          disabled={disabled}
          onClick={() => select(example)}
        >
          <strong>{example.title}</strong>
          <span class="small soft">{example.about}</span>
        </button>
      ))}
    </div>
  </section>
);
