import { v } from 'bonafide/plugin';
import type { Variation } from 'bonafide/plugin';
declare const answer: v.ObjectSchema<{
    readonly match_confidence: v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 100, undefined>]>;
    readonly same_person_likely: v.BooleanSchema<undefined>;
    readonly concerns: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 300, undefined>]>, undefined>, v.MaxLengthAction<string[], 3, undefined>]>;
    readonly explanation: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 300, undefined>]>;
}, undefined>;
type Answer = v.InferOutput<typeof answer>;
interface Brief {
    provided: string;
    matched: string | null;
    engine: {
        match_confidence: number;
        variation_type: Variation;
        same_person_likely: boolean;
        concerns: string[];
        explanation: string;
    };
}
/** The engine wins on disagreement beyond the band; within it, the model's words and figure are taken. */
export declare function merge(said: Answer, { engine }: Brief, band: number): Answer;
declare const _default: import("bonafide/plugin").FeatureDefinition<"names", v.StrictObjectSchema<{
    /** How far, in points of confidence, a model may move from the engine. */
    readonly band: v.OptionalSchema<v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 30, undefined>]>, 10>;
}, undefined>, v.ObjectSchema<{
    readonly match_confidence: v.SchemaWithPipe<readonly [v.NumberSchema<undefined>, v.IntegerAction<number, undefined>, v.MinValueAction<number, 0, undefined>, v.MaxValueAction<number, 100, undefined>]>;
    readonly same_person_likely: v.BooleanSchema<undefined>;
    readonly concerns: v.SchemaWithPipe<readonly [v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 300, undefined>]>, undefined>, v.MaxLengthAction<string[], 3, undefined>]>;
    readonly explanation: v.SchemaWithPipe<readonly [v.StringSchema<undefined>, v.TrimAction, v.MinLengthAction<string, 1, undefined>, v.MaxLengthAction<string, 300, undefined>]>;
}, undefined>, Brief, "name_matching">;
export default _default;
