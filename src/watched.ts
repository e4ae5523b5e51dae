// A call's stages, measured from outside: validate.ts tells its story without a clock.
import type { Stage } from './observe/metrics/calls.ts';
import type { Call, ValidateDeps } from './validate.ts';

/** Told of a stage when it has ended. `started` is on the clock of `performance.now`. */
export type Took = (stage: Stage, started: number) => void;

/** What calls are worked on with, its slow parts measured. */
export function watchedWork(work: ValidateDeps, took: Took): ValidateDeps {
  const { graph, insights, recorder } = work;
  return {
    ...work,
    graph: { resolve: (query) => timed('graph', took, () => graph.resolve(query)) },
    insights: insights && {
      ...insights,
      features: { insights: (request) => timed('insights', took, () => insights.features.insights(request)) },
    },
    recorder: recorder && { write: (...written) => timed('record', took, () => recorder.write(...written)) },
  };
}

/** A call whose reading and answering are measured. */
export function watchedCall<T>(call: Call<T>, took: Took): Call<T> {
  return {
    ...call,
    submitted: () => timed('read', took, call.submitted),
    content: (...made) => timed('answer', took, () => call.content(...made)),
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
