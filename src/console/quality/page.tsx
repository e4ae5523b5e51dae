// Evaluation of scores on labelled cases: metrics, plots, a threshold, and two runs side by side.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiProblem } from '../app/api.ts';
import { useAction } from '../app/hooks.ts';
import { setQueryParameters, useLocation } from '../app/router.ts';
import type { EvaluationRun } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { saveFile } from '../components/download.ts';
import { EmptyState, ErrorNote, ProgressBar } from '../components/feedback.tsx';
import { FileButton, TextField } from '../components/form.tsx';
import { formatNumber } from '../components/format.ts';
import { Card, PageHeader } from '../components/layout.tsx';
import {
  MetricsCard,
  WorstCasesCard,
  EvaluationRunSummary,
  AcceptedAndRejectedCasesTable,
} from './metrics.tsx';
import { CalibrationPlot, RocPlot, ScoreDistribution } from './plots.tsx';
import {
  discardEvaluation,
  type EvaluationRunWithResult,
  waitForEvaluation,
  getEvaluationReport,
  hasEvaluationResult,
  loadEvaluations,
  startEvaluation,
} from './runs.ts';

const FILE_LABEL = 'File of labelled cases';

/** Ids of the runs that the page showed last, for the menu link, which has no query. */
let latestIds: string[] = [];

/** Returns the ids of the shown runs and of the running evaluation, and keeps them in the address bar. */
function useRunIds() {
  const { query } = useLocation();
  const [ids, setIds] = useState(() => query.get('runs')?.split(',') ?? latestIds);
  useEffect(() => setQueryParameters({ runs: ids.join(',') }), [ids, query.get('runs')]);
  const showIds = (runs: EvaluationRun[]) => {
    latestIds = runs.map(({ id }) => id);
    setIds(latestIds);
  };
  return { ids, showIds };
}

export default function EvaluationPage() {
  const [runs, setRuns] = useState<EvaluationRunWithResult[]>([]);
  const [current, setCurrent] = useState<EvaluationRun | null>(null);
  const { ids, showIds } = useRunIds();
  const polling = useRef(new AbortController());
  const { isRunning, problem, run } = useAction();
  const startPolling = () => (polling.current = new AbortController()).signal;
  const wait = async (started: EvaluationRun, earlier: EvaluationRunWithResult[], signal: AbortSignal) => {
    const ended = await waitForEvaluation(started, { onProgress: setCurrent, signal })
      .catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      })
      .finally(() => setCurrent(null));
    if (ended === null) return;
    const shown = hasEvaluationResult(ended) ? [...earlier.slice(-1), ended] : earlier;
    setRuns(shown);
    showIds(shown);
    if (ended.failed) throw new ApiProblem(ended.failed);
  };
  const evaluate = (file: File) =>
    void run(async () => {
      const signal = startPolling();
      const started = await startEvaluation(file, runs.at(-1)?.id ?? null);
      showIds([...runs, started]);
      await wait(started, runs, signal);
    });
  const resume = async () => {
    const signal = startPolling();
    const known = await loadEvaluations(ids);
    const ended = known.filter(hasEvaluationResult);
    setRuns(ended);
    showIds(known);
    const open = known.find(({ state }) => state === 'checking');
    if (open) await wait(open, ended, signal);
  };
  useEffect(() => {
    if (ids.length > 0) void run(resume);
    return () => polling.current.abort();
  }, []);
  const stop = (id: string) => {
    polling.current.abort();
    showIds(runs);
    void discardEvaluation(id).catch(() => undefined);
  };
  return (
    <>
      <PageHeader
        title="Evaluation"
        about="Measures on your labelled cases how well scores separate genuine people from others."
      >
        {runs.length === 0 ? null : (
          <FileButton label={FILE_LABEL} disabled={isRunning} onFile={evaluate}>
            {runs.length === 1 ? 'Compare with another file' : 'Evaluate another file'}
          </FileButton>
        )}
      </PageHeader>
      <ErrorNote problem={problem} />
      {isRunning ? <Progress run={current} stop={stop} /> : null}
      {runs.length > 0 ? <Runs runs={runs} /> : isRunning ? null : <NoRun onFile={evaluate} />}
    </>
  );
}

function Progress({ run, stop }: { run: EvaluationRun | null; stop(id: string): void }) {
  const progress = run?.progress;
  return (
    <Card>
      <ProgressBar label="Checked cases" share={progress ? progress.done / progress.cases : null}>
        {progress
          ? `${formatNumber(progress.done)} of ${formatNumber(progress.cases)} cases `
          : 'Reading the file '}
        {run ? (
          <Button small onClick={() => stop(run.id)}>
            Stop
          </Button>
        ) : null}
      </ProgressBar>
    </Card>
  );
}

const NoRun = ({ onFile }: { onFile(file: File): void }) => (
  <Card flat>
    <EmptyState title="No evaluation yet">
      <p>
        Choose a file with the columns name, e-mail, phone and address, and a column <code>genuine</code> (yes
        or no). The server checks each case. The checks are not billed and the file is not stored.
      </p>
      <FileButton label={FILE_LABEL} primary onFile={onFile}>
        Choose file
      </FileButton>
      <p class="small">
        For more than 50,000 cases, run <code>bonafide evaluate</code> on the server.
      </p>
    </EmptyState>
  </Card>
);

function Runs({ runs }: { runs: EvaluationRunWithResult[] }) {
  const [threshold, setThreshold] = useState(65);
  const latest = runs.at(-1);
  return (
    <div class="stack loose">
      <div class="stack tight">
        {runs.map((run) => (
          <EvaluationRunSummary key={run.id} run={run} />
        ))}
      </div>
      <MetricsCard runs={runs} />
      <Card title="Threshold" about="Cases with this score or more are accepted.">
        <TextField
          label={`Threshold: ${threshold}`}
          type="range"
          min="0"
          max="100"
          value={String(threshold)}
          onChange={(text) => setThreshold(Number(text))}
        />
        <AcceptedAndRejectedCasesTable runs={runs} threshold={threshold} />
      </Card>
      {runs.map((run, i) => (
        <RunCard key={run.id} run={run} number={runs.length > 1 ? i + 1 : null} threshold={threshold} />
      ))}
      {latest ? <WorstCasesCard run={latest} /> : null}
    </div>
  );
}

interface RunCardProps {
  run: EvaluationRunWithResult;
  /** Number of the run (1 or 2) if two runs are shown; otherwise null. */
  number: number | null;
  threshold: number;
}

function RunCard({ run, number, threshold }: RunCardProps) {
  const { isRunning, problem, run: act } = useAction();
  const saveReport = () =>
    act(async () => {
      const name = run.name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-');
      saveFile(`evaluation-${name}.html`, await getEvaluationReport(run.id));
    });
  return (
    <Card
      title={
        <>
          {number === null ? '' : `${number}: `}
          <bdi>{run.name}</bdi>
        </>
      }
      about="Score distribution. Green: genuine. Grey: not genuine. Pale: below the threshold. The heights are square roots."
      end={
        <Button small disabled={isRunning} label={`Save report of ${run.name}`} onClick={saveReport}>
          Save report
        </Button>
      }
    >
      <ErrorNote problem={problem} />
      <ScoreDistribution run={run} threshold={threshold} />
      <div class="pair">
        <figure>
          <CalibrationPlot run={run} />
          <figcaption class="small soft">
            <b>Calibration.</b> Share of genuine cases at each score, with a 90 % band. On the dashed line, a
            score of 70 is right in 70 % of the cases.
          </figcaption>
        </figure>
        <figure>
          <RocPlot run={run} threshold={threshold} />
          <figcaption class="small soft">
            <b>ROC curve.</b> Accepted genuine cases against accepted cases that are not genuine. A curve
            nearer to the upper left corner is better. The dot is the threshold.
          </figcaption>
        </figure>
      </div>
    </Card>
  );
}
