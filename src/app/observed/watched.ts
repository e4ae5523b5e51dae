// A call's stages, measured from outside: validate.ts tells its story without a clock.
import type { CallMetrics, Stage } from '../../observe/metrics/calls.ts';
import type { ValidationCall, ValidateDeps } from '../../validate.ts';

/** Told of a stage when it has ended. `started` is on the clock of `performance.now`. */
type Took = (stage: Stage, started: number) => void;

/** Reading the clock some ten times costs 2.5 µs, a fortieth of a plain check: one of eight is told as well by itself as by all. */
const MEASURED_OF = 8;

/**
 * Gives a call and what it is worked on with, both measured: of plain checks every eighth, of explained ones each. Where the call is traced,
 * its trace is told as well.
 */
export function watching(work: ValidateDeps, { stage }: Pick<CallMetrics, 'stage'>) {
  const counted: Took = (name, started) => stage(name, performance.now() - started);
  const usual = watchedWork(work, counted);
  let seen = 0;
  return <T>(call: ValidationCall<T>): { call: ValidationCall<T>; work: ValidateDeps } => {
    const { onStageEnd: took } = call;
    if (!took) {
      const measured = call.endpoint !== 'validate' || seen++ % MEASURED_OF === 0;
      return measured ? { call: watchedCall(call, counted), work: usual } : { call, work };
    }
    const told: Took = (name, started) => {
      counted(name, started);
      took(name, started);
    };
    return { call: watchedCall(call, told), work: watchedWork(work, told) };
  };
}

function watchedWork(work: ValidateDeps, took: Took): ValidateDeps {
  const { graph, insights, recorder } = work;
  return {
    ...work,
    graph: { resolve: (query) => timed('graph', took, () => graph.resolve(query)) },
    insights: insights && {
      ...insights,
      features: { insights: (request) => timed('insights', took, () => insights.features.insights(request)) },
    },
    recorder: recorder && {
      write: (...written) => timed('record', took, () => recorder.write(...written)),
    },
  };
}

function watchedCall<T>(call: ValidationCall<T>, took: Took): ValidationCall<T> {
  return {
    ...call,
    readBody: () => timed('read', took, call.readBody),
    buildContent: (...made) => timed('answer', took, () => call.buildContent(...made)),
  };
}

/** Runs a part and measures it; a promise is given on as it is, for a second one would cost a turn of the queue. */
function timed<T>(stage: Stage, took: Took, work: () => T): T {
  const started = performance.now();
  const result = work();
  if (result instanceof Promise) {
    const done = () => took(stage, started);
    result.then(done, done);
  } else took(stage, started);
  return result;
}
