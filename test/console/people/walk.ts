// The part of the walk about people on record: somebody is found, looked at, judged, exported and forgotten.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { faultsOf, XSS } from '../kit.ts';
import type { Site } from '../kit.ts';

const FROM_RIGHT = 'שם ארוך מאוד של אדם אחד '.repeat(8).trim();
const QUILL = { name: `${XSS} Quill`, emails: ['ada.quill@example.com'], phones: ['+1 415 555 0188'] };
const AT = { addresses: [{ street: '4 Fern Lane', city: 'Salem', state: 'OR', zip: '97301' }] };
const RECORDS = [
  { source: 'crm', record_id: '1', ...QUILL, ...AT },
  { source: XSS, record_id: XSS, ...QUILL },
  { source: 'مصدر', record_id: 'x'.repeat(120), ...QUILL, ...AT },
  { source: 'shop', record_id: '4', name: QUILL.name, emails: QUILL.emails },
  { source: 'shop', record_id: '5', name: FROM_RIGHT, emails: ['ben.long@example.com'] },
];

export async function looksAfterPeople(page: Page, { app }: Site): Promise<void> {
  const put = await app.send('/admin/v1/records', {
    method: 'POST',
    key: app.key(['admin']),
    headers: { 'content-type': 'application/x-ndjson' },
    body: RECORDS.map((one) => `${JSON.stringify(one)}\n`).join(''),
  });
  expect(put.status).toBe(200);
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.getByRole('tab', { name: 'People' }).click();
  expect(await faultsOf(page)).toEqual([]);
  await find(page, 'ben.long@example.com');
  await page.getByText(FROM_RIGHT).first().waitFor();
  await page.getByRole('button', { name: /^Look at identity/ }).click();
  await page.getByText('there is nothing to hold together').waitFor();
  await find(page, 'ada.quill@example.com');
  await page.getByText(QUILL.name).first().waitFor();
  await page.getByRole('button', { name: /^Look at identity/ }).click();
  await weighs(page);
  await judges(page);
  await forgets(page);
  await page.getByRole('link', { name: 'Check' }).click();
}

async function find(page: Page, email: string): Promise<void> {
  await page.getByLabel('Value').fill(email);
  await page.getByRole('button', { name: 'Find' }).click();
  expect(page.url()).not.toContain('example');
}

async function weighs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Weigh 6 links' }).click();
  await page.getByRole('img', { name: /^4 records and what links them/ }).waitFor();
  const links = page.getByRole('region', { name: 'Links, as a table' });
  expect(await links.getByRole('row').count()).toBe(7);
  expect(await links.getByText(/^the strongest/).count()).toBe(1);
  expect(await links.getByText(/^the weakest that holds/).count()).toBe(1);
  await links
    .getByText(/reasons?$/)
    .first()
    .click();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
}

async function judges(page: Page): Promise<void> {
  await page.getByLabel('Record 4 is somebody else’s').check();
  await page.getByRole('button', { name: 'Split off 1 record' }).click();
  await page.getByLabel('The reason').fill(XSS);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Split off' }).click();
  const other = page.getByRole('link', { name: /^identity \d+$/ });
  await other.waitFor();
  const number = (await other.innerText()).replace(/\D/g, '');
  await page.getByRole('button', { name: 'Weigh 3 links' }).waitFor();
  await page.getByRole('button', { name: 'Join with…' }).click();
  await page.getByLabel('The other identity’s number').fill('999999');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('The other identity’s number').fill(number);
  await page.getByRole('dialog').getByText(QUILL.name).waitFor();
  await page.getByLabel('The reason').fill('they told us');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('button', { name: 'Weigh 6 links' }).waitFor();
  const back = page.url();
  await page.getByRole('tab', { name: 'Judgements' }).click();
  await page.getByRole('cell', { name: XSS }).waitFor();
  await page.getByRole('button', { name: 'Undo judgement 2' }).click();
  await page.getByRole('button', { name: 'Undo it' }).click();
  await page.getByText('join, undone').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(back);
  await page.getByRole('button', { name: 'Weigh 3 links' }).waitFor();
}

async function forgets(page: Page): Promise<void> {
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await exported).suggestedFilename()).toMatch(/^identity-\d+\.json$/);
  await page.getByRole('button', { name: 'Forget…' }).click();
  const forget = page.getByRole('button', { name: 'Forget for good' });
  await page.getByLabel('Type: forget 3 records').fill('forget 2 records');
  expect(await forget.isDisabled()).toBe(true);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel('Type: forget 3 records').fill('forget 3 records');
  await forget.click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the receipt' }).click();
  const receipt = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as object;
  expect(receipt).toMatchObject({ what: 'erasure', records: 3, traces: [] });
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await find(page, 'ada.quill@example.com');
  // The one that was split off is somebody else's.
  await page.getByRole('region', { name: 'People found, as a table' }).waitFor();
  expect(await page.getByRole('button', { name: /^Look at identity/ }).count()).toBe(1);
  await find(page, 'nobody.at.all@example.com');
  await page.getByText('Nobody on record').waitFor();
}
