// Administrative routes answer as the API description says, and accept its examples.
import { expect, test } from 'vitest';
import { validatorOf } from '../../kit/openapi.ts';
import type { Document } from '../../kit/openapi.ts';
import { createWebhookSetting, json } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { sendExamples } from '../openapi/admin-examples.ts';
import { adminApp } from './kit.ts';

test('every administrative route accepts its examples, and answers as described', async () => {
  const it = await adminApp({
    settings: {
      backup: `every=24h,to=${freshFolder()}`,
      watches: 'true',
      webhook: createWebhookSetting(),
      invoice: JSON.stringify({ issuer: { name: 'Example Ltd', address: ['1 Main Street'] } }),
    },
  });
  const document = (await json(it.send('/openapi.json', { key: null }))) as Document;
  const { faults } = validatorOf(document);
  const answered = await sendExamples(it, document);
  expect(answered.length).toBeGreaterThan(30);
  for (const one of answered) expect(faults(one)).toEqual([]);
});
