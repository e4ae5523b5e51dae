// Runners of built-in plugins, which run in this process because they are reviewed and tested with Bonafide.
import * as v from 'valibot';
import { listAnswerIssueSentences } from '../guard/guard.ts';
import { type AnyFeature, type AnyModel, getAnswerJsonSchema } from '../plugin/define.ts';
import type { AnyGraph, GraphQuestion } from '../plugin/graph.ts';
import { describeFirstSettingsIssue } from '../settings.ts';
import type {
  OptionsValidationResult,
  FeatureRunner,
  ModelRunner,
  ModelStartOptions,
  RunningModel,
} from './runner.ts';

/** Validates options by the plugin's schema. A problem names the option but not its value. */
function validatePluginOptions(
  schema: v.GenericSchema | undefined,
  options: unknown,
): OptionsValidationResult<unknown> {
  if (!schema) {
    const [extra] = Object.keys(options as object);
    return extra === undefined ? { ok: true, value: {} } : { ok: false, problem: `has no option "${extra}"` };
  }
  const result = v.safeParse(schema, options);
  if (result.success) return { ok: true, value: result.output };
  return { ok: false, problem: `options: ${describeFirstSettingsIssue(result.issues)}` };
}

export function createLocalFeatureRunner(feature: AnyFeature): FeatureRunner {
  const { name, version, gives, facts, advice = [] } = feature;
  return {
    name,
    version,
    gives,
    facts,
    advice,
    jsonSchema: getAnswerJsonSchema(feature),
    hasRules: feature.rules !== undefined,
    accept: (options) => validatePluginOptions(feature.options, options),
    prepare(known, options) {
      const brief = feature.brief(known, options);
      const system = feature.system(brief, options as never);
      return { brief, system, needsModel: feature.needsModel?.(brief) ?? true };
    },
    rules: ({ brief, options }) => feature.rules?.(brief, options as never),
    parse(answer) {
      const result = v.safeParse(feature.answer, answer);
      return result.success
        ? { ok: true, value: result.output }
        : { ok: false, problems: listAnswerIssueSentences(feature.answer, result.issues) };
    },
    check: (answer, { brief }) => feature.check?.(answer as never, brief) ?? [],
    finish: (answer, given) => feature.finish(answer, given),
  };
}

export function createLocalModelRunner(model: AnyModel): ModelRunner {
  const { name, version, instant = false, concurrency } = model;
  return {
    name,
    version,
    instant,
    concurrency,
    accept(given) {
      const options = validatePluginOptions(model.options, given);
      if (!options.ok) return options;
      const label = model.label?.(options.value as never);
      return { ok: true, value: { options: options.value, label } };
    },
    start: (given) => startLocalModel(model, given),
  };
}

/** Converts a graph plugin to a model plugin whose facts are the graph query, so that it runs like a model. */
export function wrapGraphPluginAsModelPlugin({ lookUp, ...graph }: AnyGraph): AnyModel {
  return {
    ...graph,
    kind: 'model',
    generate: ({ facts, signal }, context) => lookUp(facts as GraphQuestion, { ...context, signal }),
  };
}

function startLocalModel(model: AnyModel, { options, secret }: ModelStartOptions): RunningModel {
  let opened: Promise<unknown> | undefined;
  const open = (): Promise<unknown> => {
    opened ??= (async () => model.open?.({ options, secret }))().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    generate: (ask) =>
      model.open
        ? open().then((state) => model.generate(ask, { options, state, secret }))
        : model.generate(ask, { options, state: undefined, secret }),
    open: () => (model.open ? open() : undefined),
    async close() {
      if (opened && model.close) await opened.then((state) => model.close?.(state));
    },
  };
}
