// What an answer tells of limits, in the form of draft-ietf-httpapi-ratelimit-headers-10: two structured fields (RFC 9651).

/** One policy as callers see it. Times are milliseconds. */
export interface Policy {
  /** `in-flight`, `rate`, `quota`, `probes`. */
  name: string;
  quota: number;
  /** The length of its window. */
  window?: number;
  /** What is counted, where that is not requests. */
  unit?: 'concurrent-requests';
  remaining: number;
  /** Until the quota is whole again. */
  reset?: number;
}

/** The values of `RateLimit-Policy` and `RateLimit`, every policy in each. */
export function limitFields(policies: readonly Policy[]): { policy: string; limit: string } {
  return { policy: policies.map(policyItem).join(', '), limit: policies.map(limitItem).join(', ') };
}

function policyItem({ name, quota, window, unit }: Policy): string {
  const length = window === undefined ? '' : `;w=${seconds(window)}`;
  return `"${name}";q=${quota}${length}${unit ? `;qu="${unit}"` : ''}`;
}

function limitItem({ name, remaining, reset }: Policy): string {
  return `"${name}";r=${Math.max(0, remaining)}${reset === undefined ? '' : `;t=${seconds(reset)}`}`;
}

/** Whole seconds, rounded up: who waits as long as it says is not early. */
export const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));
