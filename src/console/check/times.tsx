// History on a time line: since when the identity is known, and since when each value of it.
import { Card } from '../parts/parts.tsx';
import { dayText } from '../parts/text.ts';
import { spansOf } from './answer.ts';
import type { Answer } from './answer.ts';

export function Times({ answer }: { answer: Answer }) {
  const spans = spansOf(answer);
  if (spans.length === 0) return null;
  const from = new Date(Math.min(...spans.map((span) => span.from))).getUTCFullYear();
  const to = new Date().getUTCFullYear() + 1;
  const start = Date.UTC(from, 0);
  const width = Date.UTC(to, 0) - start;
  const at = (time: number) => `${((time - start) / width) * 100}%`;
  const step = Math.max(1, Math.ceil((to - from) / 5));
  const years = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
  return (
    <Card title="How long it has been known">
      <div class="times">
        {spans.map((span, i) => (
          <>
            <span key={i}>{span.label}</span>
            <div class="lane" aria-hidden="true">
              <i
                class={span.other ? 'other' : ''}
                style={{ left: at(span.from), width: `${((span.to - span.from) / width) * 100}%` }}
              />
            </div>
            <span class="faint number">
              {dayText(span.from)} – {dayText(span.to)}
            </span>
          </>
        ))}
        <span class="gap" />
        <div class="axis number" aria-hidden="true">
          {years.map((year) => (
            <span
              key={year}
              class={year >= to - step / 2 ? 'last' : ''}
              style={{ left: at(Date.UTC(year, 0)) }}
            >
              {year}
            </span>
          ))}
        </div>
        <span class="gap" />
      </div>
    </Card>
  );
}
