import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseClaim } from '../../src/claim/parse.ts';
import { problemOf } from '../kit/claims.ts';

const NAME = { name: 'Jane Doe' };

describe('any body', () => {
  it('gives a claim, or a problem that repeats no value', () => {
    const secret = 'Zyxwvut9';
    const value = fc.oneof(
      fc.constant(secret),
      fc.constant([secret]),
      fc.constant({ [secret]: secret }),
      fc.jsonValue(),
    );
    const field = fc.constantFrom(
      'name',
      'emails',
      'phones',
      'addresses',
      'nameAddresses',
      'intent',
      'operation',
      'emailAddresses',
    );
    fc.assert(
      fc.property(fc.dictionary(field, value), (body) => {
        const problem = problemOf(body);
        const said = JSON.stringify(problem?.errors?.map(({ code, detail }) => code + detail) ?? '');
        expect(said).not.toContain(secret);
      }),
    );
  });

  it('is rejected with at most fifty issues, even if hostile', () => {
    const many = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`f${i}`, 1]));
    const bodies = [
      JSON.stringify({ ...NAME, ...many }),
      JSON.stringify({ ...NAME, emails: Array(20_000).fill('') }),
      `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"name":"${'\\"'.repeat(30_000)}"}`,
      JSON.stringify({ name: 'x'.repeat(60_000) }),
      JSON.stringify({ ...NAME, emails: [`${'a.'.repeat(30_000)}@x`] }),
      JSON.stringify({ ...NAME, ['x'.repeat(60_000)]: 1 }),
    ];
    for (const body of bodies) {
      const { code, errors = [] } = problemOf(body) ?? {};
      expect(code).toBe('invalid_request');
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(50);
    }
  });

  it('is rejected without reading the entries beyond the limit of a list', () => {
    const emails = Array.from({ length: 20_000 }, () => 'a@b.com');
    Object.defineProperty(emails, 5, { get: () => expect.fail('this value was read') });
    expect(() => parseClaim({ value: { ...NAME, emails }, issues: [] }, 'US')).toThrow(
      expect.objectContaining({ details: { issues: [expect.objectContaining({ code: 'too_many' })] } }),
    );
  });
});
