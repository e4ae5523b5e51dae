// Result of a check: the score, the evidence, the match result of each value, and the history.
import { useState } from 'preact/hooks';
import type { CheckAnswer } from '../app/types.ts';
import { Note } from '../components/feedback.tsx';
import { Checkbox } from '../components/form.tsx';
import { SCORE_BANDS, capitalize, formatDate, formatSigned } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import {
  describeScoreWithoutValue,
  describeEvidenceStrength,
  type EvidenceStep,
  toVerdictDisplay,
  VALUE_KIND_LABELS,
  listEvidence,
  listValueResults,
  listSeenPeriods,
} from './answer.ts';

/** Score bands, lowest first, each with its highest score. */
const SCALE = SCORE_BANDS.map((band, i) => ({
  ...band,
  to: (SCORE_BANDS[i - 1]?.from ?? 101) - 1,
})).toReversed();

export function ScoreCard({ answer }: { answer: CheckAnswer }) {
  const { tone, label, sentence } = toVerdictDisplay(answer);
  const score = answer.trustworthiness_score;
  const isHere = ({ from, to }: (typeof SCALE)[number]) => score >= from && score <= to;
  return (
    <section class="card" aria-label="Verdict">
      <div class="verdict">
        <div class={`score tone-${tone}`} aria-label={`Score ${score} of 100`}>
          {score}
        </div>
        <div class="stack tight">
          <div class="row wrap">
            <h2 class={`word tone-${tone}`}>{label}</h2>
            <Badge>Confidence: {answer.confidence_level.toLowerCase()}</Badge>
            {answer.possible_catfish ? <Badge tone="bad">Possible catfish</Badge> : null}
          </div>
          {answer.summary.startsWith(sentence) ? null : <p>{sentence}</p>}
          <p>{answer.summary}</p>
        </div>
      </div>
      <div class="band" aria-hidden="true">
        <div class="band-track">
          {SCALE.map((band) => (
            <i key={band.band} class={isHere(band) ? `on ${tone}` : ''} />
          ))}
          <span class="band-mark" style={{ left: `${score}%` }} />
        </div>
        <div class="band-words">
          {SCALE.map((band) => (
            <span key={band.band}>
              <span class="low">{band.from}</span>
              {isHere(band) ? <b>{band.label}</b> : band.label}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Evidence of a score: a waterfall chart if the answer has `raw`, otherwise a list of sentences. */
export function EvidenceCard({ answer }: { answer: CheckAnswer }) {
  const steps = listEvidence(answer);
  if (steps) return <Waterfall answer={answer} steps={steps} />;
  return (
    <Card title="Why this score" about={answer.combined_trust_score.explanation}>
      <ul class="bullets">
        {answer.trust_score.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Card>
  );
}

function Waterfall({ answer, steps }: { answer: CheckAnswer; steps: EvidenceStep[] }) {
  const [isInBits, setInBits] = useState(false);
  const score = answer.trustworthiness_score;
  const { raw: sum } = answer.trust_score;
  const { pre_capped: unbounded, explanation } = answer.combined_trust_score;
  const isBounded = Math.abs(unbounded - score) >= 1;
  const ends = steps.reduce<number[]>((all, { weight }) => [...all, (all.at(-1) ?? 0) + weight], []);
  const low = Math.min(0, sum, ...ends);
  const width = Math.max(0, sum, ...ends) - low || 1;
  const toPercent = (bits: number) => ((bits - low) / width) * 100;
  const bar = (from: number, to: number, kind: string) => (
    <div class="lane" style={{ '--zero': `${toPercent(0)}%` }} aria-hidden="true">
      <i
        class={kind}
        style={{
          left: `${Math.min(toPercent(from), toPercent(to))}%`,
          width: `${Math.abs(toPercent(to) - toPercent(from))}%`,
        }}
      />
    </div>
  );
  return (
    <Card
      title="Why this score"
      about="Each bar starts where the bar above it ends. Bars to the right raise the score, bars to the left lower it."
      end={<Checkbox label="Show bits" value={isInBits} onChange={setInBits} />}
    >
      <ul class="waterfall">
        {steps.map((step, i) => (
          <li key={i}>
            <div>
              {capitalize(step.text)}
              <small>{describeScoreWithoutValue(step, score)}</small>
            </div>
            {bar(
              ends[i - 1] ?? 0,
              ends[i] ?? 0,
              step.code === 'start' ? '' : step.weight >= 0 ? 'for' : 'against',
            )}
            <div class="strength">
              {isInBits ? `${formatSigned(step.weight)} bits` : describeEvidenceStrength(step)}
            </div>
          </li>
        ))}
        <li class="total">
          <div>
            {isBounded ? `Before limits: ${Math.round(unbounded)}` : `Score: ${score}`}
            {isBounded ? (
              <small>
                {explanation} Score: {score}.
              </small>
            ) : null}
          </div>
          {bar(0, sum, 'sum')}
          <div class="strength">{isInBits ? `${formatSigned(sum)} bits` : ''}</div>
        </li>
      </ul>
    </Card>
  );
}

export const SubmittedValuesCard = ({ answer }: { answer: CheckAnswer }) => (
  <Card title="Submitted values" flush>
    <ul class="values">
      {listValueResults(answer).map(({ kind, input, normalized, status, tone }, i) => (
        <li class="value" key={i}>
          <span class="kind">{VALUE_KIND_LABELS[kind]}</span>
          <span>
            <bdi class="input-value">{input}</bdi>
            {normalized === '' ? null : (
              <span class="normalized">
                normalized: <bdi>{normalized}</bdi>
              </span>
            )}
          </span>
          <Badge tone={tone}>{status}</Badge>
        </li>
      ))}
    </ul>
  </Card>
);

export const ScoreObservationsNote = ({ answer: { insights } }: { answer: CheckAnswer }) =>
  insights.length === 0 ? null : (
    <Note>
      <ul class="stack tight">
        {insights.map((text) => (
          <li key={text}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </Note>
  );

/** Timeline of the periods in which the dominant identity and each submitted value were seen. */
export function SeenPeriodsCard({ answer }: { answer: CheckAnswer }) {
  const periods = listSeenPeriods(answer);
  if (periods.length === 0) return null;
  const firstYear = new Date(Math.min(...periods.map(({ from }) => from))).getUTCFullYear();
  const endYear = new Date().getUTCFullYear() + 1;
  const start = Date.UTC(firstYear, 0);
  const length = Date.UTC(endYear, 0) - start;
  const toPercent = (ms: number) => `${(ms / length) * 100}%`;
  return (
    <Card title="History">
      <div class="times">
        {periods.map(({ label, from, to, isOther }, i) => (
          <>
            <span key={i}>{label}</span>
            <div class="lane" aria-hidden="true">
              <i
                class={isOther ? 'other' : ''}
                style={{ left: toPercent(from - start), width: toPercent(to - from) }}
              />
            </div>
            <span class="faint number">
              {formatDate(from)} – {formatDate(to)}
            </span>
          </>
        ))}
        <span class="gap" />
        <div class="axis number" aria-hidden="true">
          <span>{firstYear}</span>
          <span>{endYear}</span>
        </div>
        <span class="gap" />
      </div>
    </Card>
  );
}
