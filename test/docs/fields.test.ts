import { expect, test } from 'vitest';
import { pageText } from '../kit/pages.ts';
import { fieldsPage } from './fields.ts';

test('the field reference says what the schemas say', () => {
  // To update the page: node test/docs/fields.ts
  expect(pageText('fields')).toBe(fieldsPage());
});
