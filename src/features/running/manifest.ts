// What a plugin's thread tells of the plugins in it.
import * as v from 'valibot';
import { ALLOWED_FACTS, SLOTS } from '../plugin/facts.ts';
import type { AnyFeature, AnyModel } from '../plugin/define.ts';
import type { AnyGraph } from '../plugin/graph.ts';
import { jsonSchemaOf } from '../plugin/json-schema.ts';

const shared = { name: v.string(), version: v.string() };

const featureManifest = v.pipe(
  v.object({
    ...shared,
    kind: v.literal('feature'),
    gives: v.picklist(SLOTS),
    facts: v.array(v.picklist([...new Set(Object.values(ALLOWED_FACTS).flat())])),
    advice: v.array(v.string()),
    jsonSchema: v.record(v.string(), v.unknown()),
    hasRules: v.boolean(),
  }),
  // The thread has looked at this too; but what is handed out is decided here.
  v.check(({ gives, facts }) => facts.every((fact) => ALLOWED_FACTS[gives].includes(fact))),
);
const modelManifest = v.object({
  ...shared,
  kind: v.picklist(['model', 'graph']),
  concurrency: v.optional(v.number()),
  opens: v.boolean(),
});

export const MANIFESTS = v.array(v.union([featureManifest, modelManifest]));
export type FeatureManifest = v.InferOutput<typeof featureManifest>;
export type ModelManifest = v.InferOutput<typeof modelManifest>;
export type Manifest = FeatureManifest | ModelManifest;

/** A plugin as data: what the server needs of it without its functions. */
export function manifestOf(plugin: AnyFeature | AnyModel | AnyGraph): Manifest {
  const { name, version } = plugin;
  if (plugin.kind !== 'feature')
    return {
      kind: plugin.kind,
      name,
      version,
      concurrency: plugin.kind === 'model' ? plugin.concurrency : undefined,
      opens: plugin.open !== undefined,
    };
  const { gives, facts, advice = [], rules } = plugin;
  return {
    kind: 'feature',
    name,
    version,
    gives,
    facts: [...facts],
    advice: [...advice],
    jsonSchema: jsonSchemaOf(plugin),
    hasRules: rules !== undefined,
  };
}
