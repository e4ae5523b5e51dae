import { describe, expect, it } from 'vitest';
import { limitFields } from '../../../src/accounts/limits/fields.ts';

describe('the fields of an answer', () => {
  it('name every policy as a structured string with its parameters', () => {
    const fields = limitFields([
      { name: 'rate', quota: 20, window: 2000, remaining: 19, reset: 100 },
      { name: 'quota', quota: 5000, window: 2_592_000_000, remaining: -3, reset: 86_400_000 },
      { name: 'in-flight', quota: 8, unit: 'concurrent-requests', remaining: 7 },
    ]);
    expect(fields).toEqual({
      policy: '"rate";q=20;w=2, "quota";q=5000;w=2592000, "in-flight";q=8;qu="concurrent-requests"',
      limit: '"rate";r=19;t=1, "quota";r=0;t=86400, "in-flight";r=7',
    });
  });
});
