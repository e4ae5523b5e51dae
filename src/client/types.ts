// What is sent and answered, from the schemas that the server reads requests with and describes its answers by.
import type * as v from 'valibot';
import type { check1, check2, enhanced1, enhanced2 } from '../http/schema/check.ts';
import type { recordsTaken } from '../http/schema/records.ts';
import type { earlierCall, outcome, usage } from '../http/schema/calls.ts';
import type { currentRequest, legacyRequest } from '../http/schema/request.ts';

/** One name, and the contacts that are said to belong to it. */
export type CheckRequest = v.InferInput<typeof currentRequest>;
/** The same in the older shape. */
export type LegacyCheckRequest = v.InferInput<typeof legacyRequest>;

export type Check = v.InferOutput<typeof check1>;
export type CheckV2 = v.InferOutput<typeof check2>;
export type EnhancedCheck = v.InferOutput<typeof enhanced1>;
export type EnhancedCheckV2 = v.InferOutput<typeof enhanced2>;
export type EarlierCall = v.InferOutput<typeof earlierCall>;
export type Outcome = v.InferOutput<typeof outcome>;
export type RecordsTaken = v.InferOutput<typeof recordsTaken>;
export type Usage = v.InferOutput<typeof usage>;

export type Version = 'v1' | 'v2';
export type CheckOf<V extends Version> = V extends 'v2' ? CheckV2 : Check;
export type EnhancedOf<V extends Version> = V extends 'v2' ? EnhancedCheckV2 : EnhancedCheck;
