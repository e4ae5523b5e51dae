import { v } from 'bonafide/plugin';
declare const _default: import("bonafide/plugin").FeatureDefinition<"history" | "intent" | "matches" | "score" | "stream", v.GenericSchema<Record<string, never>>, v.ObjectSchema<{
    readonly risk_level: v.PicklistSchema<readonly ["LOW", "MEDIUM", "HIGH"], undefined>;
    readonly patterns_detected: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 240, undefined>]>, undefined>, v.MaxLengthAction<string[], 6, undefined>]>;
    readonly consistency_issues: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 240, undefined>]>, undefined>, v.MaxLengthAction<string[], 6, undefined>]>;
    readonly recommendation: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 240, undefined>]>;
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
    };
    computed: {
        risk_level: import("./subject.ts").Risk;
        patterns: string[];
        inconsistencies: string[];
    };
}, "fraud_detection">;
export default _default;
