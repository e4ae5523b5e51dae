import type { AnyFeature } from './define.ts';
/** A feature's answer schema as JSON Schema (draft 7), converted once. */
export declare function jsonSchemaOf(feature: AnyFeature): Record<string, unknown>;
