// Plugin interface, published as `bonafide/plugin`. It is the only module of Bonafide that a plugin imports. A plugin is a feature (one
// part of `ai_insights`), a model (answers the questions of features) or a graph (answers checks).
export * as v from 'valibot';
// `Blocks`, `GraphValue` and `Slot` are former names, which plugins may still use.
export type {
  AiInsightsBlocks,
  AiInsightsBlocks as Blocks,
  FraudBlock,
  NameBlock,
  TrustBlock,
} from './blocks.ts';
export { defineFeature, defineModel } from './define.ts';
export type {
  AnyFeature,
  AnyModel,
  Ask,
  FeatureDefinition,
  ModelContext,
  ModelDefinition,
} from './define.ts';
export { defineGraph } from './graph.ts';
export type {
  AnyGraph,
  GraphContext,
  GraphDefinition,
  GraphFinding,
  GraphPerson,
  GraphQuestion,
  GraphQuestionValue,
  GraphQuestionValue as GraphValue,
} from './graph.ts';
export { ModelError } from './errors.ts';
export type { FeatureErrorCode } from './errors.ts';
export type {
  FactName,
  Facts,
  FieldFacts,
  NameFacts,
  AiInsightsPartName,
  AiInsightsPartName as Slot,
  StreamFacts,
  StreamRecord,
  Variation,
  VerdictWord,
} from './facts.ts';
export { postJson } from './provider.ts';
export type { Post } from './provider.ts';
export { messagesOf, systemText } from './provider.ts';
export type { Message } from './provider.ts';
