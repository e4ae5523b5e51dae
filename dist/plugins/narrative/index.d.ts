import { v } from 'bonafide/plugin';
import type { Tier } from './words.ts';
declare const _default: import("bonafide/plugin").FeatureDefinition<"history" | "intent" | "matches" | "score", v.GenericSchema<Record<string, never>>, v.ObjectSchema<{
    readonly summary: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>;
    readonly key_factors: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly red_flags: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly recommendations: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly overview: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>;
    readonly key_findings: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly positive_signals: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly risk_factors: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
    readonly recommended_actions: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, number, undefined>]>, undefined>, v.MaxLengthAction<string[], number, undefined>]>;
}, undefined>, {
    intent: import("../../src/model.ts").Intent;
    score: {
        score: number;
        band: import("../../src/model.ts").Band;
        verdict: import("bonafide/plugin").VerdictWord;
        confidence: import("../../src/model.ts").Confidence;
        possible_catfish: boolean;
    };
    matches: {
        name: import("../../src/model.ts").MatchStatus;
        email: import("bonafide/plugin").FieldFacts;
        phone: import("bonafide/plugin").FieldFacts;
        address: import("bonafide/plugin").FieldFacts;
        contacts: import("bonafide/plugin").FieldFacts;
        identities: number;
    };
    history: {
        days_since_first_seen: number | null;
        days_since_last_seen: number | null;
        first_seen?: undefined;
        last_seen?: undefined;
        reaches_back?: undefined;
    } | {
        days_since_first_seen: number | null;
        days_since_last_seen: number | null;
        first_seen: string;
        last_seen: string;
        reaches_back: string;
    };
    situation: import("./words.ts").Situation;
    tier: Tier;
    review_priority: import("./priority.ts").Priority;
}, "trust_enhancement">;
export default _default;
