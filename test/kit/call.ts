import { requestId } from '../../src/http/ids.ts';
import type { CallRecord } from '../../src/model.ts';

export function sampleCall(over: Partial<CallRecord> = {}): CallRecord {
  return {
    requestId: requestId(Date.now()),
    keyId: 'key_a',
    time: Date.now(),
    endpoint: 'validate',
    responseVersion: 'v1',
    emails: 1,
    phones: 2,
    addresses: 0,
    score: 71,
    band: 'MEDIUM',
    confidence: 'HIGH',
    catfish: false,
    different: 1,
    unverified: 0,
    latencyMs: 2,
    ...over,
  };
}
