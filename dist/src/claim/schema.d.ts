import * as v from 'valibot';
import type { Address } from '../model.ts';
export declare const MAX_VALUES = 5;
export declare const request: v.ObjectSchema<{
    readonly name: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "empty">, v.CheckAction<string, "too_long">, v.CheckAction<string, "no_letter">]>, undefined>;
    readonly emails: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.RawTransformAction<string, string>]>, "wrong_type">, undefined>;
    readonly phones: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "invalid_phone">]>, "wrong_type">, undefined>;
    readonly addresses: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.ObjectSchema<{
        readonly street: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        readonly street2: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        readonly city: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        readonly state: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        readonly zip: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        readonly country: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
    }, "wrong_type">, v.TransformAction<{
        street?: string | undefined;
        street2?: string | undefined;
        city?: string | undefined;
        state?: string | undefined;
        zip?: string | undefined;
        country?: string | undefined;
    }, Address>, v.CheckAction<Address, "empty">]>, "wrong_type">, undefined>;
    readonly intent: v.SchemaWithFallback<v.OptionalSchema<v.PicklistSchema<readonly ["online-dating", "buying-or-selling", "sending-money", "suspected-scam", "reconnecting", "general"], undefined>, "general">, "general">;
    readonly operation: v.OptionalSchema<v.PicklistSchema<["validate", "raw"], "invalid_operation">, "validate">;
    readonly include_trust_enhancement: v.OptionalSchema<v.BooleanSchema<"wrong_type">, true>;
    readonly include_fraud_detection: v.OptionalSchema<v.BooleanSchema<"wrong_type">, true>;
    readonly include_name_matching: v.OptionalSchema<v.BooleanSchema<"wrong_type">, true>;
    readonly nameAddresses: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.ObjectSchema<{
        readonly fullName: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "empty">, v.CheckAction<string, "too_long">, v.CheckAction<string, "no_letter">]>, undefined>;
        readonly address: v.OptionalSchema<v.SchemaWithPipe<readonly [v.ObjectSchema<{
            readonly line1: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
            readonly line2: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
            readonly city: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
            readonly region: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
            readonly postalCode: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
            readonly countryCode: v.OptionalSchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "too_long">]>, undefined>;
        }, "wrong_type">, v.TransformAction<{
            line1?: string | undefined;
            line2?: string | undefined;
            city?: string | undefined;
            region?: string | undefined;
            postalCode?: string | undefined;
            countryCode?: string | undefined;
        }, Address>, v.CheckAction<Address, "empty">]>, undefined>;
    }, "wrong_type">, v.CheckAction<{
        fullName?: string | undefined;
        address?: Address | undefined;
    }, "empty">]>, "wrong_type">, undefined>;
    readonly emailAddresses: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.RawTransformAction<string, string>]>, "wrong_type">, undefined>;
    readonly phoneNumbers: v.OptionalSchema<v.ArraySchema<v.SchemaWithPipe<readonly [v.StringSchema<"wrong_type">, v.CheckAction<string, "not_unicode">, v.TransformAction<string, string>, v.CheckAction<string, "invalid_phone">]>, "wrong_type">, undefined>;
}, undefined>;
/** Field names, for telling which sent field is unknown and what it was meant to be. */
export declare const FIELDS: {
    request: string[];
    address: string[];
    nameAddress: string[];
    legacyAddress: string[];
};
