// The verdict as somebody would want to see it: the score on its band, then why, then each value.
import { useState } from 'preact/hooks';
import { Badge, Card, Note } from '../parts/parts.tsx';
import { Tick } from '../parts/form.tsx';
import { capital, signed } from '../parts/text.ts';
import { isOfValue, KIND_WORDS, rowsOf, stepsOf, strengthOf, verdictOf, withoutIt } from './answer.ts';
import type { Answer } from './answer.ts';

const BANDS = [
  { from: 0, to: 39, tone: 'bad', word: 'High risk' },
  { from: 40, to: 64, tone: 'care', word: 'Suspicious' },
  { from: 65, to: 84, tone: 'likely', word: 'Likely real' },
  { from: 85, to: 100, tone: 'good', word: 'Verified' },
] as const;

const CONFIDENCE: Record<string, string> = {
  HIGH: 'much evidence',
  MEDIUM: 'some evidence',
  LOW: 'little evidence',
};

export function ScoreCard({ answer }: { answer: Answer }) {
  const { tone, word, says } = verdictOf(answer);
  const score = answer.trustworthiness_score;
  return (
    <section class="card" aria-label="The verdict">
      <div class="verdict">
        <div class={`score tone-${tone}`} aria-label={`Score ${score} of 100`}>
          {score}
        </div>
        <div class="stack tight">
          <div class="row wrap">
            <h2 class={`word tone-${tone}`}>{word}</h2>
            <Badge>{CONFIDENCE[answer.confidence_level] ?? answer.confidence_level}</Badge>
            {answer.possible_catfish ? <Badge tone="bad">possible catfish</Badge> : null}
          </div>
          {answer.summary.startsWith(says) ? null : <p>{says}</p>}
          <p>{answer.summary}</p>
        </div>
      </div>
      <div class="band" aria-hidden="true">
        <div class="band-track">
          {BANDS.map((band) => (
            <i key={band.word} class={score >= band.from && score <= band.to ? `on ${tone}` : ''} />
          ))}
          <span class="band-mark" style={{ left: `${score}%` }} />
        </div>
        <div class="band-words">
          {BANDS.map((band) => (
            <span key={band.word}>
              <span class="low">{band.from}</span>
              {score >= band.from && score <= band.to ? <b>{band.word}</b> : band.word}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The evidence as a waterfall: each piece begins where the one before ended. Words first, bits for who wants them. */
export function Waterfall({ answer }: { answer: Answer }) {
  const [bits, setBits] = useState(false);
  const steps = stepsOf(answer);
  const { raw: sum } = answer.trust_score;
  const { pre_capped: before, explanation } = answer.combined_trust_score;
  const score = answer.trustworthiness_score;
  const ends = steps.reduce<number[]>((all, { weight }) => [...all, (all.at(-1) ?? 0) + weight], []);
  const low = Math.min(0, sum, ...ends);
  const high = Math.max(0, sum, ...ends);
  const width = high - low || 1;
  const at = (value: number) => ((value - low) / width) * 100;
  const lane = (from: number, to: number, kind: string) => (
    <div class="lane" style={{ '--zero': `${at(0)}%` }} aria-hidden="true">
      <i
        class={kind}
        style={{ left: `${Math.min(at(from), at(to))}%`, width: `${Math.abs(at(to) - at(from))}%` }}
      />
    </div>
  );
  return (
    <Card
      title="Why this score"
      about="Each piece begins where the one before ended: to the right it speaks for, to the left against."
      end={<Tick label="Show bits" value={bits} change={setBits} />}
    >
      <ul class="fall">
        {steps.map((step, i) => (
          <li key={i}>
            <div>
              {capital(step.words)}
              {isOfValue(step) ? <small>{withoutIt(step, score)}</small> : null}
            </div>
            {lane(
              ends[i - 1] ?? 0,
              ends[i] ?? 0,
              step.code === 'start' ? '' : step.weight >= 0 ? 'for' : 'against',
            )}
            <div class="how">{bits ? `${signed(step.weight)} bits` : strengthOf(step)}</div>
          </li>
        ))}
        <li class="total">
          <div>
            {isBounded(before, score) ? `Together that would be ${Math.round(before)}` : `Together: ${score}`}
            {isBounded(before, score) ? (
              <small>
                {explanation} So the score is {score}.
              </small>
            ) : null}
          </div>
          {lane(0, sum, 'sum')}
          <div class="how">{bits ? `${signed(sum)} bits` : ''}</div>
        </li>
      </ul>
    </Card>
  );
}

const isBounded = (before: number, score: number) => Math.abs(before - score) >= 1;

export function Values({ answer }: { answer: Answer }) {
  const rows = rowsOf(answer);
  return (
    <Card title="Each value on its own" flush>
      <ul class="values">
        {rows.map(({ kind, said, read, status, tone }, i) => (
          <li class="value" key={i}>
            <span class="kind">{KIND_WORDS[kind]}</span>
            <span>
              <bdi class="said" style={{ display: 'block' }}>
                {said}
              </bdi>
              {read === '' ? null : (
                <span class="read">
                  read as <bdi>{read}</bdi>
                </span>
              )}
            </span>
            <Badge tone={tone}>{status}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function Insights({ answer }: { answer: Answer }) {
  if (answer.insights.length === 0) return null;
  return (
    <Note>
      <ul class="stack tight">
        {answer.insights.map((text) => (
          <li key={text}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </Note>
  );
}
