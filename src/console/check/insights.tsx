// AI explanation of a result, apart from the result itself and labelled with the model that wrote it.
import type { ComponentType } from 'preact';
import type { CheckAnswer } from '../app/types.ts';
import { Note } from '../components/feedback.tsx';
import { formatRelativeTime, formatCount, type StatusTone, codeToWords } from '../components/format.ts';
import { Badge, BidiIsolatedName } from '../components/layout.tsx';

type Blocks = NonNullable<CheckAnswer['ai_insights']>;
type BlockName = Exclude<keyof Blocks, 'ai_enabled'>;
/** AI answer with contents, unlike one that failed or was left out. */
type Written<B extends BlockName> = Exclude<
  NonNullable<Blocks[B]>,
  { ai_enabled: false } | { error: unknown }
>;

export function AiExplanation({ answer }: { answer: CheckAnswer }) {
  const blocks = answer.ai_insights;
  if (!blocks) return null;
  const { trust_enhancement: trust } = blocks;
  const overviewModel = trust && 'model' in trust ? trust.model : undefined;
  return (
    <section class="card ai" aria-labelledby="ai">
      <div class="card-head">
        <h2 id="ai">AI explanation</h2>
        <p>Written after the score was final. It explains the score and cannot change it.</p>
      </div>
      {blocks.ai_enabled ? null : (
        <Note tone="care">No AI block could be written. The rest of the answer is complete.</Note>
      )}
      <BlockView title="Overview" block={blocks.overview} model={overviewModel} Contents={Overview} />
      <BlockView title="Narrative" block={trust} Contents={Narrative} />
      <BlockView title="Name comparison" block={blocks.name_matching} Contents={NameComparison} />
      <BlockView title="Fraud detection" block={blocks.fraud_detection} Contents={FraudDetection} />
    </section>
  );
}

type Unwritten = { ai_enabled: false; reason: string } | { error: { message: string }; model: string };

interface BlockViewProps<W> {
  title: string;
  block: W | Unwritten | null;
  /** AI model, if the answer does not name it. */
  model?: string | undefined;
  Contents: ComponentType<{ block: W }>;
}

function BlockView<W extends object>({ title, block, model, Contents }: BlockViewProps<W>) {
  if (!block || ('reason' in block && block.reason === 'Not requested')) return null;
  const writer = 'model' in block ? block.model : model;
  return (
    <div class="block">
      <div class="row wrap">
        <h3>{title}</h3>
        {writer === undefined ? null : (
          <Badge>{writer === 'rules' ? 'Rules (no model)' : <bdi>{writer}</bdi>}</Badge>
        )}
      </div>
      {'error' in block ? (
        <Note tone="care">{block.error.message}</Note>
      ) : 'reason' in block ? (
        <p class="soft">Disabled by the operator.</p>
      ) : (
        <Contents block={block as W} />
      )}
    </div>
  );
}

interface BulletsProps {
  title: string;
  items: string[];
  kind?: 'good' | 'bad' | 'todo';
}

const Bullets = ({ title, items, kind }: BulletsProps) =>
  items.length === 0 ? null : (
    <div class="stack tight">
      <span class="label">{title}</span>
      <ul class={`bullets ${kind ?? ''}`}>
        {items.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );

const PRIORITIES: Record<Written<'overview'>['review_priority'], [StatusTone, string]> = {
  AUTO_APPROVE: ['good', 'Auto-approve suggested'],
  MANUAL_REVIEW: ['care', 'Manual review suggested'],
  AUTO_REJECT: ['bad', 'Auto-reject suggested'],
};

function Overview({ block }: { block: Written<'overview'> }) {
  const [tone, label] = PRIORITIES[block.review_priority];
  return (
    <>
      <p>{block.overview}</p>
      <div class="row wrap">
        <Badge tone={tone}>{label}</Badge>
        <span class="hint">The decision is yours.</span>
      </div>
      <div class="insight-grid">
        <Bullets title="Key findings" items={block.key_findings} />
        <Bullets title="Positive signals" items={block.positive_signals} kind="good" />
        <Bullets title="Risk factors" items={block.risk_factors} kind="bad" />
        <Bullets title="Recommended actions" items={block.recommended_actions} kind="todo" />
      </div>
    </>
  );
}

const Narrative = ({ block: { ai_trust_analysis: analysis } }: { block: Written<'trust_enhancement'> }) => (
  <>
    <p>{analysis.summary}</p>
    <div class="insight-grid">
      <Bullets title="Key factors" items={analysis.key_factors} />
      <Bullets title="Red flags" items={analysis.red_flags} kind="bad" />
      <Bullets title="Recommendations" items={analysis.recommendations} kind="todo" />
    </div>
  </>
);

function NameComparison({ block }: { block: Written<'name_matching'> }) {
  if (block.skipped) return <p class="soft">No name on record to compare with.</p>;
  const {
    match_confidence: confidence,
    variation_type: variation,
    explanation,
    concerns,
  } = block.name_analysis;
  return (
    <>
      <p>
        Submitted: <BidiIsolatedName>{block.provided_name}</BidiIsolatedName>. On record:{' '}
        <BidiIsolatedName>{block.matched_name ?? 'none'}</BidiIsolatedName>. Match confidence {confidence} of
        100, {codeToWords(variation)}. {explanation}
      </p>
      <Bullets title="Concerns" items={concerns} />
    </>
  );
}

const RISK_TONES = { LOW: 'good', MEDIUM: 'care', HIGH: 'bad' } as const;

function FraudDetection({ block }: { block: Written<'fraud_detection'> }) {
  const { fraud_analysis: analysis, request_stream: stream } = block;
  return (
    <>
      <Note>
        <b>Scope.</b> {block.scope_note}
      </Note>
      <h4 class="label">This person</h4>
      <div class="row wrap">
        <Badge tone={RISK_TONES[analysis.risk_level]}>Risk: {analysis.risk_level.toLowerCase()}</Badge>
        <span class="hint">Confidence {analysis.confidence.toFixed(2)}</span>
      </div>
      <p>{analysis.recommendation}</p>
      <div class="insight-grid">
        <Bullets title="Detected patterns" items={analysis.patterns_detected} />
        <Bullets title="Inconsistencies" items={analysis.consistency_issues} />
      </div>
      <h4 class="label">Your API traffic, not this person</h4>
      <p class="soft">
        {formatCount(stream.records_in_window, 'earlier call')},{' '}
        {formatCount(stream.catfish_flag_count, 'catfish flag')}
        {stream.earliest_timestamp ? `, the first ${formatRelativeTime(stream.earliest_timestamp)}` : ''}.
        Call rate: {analysis.velocity_concerns ? 'unusually high' : 'normal'}.
      </p>
      <Bullets title="Observations" items={analysis.stream_observations} />
    </>
  );
}
