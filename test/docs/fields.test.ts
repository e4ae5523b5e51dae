import { expect, test } from 'vitest';
import { pageText } from '../kit/pages.ts';
import { fieldsPage } from './fields.ts';

test('the field reference says what the schemas say', () => {
  // Where it should be another: node test/docs/fields.ts
  expect(pageText('fields')).toBe(fieldsPage());
});
