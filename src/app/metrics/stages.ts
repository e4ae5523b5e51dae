// Measures the stages of a call from outside, so that validate.ts contains no timing code.
import type { CallMetrics, CallStage } from '../../observe/metrics/calls.ts';
import type { ValidationCall, ValidateDeps } from '../../validate.ts';

/** Called when a stage has ended. `started` is in milliseconds by `performance.now`. */
type ReportStage = (stage: CallStage, started: number) => void;

/** One in this many checks without AI insights or trace is measured. Measuring a check takes 2.5 % of its time. */
const MEASURE_EVERY = 8;

/**
 * Creates a function that adds time measurement to a call and its dependencies. It measures every call with AI insights, every traced call and
 * every eighth other call. Stages of a traced call are also added to its trace.
 */
export function createCallStageTimer(work: ValidateDeps, { stage }: Pick<CallMetrics, 'stage'>) {
  const counted: ReportStage = (name, started) => stage(name, performance.now() - started);
  const usual = timeDeps(work, counted);
  let seen = 0;
  return <T>(call: ValidationCall<T>): { call: ValidationCall<T>; work: ValidateDeps } => {
    const { onStageEnd: took } = call;
    if (!took) {
      const measured = call.endpoint !== 'validate' || seen++ % MEASURE_EVERY === 0;
      return measured ? { call: timeCall(call, counted), work: usual } : { call, work };
    }
    const reportStage: ReportStage = (name, started) => {
      counted(name, started);
      took(name, started);
    };
    return { call: timeCall(call, reportStage), work: timeDeps(work, reportStage) };
  };
}

function timeDeps(work: ValidateDeps, took: ReportStage): ValidateDeps {
  const { graph, insights, recorder } = work;
  return {
    ...work,
    graph: { resolve: (query) => measureStage('graph', took, () => graph.resolve(query)) },
    insights: insights && {
      ...insights,
      features: {
        insights: (request) => measureStage('insights', took, () => insights.features.insights(request)),
      },
    },
    recorder: recorder && {
      write: (...written) => measureStage('record', took, () => recorder.write(...written)),
    },
  };
}

function timeCall<T>(call: ValidationCall<T>, took: ReportStage): ValidationCall<T> {
  return {
    ...call,
    readBody: () => measureStage('read', took, call.readBody),
    buildContent: (...made) => measureStage('answer', took, () => call.buildContent(...made)),
  };
}

/** Runs one stage and reports its duration. Returns the stage's own promise, because another promise would delay it. */
function measureStage<T>(stage: CallStage, took: ReportStage, work: () => T): T {
  const started = performance.now();
  const result = work();
  if (result instanceof Promise) {
    const endStage = () => took(stage, started);
    result.then(endStage, endStage);
  } else took(stage, started);
  return result;
}
