// The cases that came out worst, and why: by what the file calls them, for no value of them is here.
import { Card } from '../parts/parts.tsx';
import { signed } from '../parts/text.ts';
import type { Done, Miss } from './runs.ts';

const SIDES = [
  ['genuine', 'Genuine, and scored low'],
  ['not_genuine', 'Not genuine, and scored high'],
] as const;

export const Misses = ({ run: { name, evaluation } }: { run: Done }) =>
  evaluation.misses.length === 0 ? null : (
    <Card
      title="The worst misses"
      about={
        <>
          Of <bdi>{name}</bdi>. What was sent is not shown: look it up in the file.
        </>
      }
    >
      <div class="pair">
        {SIDES.map(([side, title]) => (
          <Side key={side} title={title} misses={evaluation.misses.filter(({ role }) => role === side)} />
        ))}
      </div>
    </Card>
  );

const Side = ({ title, misses }: { title: string; misses: Miss[] }) => (
  <div class="stack tight">
    <h3>{title}</h3>
    {misses.length === 0 ? <p class="small soft">None.</p> : null}
    {misses.map(({ id, role, kind, subkind, score, steps, bounds }) => (
      <details key={id} class="miss">
        <summary>
          <b class="number">{score}</b> <bdi>{id}</bdi>{' '}
          <span class="faint small">{[kind === role ? '' : kind, subkind].filter(Boolean).join(', ')}</span>
        </summary>
        <ul class="small">
          {steps.map(({ bits, text }, i) => (
            <li key={i}>
              <span class="number">{signed(bits)}</span> {text}
            </li>
          ))}
        </ul>
        <p class="small soft">{bounds}</p>
      </details>
    ))}
  </div>
);
