// How good the scores are on cases of one's own: a run, its plots, a threshold moved by hand, two runs side by side.
import { useRef, useState } from 'preact/hooks';
import { Problem } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { Field } from '../parts/form.tsx';
import { Card, Empty, PageHead, Trouble } from '../parts/parts.tsx';
import { count } from '../parts/text.ts';
import { saveBlob } from '../parts/save.ts';
import { Figures, Told, WhoPasses } from './figures.tsx';
import { Misses } from './misses.tsx';
import { Reliability, Roc, Shares } from './plots.tsx';
import { dropRun, follow, isDone, reportOf, sendCases } from './runs.ts';
import type { Done, Run } from './runs.ts';

export function QualityPage() {
  const [runs, setRuns] = useState<Done[]>([]);
  const [at, setAt] = useState<Run | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const stopped = useRef(false);
  const act = useAct();
  const choose = () => input.current?.click();
  const take = (file: File | undefined) =>
    file &&
    void act.run(async () => {
      stopped.current = false;
      const run = await follow(await sendCases(file, runs.at(-1)?.id ?? null), setAt).catch(
        (error: unknown) => {
          if (stopped.current) return null;
          throw error;
        },
      );
      setAt(null);
      if (run?.failed) throw new Problem({ status: 0, ...run.failed });
      if (run && isDone(run)) setRuns((before) => [...before.slice(-1), run]);
    });
  const stop = (id: string) => {
    stopped.current = true;
    void dropRun(id).catch(() => undefined);
  };
  return (
    <>
      <PageHead
        title="Quality"
        about="How well scores tell genuine people from others, on cases whose truth you know."
      >
        {runs.length === 0 ? null : (
          <button type="button" class="button" disabled={act.busy} onClick={choose}>
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
        onChange={(event) => (take(event.currentTarget.files?.[0]), (event.currentTarget.value = ''))}
      />
      <Trouble problem={act.problem} />
      {act.busy ? <Progress at={at} stop={stop} /> : null}
      {runs.length > 0 ? <Runs runs={runs} /> : act.busy ? null : <Nothing choose={choose} />}
    </>
  );
}

const Progress = ({ at, stop }: { at: Run | null; stop(id: string): void }) => {
  const progress = at?.progress;
  return (
    <div class="card" role="status">
      <div class="row">
        <progress
          class="grow"
          aria-label="Cases checked"
          {...(progress ? { max: progress.cases, value: progress.done } : {})}
        />
        <span class="small number">
          {progress ? `${count(progress.done)} of ${count(progress.cases)} cases` : 'Reading the file'}
        </span>
        {at ? (
          <button type="button" class="button small" onClick={() => stop(at.id)}>
            Stop
          </button>
        ) : null}
      </div>
    </div>
  );
};

const Nothing = ({ choose }: { choose(): void }) => (
  <div class="card flat">
    <Empty title="No run yet">
      <p>
        A file with a column <code>genuine</code> (yes or no) beside name, e-mail, phone and address. The
        server checks each case as it would a request; nobody is billed for it, and nothing of the file is
        kept.
      </p>
      <button type="button" class="button primary" onClick={choose}>
        Choose a file
      </button>
      <p class="small">
        The figures are those of <code>bonafide evaluate</code>, which takes more than 50,000 cases.
      </p>
    </Empty>
  </div>
);

function Runs({ runs }: { runs: Done[] }) {
  const [threshold, setThreshold] = useState(65);
  const save = useAct();
  const report = ({ id, name }: Done) =>
    void save.run(async () =>
      saveBlob(`evaluation-${name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.html`, await reportOf(id)),
    );
  const last = runs.at(-1);
  return (
    <div class="stack loose">
      <div class="stack tight">
        {runs.map((run) => (
          <Told key={run.id} run={run} />
        ))}
      </div>
      <Figures runs={runs} />
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
        <WhoPasses runs={runs} threshold={threshold} />
      </Card>
      {runs.map((run, i) => (
        <Card
          key={run.id}
          title={
            <>
              {runs.length > 1 ? `${i + 1}: ` : ''}
              <bdi>{run.name}</bdi>
            </>
          }
          about="Who scores what: green the genuine, grey the others, pale below the threshold; heights go by the square root."
          end={
            <button
              type="button"
              class="button small"
              disabled={save.busy}
              aria-label={`Save the report of ${run.name}`}
              onClick={() => report(run)}
            >
              Save the report
            </button>
          }
        >
          <Shares run={run} threshold={threshold} />
          <div class="pair">
            <figure>
              <Reliability run={run} />
              <figcaption class="small soft">
                <b>Is the score right?</b> The share of the genuine at each score, with its 90 % band. On the
                dashed line a score of 70 is right seven times in ten.
              </figcaption>
            </figure>
            <figure>
              <Roc run={run} threshold={threshold} />
              <figcaption class="small soft">
                <b>ROC.</b> Genuine who pass, upwards, as more of the others do; the nearer to the upper left
                corner, the better. The dot is the threshold.
              </figcaption>
            </figure>
          </div>
        </Card>
      ))}
      <Trouble problem={save.problem} />
      {last ? <Misses run={last} /> : null}
    </div>
  );
}
