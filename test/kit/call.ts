import { createRequestId } from '../../src/platform/request-id.ts';
import type { LoggedCall } from '../../src/accounts/model.ts';

export function sampleCall(over: Partial<LoggedCall> = {}): LoggedCall {
  return {
    requestId: createRequestId(Date.now()),
    keyId: 'key_a',
    account: null,
    time: Date.now(),
    endpoint: 'validate',
    responseVersion: 'v1',
    intent: 'general',
    emails: 1,
    phones: 2,
    addresses: 0,
    score: 71,
    band: 'MEDIUM',
    confidence: 'HIGH',
    verdict: 'verified',
    catfish: false,
    different: 1,
    unverified: 0,
    scoringModel: 1,
    latencyMs: 2,
    test: false,
    ...over,
  };
}
