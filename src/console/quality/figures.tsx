// The figures of one run, or of two side by side.
import { Badge, Card, Note } from '../parts/parts.tsx';
import { count, percent, plural } from '../parts/text.ts';
import { atThreshold, FIGURES } from './runs.ts';
import type { Comparison, Done, Interval, Kind } from './runs.ts';

const NONE = '–';
const text = (value: number | null, { plain = false }: Kind): string =>
  value === null
    ? NONE
    : plain
      ? value.toFixed(3)
      : percent(value, value !== 0 && Math.abs(value) < 0.01 ? 2 : 1);

const rangeOf = ({ low, high }: Interval, kind: Kind): string =>
  low === null || high === null ? '' : `${text(low, kind)} to ${text(high, kind)}`;

interface RunsProps {
  runs: Done[];
}

const Heads = ({ runs, more }: RunsProps & { more?: string }) => (
  <thead>
    <tr>
      <th scope="col">
        <span class="unseen">Figure</span>
      </th>
      {runs.map(({ name }, i) => (
        <th key={i} scope="col" class="end">
          {runs.length > 1 ? `${i + 1}: ` : ''}
          <bdi>{name}</bdi>
        </th>
      ))}
      {more === undefined ? null : (
        <th scope="col" class="end">
          {more}
        </th>
      )}
    </tr>
  </thead>
);

export function Figures({ runs }: RunsProps) {
  const comparison = runs.length > 1 ? (runs.at(-1)?.comparison ?? null) : null;
  return (
    <Card
      title="Figures"
      about="Small below each: where it would lie, 95 times in a hundred, with other cases of the same sort."
      flush
    >
      <div class="scroll" role="region" aria-label="Figures of the runs" tabIndex={0}>
        <table class="table figures">
          <Heads runs={runs} {...(comparison ? { more: 'Difference' } : {})} />
          <tbody>
            {FIGURES.map(([name, words, kind]) => (
              <tr key={name}>
                <th scope="row">{words}</th>
                {runs.map(({ evaluation: { figures } }, i) => (
                  <td key={i} class="end number">
                    {text(figures[name].value, kind)}
                    <small>{rangeOf(figures[name], kind)}</small>
                  </td>
                ))}
                {comparison ? (
                  <td class="end number">
                    <Difference of={comparison.figures[name].difference} kind={kind} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {comparison ? <Shared of={comparison} /> : null}
    </Card>
  );
}

/** More than chance where its interval leaves out zero. */
function Difference({ of, kind }: { of: Interval; kind: Kind }) {
  const { value, low, high } = of;
  if (value === null) return <>{NONE}</>;
  const shown = `${value > 0 ? '+' : value < 0 ? '−' : ''}${text(Math.abs(value), kind).replace('%', 'points')}`;
  if (low === null || high === null || (low <= 0 && high >= 0)) return <span class="soft">{shown}</span>;
  return <Badge tone={value > 0 === (kind.low ?? false) ? 'bad' : 'good'}>{shown}</Badge>;
}

const Shared = ({ of: { shared, unshared, moved } }: { of: Comparison }) => (
  <p class="small soft below-table">
    Differences are of the {plural(shared, 'case')} that both have, by <code>case_id</code> or line;{' '}
    {count(moved)} moved{unshared > 0 ? `, and ${count(unshared)} stand in one run only` : ''}. A coloured one
    is more than chance.
  </p>
);

const of = (part: number, other: number) =>
  part + other === 0 ? NONE : `${count(part)} (${percent(part / (part + other))})`;

export function WhoPasses({ runs, threshold }: RunsProps & { threshold: number }) {
  const at = runs.map(({ evaluation }) => atThreshold(evaluation.scores, threshold));
  const rows: [string, string[]][] = [
    ['Genuine who pass', at.map(({ passed, lost }) => of(passed, lost))],
    ['Genuine who are lost', at.map(({ passed, lost }) => of(lost, passed))],
    ['Others who are stopped', at.map(({ stopped, missed }) => of(stopped, missed))],
    ['Others who pass', at.map(({ stopped, missed }) => of(missed, stopped))],
  ];
  return (
    <div class="scroll" role="region" aria-label="The runs side by side" tabIndex={0}>
      <table class="table">
        <Heads runs={runs} />
        <tbody>
          {rows.map(([what, cells]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              {cells.map((cell, i) => (
                <td key={i} class="end number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was counted, and what was not taken. */
export function Told({ run: { name, columns, evaluation } }: { run: Done }) {
  const { genuine, not_genuine: others, apart, refused } = evaluation.cases;
  const unused = columns.filter(({ field }) => field === null).map(({ header }) => header);
  return (
    <>
      <p class="soft">
        <bdi>{name}</bdi>: {plural(genuine, 'genuine case')}, {count(others)} that{' '}
        {others === 1 ? 'is' : 'are'} not
        {apart > 0 ? `, ${count(apart)} that no check can tell` : ''}.
        {unused.length === 0 ? null : (
          <>
            {' '}
            Not used: <bdi>{unused.join(', ')}</bdi>.
          </>
        )}
      </p>
      {refused === 0 ? null : (
        <Note tone="care">
          {plural(refused, 'case')} {refused === 1 ? 'is' : 'are'} not taken, for a request like it would be
          refused:
          <ul class="bullets">
            {evaluation.refused.map(({ rule, lines }) => (
              <li key={rule}>
                {rule} {plural(lines.length, 'case')}, first in line {lines[0]}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}
