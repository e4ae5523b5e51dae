import { useRef, useState } from 'preact/hooks';
import { post, Problem } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import type { Session } from '../app/gate.tsx';
import { Empty, Note, PageHead, Trouble } from '../parts/parts.tsx';
import { msText } from '../parts/text.ts';
import { verdictOf } from './answer.ts';
import type { Answer } from './answer.ts';
import { CASES, SAMPLE_SOURCES } from './cases.ts';
import type { Case } from './cases.ts';
import { CheckForm } from './form.tsx';
import { AiInsights } from './insights.tsx';
import { draftOf, EMPTY, requestOf } from './request.ts';
import type { Asked, Draft } from './request.ts';
import { Snippets } from './snippets.tsx';
import { Times } from './times.tsx';
import { Insights, ScoreCard, Values, Waterfall } from './verdict.tsx';

interface Done {
  asked: Asked;
  answer: Answer;
  ms: number;
}

/** Whether the graph holds the invented people of the demo, and nobody else. */
function useDemo(): boolean {
  const { data } = useLoad<{ items: { source: string }[] }>('/admin/v1/graph/sources');
  const sources = data?.items.map(({ source }) => source) ?? [];
  return (
    sources.length === SAMPLE_SOURCES.length && sources.every((source) => SAMPLE_SOURCES.includes(source))
  );
}

/** Whether the key of the session may not check people: better said before somebody has filled in the form. */
function useMayNot(): boolean {
  const { data: session } = useLoad<Session>('/console/session');
  const { data: key } = useLoad<{ scopes: string[] }>(session?.key ? `/admin/v1/keys/${session.key}` : null);
  return key !== null && !key.scopes.includes('validate');
}

export function CheckPage() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [done, setDone] = useState<Done | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  const act = useAct();
  const demo = useDemo();
  const mayNot = useMayNot();

  const check = (from: Draft) =>
    void act.run(async () => {
      const request = requestOf(from);
      setAsked(request);
      const started = performance.now();
      const answer = await answerTo(request);
      setDone({ asked: request, answer, ms: performance.now() - started });
      // On a narrow page the verdict is far below the form.
      requestAnimationFrame(() => {
        if ((shown.current?.getBoundingClientRect().top ?? 0) > innerHeight * 0.6)
          shown.current?.scrollIntoView({ block: 'start' });
      });
    });
  const choose = (one: Case) => {
    const next = draftOf(one.request, draft);
    setDraft(next);
    setChosen(one.title);
    check(next);
  };
  const change = (next: Draft) => {
    setDraft(next);
    setChosen(null);
  };
  return (
    <>
      <PageHead
        title="Check"
        about="How far a name, e-mails, phones and addresses belong together, and to that person."
      />
      {mayNot ? <MayNot /> : null}
      {demo ? <Cases chosen={chosen} choose={choose} busy={act.busy || mayNot} /> : null}
      <div class="check-page">
        <CheckForm
          draft={draft}
          change={change}
          submit={() => check(draft)}
          busy={act.busy}
          mayNot={mayNot}
          broken={act.problem?.errors ?? []}
          asked={asked}
        />
        <div class="stack loose" ref={shown} aria-busy={act.busy}>
          <Trouble problem={act.problem} beside={['name', 'emails', 'phones', 'addresses']} />
          <div class="unseen" role="status">
            {done && !act.busy ? spoken(done.answer) : ''}
          </div>
          {done ? <Verdict done={done} /> : <Nothing />}
        </div>
      </div>
    </>
  );
}

const MayNot = () => (
  <Note tone="care">
    The key that you signed in with may administer, and not check people: it has not the scope{' '}
    <code>validate</code>. Make one with <code>admin</code>, <code>validate</code> and <code>raw</code> under{' '}
    <a href="/console/keys">Accounts &amp; keys</a>, or sign in with <code>bonafide console link</code>.
  </Note>
);

/** With the evidence where the key may see it. */
async function answerTo({ path, body }: Asked): Promise<Answer> {
  try {
    return await post<Answer>(path, { ...body, operation: 'raw' });
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') return post<Answer>(path, body);
    throw error;
  }
}

const spoken = (answer: Answer) =>
  `Score ${answer.trustworthiness_score}, ${verdictOf(answer).word}. ${answer.summary}`;

const Verdict = ({ done: { answer, asked, ms } }: { done: Done }) => (
  <>
    <ScoreCard answer={answer} />
    <Waterfall answer={answer} />
    <Values answer={answer} />
    <Insights answer={answer} />
    <Times answer={answer} />
    <AiInsights answer={answer} />
    <Snippets path={asked.path} body={asked.body} answer={answer} />
    <p class="small faint row wrap">
      <a class="mono" href={`/console/requests?id=${answer.request_id}`}>
        {answer.request_id}
      </a>
      <span>answered in {msText(ms)}</span>
      {answer.raw ? <span>scoring model {answer.raw.scoring_model}</span> : null}
    </p>
  </>
);

const Nothing = () => (
  <div class="card flat">
    <Empty title="No verdict yet">
      <p>
        Fill in a name and what is said to belong to it. More values are more evidence, not a stricter test:
        what has no record counts neither for nor against.
      </p>
    </Empty>
  </div>
);

function Cases({ chosen, choose, busy }: { chosen: string | null; choose(one: Case): void; busy: boolean }) {
  return (
    <section class="stack" aria-labelledby="cases">
      <Note tone="accent">
        <span id="cases">
          The people of this graph are invented. Six of them show what a check does: choose one.
        </span>
      </Note>
      <div class="cases">
        {CASES.map((one) => (
          <button
            type="button"
            class="case"
            key={one.title}
            aria-pressed={chosen === one.title}
            disabled={busy}
            onClick={() => choose(one)}
          >
            <strong>{one.title}</strong>
            <span class="small soft">{one.shows}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
