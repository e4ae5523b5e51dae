// A call's stages, measured from outside: validate.ts tells its story without a clock.
import type { CallMetrics, Stage } from '../../observe/metrics/calls.ts';
import type { ValidationCall, ValidateDeps } from '../../validate.ts';

/** Told of a stage when it has ended. `started` is on the clock of `performance.now`. */
type ReportStage = (stage: Stage, started: number) => void;

/** Reading the clock some ten times costs 2.5 µs, a fortieth of a plain check: one of eight is told as well by itself as by all. */
const MEASURE_EVERY = 8;

/**
 * Gives a call and what it is worked on with, both measured: of plain checks every eighth, of explained ones each. Where the call is traced,
 * its trace is told as well.
 */
export function createStageTimer(work: ValidateDeps, { stage }: Pick<CallMetrics, 'stage'>) {
  const counted: ReportStage = (name, started) => stage(name, performance.now() - started);
  const usual = timeDeps(work, counted);
  let seen = 0;
  return <T>(call: ValidationCall<T>): { call: ValidationCall<T>; work: ValidateDeps } => {
    const { onStageEnd: took } = call;
    if (!took) {
      const measured = call.endpoint !== 'validate' || seen++ % MEASURE_EVERY === 0;
      return measured ? { call: timeCall(call, counted), work: usual } : { call, work };
    }
    const told: ReportStage = (name, started) => {
      counted(name, started);
      took(name, started);
    };
    return { call: timeCall(call, told), work: timeDeps(work, told) };
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

/** Runs a part and measures it; a promise is given on as it is, for a second one would cost a turn of the queue. */
function measureStage<T>(stage: Stage, took: ReportStage, work: () => T): T {
  const started = performance.now();
  const result = work();
  if (result instanceof Promise) {
    const done = () => took(stage, started);
    result.then(done, done);
  } else took(stage, started);
  return result;
}
