export declare const RULES: import("./plugin/define.ts").ModelDefinition<import("valibot").GenericSchema<Record<string, never>>, undefined>;
