import type { Claim } from '../model.ts';
import { ProblemError } from '../http/problems.ts';
import type { Issue } from '../http/problems.ts';
/**
 * Reads the bytes of a body, in the current or the legacy shape, as a claim: NFC, trimmed, e-mails lowercased,
 * phones stripped to digits, values that are equal then are kept once, at the place of the first.
 * `before` are broken rules found outside the body; all are told in one answer.
 * Throws ProblemError: invalid_json; invalid_request with one issue for every broken rule.
 */
export declare function parseClaim(bytes: Uint8Array, before?: Issue[]): Claim;
export declare function invalidRequest(issues: Issue[]): ProblemError;
