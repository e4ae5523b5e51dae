// What was written about the verdict after it was reached: apart from it, and labelled with who wrote it.
import type { ComponentChildren } from 'preact';
import { Badge, Note } from '../parts/parts.tsx';
import type { Tone } from '../parts/parts.tsx';
import { ago, plural } from '../parts/text.ts';
import type { Answer, Block } from './answer.ts';

export function AiInsights({ answer }: { answer: Answer }) {
  const insights = answer.ai_insights;
  if (!insights) return null;
  const { trust_enhancement: trust, overview, fraud_detection: fraud, name_matching: names } = insights;
  return (
    <section class="card ai" aria-labelledby="ai">
      <div class="card-head">
        <h2 id="ai">Explained afterwards</h2>
        <p>Written from the finished result. It explains the score and changes nothing of it.</p>
      </div>
      {insights.ai_enabled ? null : (
        <Note tone="care">
          None of what was asked for could be written. The verdict is complete without it.
        </Note>
      )}
      <Part title="Overview" block={overview} by={trust?.model}>
        {(block) => <Overview block={block} />}
      </Part>
      <Part title="Narrative" block={trust}>
        {(block) => <Narrative block={block} />}
      </Part>
      <Part title="Comparison of names" block={names}>
        {(block) => <Names block={block} />}
      </Part>
      <Part
        title="Fraud patterns"
        block={fraud}
        first={
          fraud?.scope_note ? (
            <Note>
              <b>Read this first.</b> {String(fraud.scope_note)}
            </Note>
          ) : null
        }
      >
        {(block) => <Fraud block={block} />}
      </Part>
    </section>
  );
}

interface PartProps {
  title: string;
  block: Block | null;
  by?: string | undefined;
  first?: ComponentChildren;
  children(block: Block): ComponentChildren;
}

function Part({ title, block, by, first, children }: PartProps) {
  if (!block) return null;
  const { ai_enabled: on = true, error, reason, model = by } = block;
  if (!on && reason === 'Not requested') return null;
  return (
    <div class="block">
      <div class="row wrap">
        <h3>{title}</h3>
        {model === undefined ? null : (
          <Badge>{model === 'rules' ? 'by rules, no model' : <bdi>by {model}</bdi>}</Badge>
        )}
      </div>
      {error ? (
        <Note tone="care">{error.message}</Note>
      ) : !on ? (
        <p class="soft">Turned off by the operator.</p>
      ) : (
        <>
          {first}
          {children(block)}
        </>
      )}
    </div>
  );
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const List = ({ title, items, kind = '' }: { title: string; items: string[]; kind?: string }) =>
  items.length === 0 ? null : (
    <div class="stack tight">
      <span class="label">{title}</span>
      <ul class={`bullets ${kind}`}>
        {items.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );

const PRIORITY: Record<string, [Tone, string]> = {
  AUTO_APPROVE: ['good', 'could be approved without a look'],
  MANUAL_REVIEW: ['care', 'wants a look'],
  AUTO_REJECT: ['bad', 'could be turned down without a look'],
};

function Overview({ block }: { block: Block }) {
  const [tone, word] = PRIORITY[String(block.review_priority)] ?? ['none', String(block.review_priority)];
  return (
    <>
      <p>{String(block.overview)}</p>
      <div class="row wrap">
        <Badge tone={tone}>{word}</Badge>
        <span class="hint">a hint, not a decision</span>
      </div>
      <div class="insight-grid">
        <List title="Findings" items={texts(block.key_findings)} />
        <List title="Speaks for" items={texts(block.positive_signals)} kind="good" />
        <List title="Risks" items={texts(block.risk_factors)} kind="bad" />
        <List title="What to do" items={texts(block.recommended_actions)} kind="todo" />
      </div>
    </>
  );
}

function Narrative({ block }: { block: Block }) {
  const told = (block.ai_trust_analysis ?? {}) as Record<string, unknown>;
  return (
    <>
      <p>{String(told.summary ?? '')}</p>
      <div class="insight-grid">
        <List title="Key factors" items={texts(told.key_factors)} />
        <List title="Red flags" items={texts(told.red_flags)} kind="bad" />
        <List title="Advice" items={texts(told.recommendations)} kind="todo" />
      </div>
    </>
  );
}

function Names({ block }: { block: Block }) {
  if (block.skipped)
    return <p class="soft">No name on record was matched, so there is nothing to compare.</p>;
  const told = (block.name_analysis ?? {}) as Record<string, unknown>;
  return (
    <>
      <p>
        <bdi>
          <b>{String(block.provided_name)}</b>
        </bdi>{' '}
        as given,{' '}
        <bdi>
          <b>{String(block.matched_name ?? 'nobody')}</b>
        </bdi>{' '}
        on record: {String(told.match_confidence)} of 100, {String(told.variation_type).replaceAll('_', ' ')}.{' '}
        {String(told.explanation ?? '')}
      </p>
      <List title="Concerns" items={texts(told.concerns)} />
    </>
  );
}

const RISK: Record<string, Tone> = { LOW: 'good', MEDIUM: 'care', HIGH: 'bad' };

function Fraud({ block }: { block: Block }) {
  const told = (block.fraud_analysis ?? {}) as Record<string, unknown>;
  const stream = (block.request_stream ?? {}) as Record<string, string | number | null>;
  const risk = String(told.risk_level);
  const observed = texts(told.stream_observations);
  return (
    <>
      <h4 class="label">About the person</h4>
      <div class="row wrap">
        <Badge tone={RISK[risk] ?? 'none'}>{risk.toLowerCase()} risk</Badge>
        <span class="hint">confidence {Number(told.confidence).toFixed(2)}</span>
      </div>
      <p>{String(told.recommendation ?? '')}</p>
      <div class="insight-grid">
        <List title="Patterns" items={texts(told.patterns_detected)} />
        <List title="What does not fit" items={texts(told.consistency_issues)} />
      </div>
      <h4 class="label">About your own traffic, not about the person</h4>
      <p class="soft">
        {plural(Number(stream.records_in_window ?? 0), 'earlier call')} looked at,{' '}
        {plural(Number(stream.catfish_flag_count ?? 0), 'flag')}
        {stream.earliest_timestamp ? `, since ${ago(String(stream.earliest_timestamp))}` : ''}.{' '}
        {told.velocity_concerns
          ? 'The calls come unusually fast.'
          : 'Nothing unusual in how fast the calls come.'}
      </p>
      {observed.length === 0 ? null : <List title="Observations" items={observed} />}
    </>
  );
}
