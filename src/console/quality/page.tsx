// How good the scores are on cases of one's own: a run, its plot, a threshold moved by hand, two runs side by side.
import { useRef, useState } from 'preact/hooks';
import { post, Problem } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { readTable } from './table.ts';
import { Field } from '../parts/form.tsx';
import { Card, Empty, Note, PageHead, Trouble } from '../parts/parts.tsx';
import { count, percent, plural } from '../parts/text.ts';
import { areaUnder, atThreshold, casesOf, sharesOf } from './judge.ts';
import type { Case, Judged } from './judge.ts';

interface Run {
  name: string;
  judged: Judged[];
}

/** Checks that are on their way at a time. */
const AT_ONCE = 6;
const MOST = 5000;

export function QualityPage() {
  const [runs, setRuns] = useState<Run[]>([]);
  const [threshold, setThreshold] = useState(65);
  const [done, setDone] = useState<[number, number] | null>(null);
  const [wrong, setWrong] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef(false);
  const made = useRef(0);
  const act = useAct();
  const take = (file: File | undefined) =>
    file &&
    void act.run(async () => {
      const read = casesOf(readTable(await file.text()));
      if (read.cases.length === 0)
        throw refused(
          read.told
            ? 'No line of the file has a name and says whether the person is genuine.'
            : 'The file has no column `genuine`, with yes or no for each person.',
        );
      if (read.cases.length > MOST)
        throw refused(`The file has more than ${count(MOST)} cases. On the machine: bonafide evaluate FILE`);
      setWrong(read.wrong);
      stop.current = false;
      const judged = await judgedOf(
        read.cases,
        (at) => setDone([at, read.cases.length]),
        () => stop.current,
      );
      setRuns((before) => [...before.slice(-1), { name: `Run ${++made.current}: ${file.name}`, judged }]);
      setDone(null);
    });
  return (
    <>
      <PageHead
        title="Quality"
        about="How well scores tell genuine people from others, on cases whose truth you know."
      >
        {runs.length === 0 ? null : (
          <button type="button" class="button" disabled={act.busy} onClick={() => input.current?.click()}>
            {runs.length === 1 ? 'Another run beside it' : 'Another run'}
          </button>
        )}
      </PageHead>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="A file of labelled cases"
        accept=".csv,.tsv,.txt"
        onChange={(event) => (take(event.currentTarget.files?.[0]), (event.currentTarget.value = ''))}
      />
      <Trouble problem={act.problem} />
      {done && act.busy ? (
        <div class="row">
          <progress class="grow" max={done[1]} value={done[0]} aria-label="Cases checked" />
          <span class="small number">
            {count(done[0])} of {count(done[1])}
          </span>
          <button type="button" class="button small" onClick={() => (stop.current = true)}>
            Stop
          </button>
        </div>
      ) : null}
      {wrong > 0 ? (
        <Note tone="care">
          {plural(wrong, 'line')} without a name or a label {wrong === 1 ? 'is' : 'are'} left out.
        </Note>
      ) : null}
      {runs.length === 0 ? (
        <div class="card flat">
          <Empty title="No run yet">
            <p>
              A CSV file with a column <code>genuine</code> (yes or no) beside name, e-mail, phone and
              address. Each case is a check like any other: it is in the call log, and counts.
            </p>
            <button
              type="button"
              class="button primary"
              disabled={act.busy}
              onClick={() => input.current?.click()}
            >
              Choose a file
            </button>
            <p class="small">
              Millions of cases, calibration and a report to keep: <code>bonafide evaluate</code> on the
              machine.
            </p>
          </Empty>
        </div>
      ) : (
        <>
          <Card title="Who passes" about="Moved by hand: everybody from this score up passes.">
            <Field label={`Threshold: ${threshold}`}>
              {(props) => (
                <input
                  {...props}
                  type="range"
                  min={0}
                  max={100}
                  value={threshold}
                  onInput={(event) => setThreshold(Number(event.currentTarget.value))}
                />
              )}
            </Field>
            <Compared runs={runs} threshold={threshold} />
          </Card>
          {runs.map((run, i) => (
            <Shares key={i} run={run} threshold={threshold} />
          ))}
        </>
      )}
    </>
  );
}

const refused = (detail: string) => new Problem({ status: 0, code: 'unreadable_file', detail });

/** Checks the cases, a few at a time. One that is refused is left out. */
async function judgedOf(
  cases: Case[],
  onDone: (done: number) => void,
  stopped: () => boolean,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let one = cases[next++]; one && !stopped(); one = cases[next++]) {
      try {
        const { trustworthiness_score: score } = await post<{ trustworthiness_score: number }>(
          '/v1/validate',
          one.request,
        );
        judged.push({ score, genuine: one.genuine });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
      }
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return judged;
}

const of = (part: number, other: number) =>
  part + other === 0 ? '–' : `${count(part)} (${percent(part / (part + other))})`;

function Compared({ runs, threshold }: { runs: Run[]; threshold: number }) {
  const at = runs.map(({ judged }) => atThreshold(judged, threshold));
  const rows: [string, (i: number) => string][] = [
    ['Cases', (i) => count(runs[i]?.judged.length ?? 0)],
    [
      'Genuine who pass',
      (i) => {
        const one = at[i];
        return one ? of(one.passed, one.lost) : '';
      },
    ],
    [
      'Genuine who are lost',
      (i) => {
        const one = at[i];
        return one ? of(one.lost, one.passed) : '';
      },
    ],
    [
      'Others who are stopped',
      (i) => {
        const one = at[i];
        return one ? of(one.stopped, one.missed) : '';
      },
    ],
    [
      'Others who pass',
      (i) => {
        const one = at[i];
        return one ? of(one.missed, one.stopped) : '';
      },
    ],
    [
      'A genuine one scores higher',
      (i) => {
        const area = areaUnder(runs[i]?.judged ?? []);
        return area === null ? '–' : percent(area, 2);
      },
    ],
  ];
  return (
    <div class="scroll" role="region" aria-label="The runs side by side" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Figure</span>
            </th>
            {runs.map(({ name }, i) => (
              <th key={i} scope="col" class="end">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([what, figure]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              {runs.map((_, i) => (
                <td key={i} class="end number">
                  {figure(i)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Shares({ run, threshold }: { run: Run; threshold: number }) {
  const shares = sharesOf(run.judged);
  const most = Math.max(...shares.flatMap(({ genuine, other }) => [genuine, other]), 0.01);
  const height = (share: number) => ({ height: `${(share / most) * 100}%` });
  return (
    <Card
      title={<bdi>{run.name}</bdi>}
      about="Shares of the scores: green the genuine, grey the others; pale is below the threshold."
    >
      <div
        class="bars"
        role="img"
        aria-label={`Scores of ${plural(run.judged.length, 'case')} in steps of five points`}
      >
        {shares.map(({ from, genuine, other }) => (
          <div key={from} class={from + 5 <= threshold ? 'below' : ''}>
            <span>
              <i class="good" style={height(genuine)} />
              <i style={height(other)} />
            </span>
            <small class="number">{from % 20 === 0 ? from : ''}</small>
          </div>
        ))}
      </div>
    </Card>
  );
}
