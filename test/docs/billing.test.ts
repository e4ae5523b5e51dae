import { expect, test } from 'vitest';
import { PLAN_TERMS_SCHEMA } from '../../src/accounts/billing/terms.ts';
import { PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS } from '../../src/commands/accounts/plans.ts';
import { pageText, rows, section } from '../kit/pages.ts';

test('every term of a plan, with its option, and no other', () => {
  const listed = rows(section(pageText('billing'), 'Terms of a plan')).map(([term, option]) => [
    term,
    option,
  ]);
  expect(listed).toEqual(Object.keys(PLAN_QUOTA_PRICE_AND_LIMIT_OPTIONS).map((name) => [name, `--${name}`]));
  const terms = listed.map(([term]) => term).filter((term) => term !== 'burst');
  expect(terms).toEqual(Object.keys(PLAN_TERMS_SCHEMA.entries));
});
