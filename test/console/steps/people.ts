// People on record: search, links, manual links, export and deletion.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeViolations, type Site, XSS } from '../browser.ts';

const RIGHT_TO_LEFT = 'שם ארוך מאוד של אדם אחד '.repeat(8).trim();
const QUILL = { name: `${XSS} Quill`, emails: ['ada.quill@example.com'], phones: ['+1 415 555 0188'] };
const HOME = { addresses: [{ street: '4 Fern Lane', city: 'Salem', state: 'OR', zip: '97301' }] };
const RECORDS = [
  { source: 'crm', record_id: '1', ...QUILL, ...HOME },
  { source: XSS, record_id: XSS, ...QUILL },
  { source: 'مصدر', record_id: 'x'.repeat(120), ...QUILL, ...HOME },
  { source: 'shop', record_id: '4', name: QUILL.name, emails: QUILL.emails },
  { source: 'shop', record_id: '5', name: RIGHT_TO_LEFT, emails: ['ben.long@example.com'] },
];

export async function managePeople(page: Page, { app }: Site): Promise<void> {
  const put = await app.send('/admin/v1/records', {
    method: 'POST',
    key: app.key(['admin']),
    headers: { 'content-type': 'application/x-ndjson' },
    body: RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  expect(put.status).toBe(200);
  await page.getByRole('link', { name: 'Identity graph' }).click();
  await page.getByRole('link', { name: 'People' }).click();
  expect(await axeViolations(page)).toEqual([]);
  await search(page, 'ben.long@example.com');
  await page.getByText(RIGHT_TO_LEFT).first().waitFor();
  await page.getByRole('button', { name: /^Details of identity/ }).click();
  await page.getByText('one record and no links').waitFor();
  await search(page, 'ada.quill@example.com');
  await page.getByText(QUILL.name).first().waitFor();
  await page.getByRole('button', { name: /^Details of identity/ }).click();
  await compareRecords(page);
  await showValues(page);
  await splitAndJoin(page);
  await forget(page);
  await page.getByRole('link', { name: 'Check' }).click();
}

async function search(page: Page, email: string): Promise<void> {
  await page.getByLabel('Value').fill(email);
  await page.getByRole('button', { name: 'Search' }).click();
  expect(page.url()).not.toContain('example');
}

async function compareRecords(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare 4 records' }).click();
  await page.getByRole('img', { name: /^Links of 4 records/ }).waitFor();
  const links = page.getByRole('region', { name: 'Links table' });
  expect(await links.getByRole('row').count()).toBe(7);
  expect(await links.getByText(/^strongest link/).count()).toBe(1);
  expect(await links.getByText(/^weakest link/).count()).toBe(1);
  await links
    .getByText(/reasons?$/)
    .first()
    .click();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
}

/** The values of the records are not cut on a narrow screen. */
async function showValues(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.getByRole('button', { name: 'Show values' }).click();
  const records = page.getByRole('region', { name: 'Records table' });
  await records.getByText('fingerprints only').first().waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await records.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
  if (size) await page.setViewportSize(size);
}

async function splitAndJoin(page: Page): Promise<void> {
  await page.getByLabel('Record 4').check();
  await page.getByRole('button', { name: 'Split off 1 record' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(XSS);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Split off' }).click();
  const other = page.getByRole('link', { name: /^identity \d+$/ }).last();
  await other.waitFor();
  const number = (await other.innerText()).replace(/\D/g, '');
  await page.getByRole('button', { name: 'Compare 3 records' }).waitFor();
  await page.getByRole('button', { name: 'Join with…' }).click();
  await dialog.getByLabel('Number of the other identity').fill('999999');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Number of the other identity').fill(number);
  await dialog.getByText(QUILL.name).waitFor();
  await dialog.getByLabel('Reason').fill('they told us');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('button', { name: 'Compare 4 records' }).waitFor();
  const identityUrl = page.url();
  await page.getByRole('link', { name: 'Manual links' }).click();
  await page.getByRole('cell', { name: XSS }).waitFor();
  await page.getByRole('button', { name: 'Undo manual link 2' }).click();
  await dialog.getByRole('button', { name: 'Undo manual link' }).click();
  await page.getByText('join, undone').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(identityUrl);
  await page.getByRole('button', { name: 'Compare 3 records' }).waitFor();
}

async function forget(page: Page): Promise<void> {
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await exported).suggestedFilename()).toMatch(/^identity-\d+\.json$/);
  await page.getByRole('button', { name: 'Forget…' }).click();
  const confirm = page.getByRole('button', { name: 'Forget permanently' });
  const confirmation = page.getByLabel('Type “forget 3 records” to confirm');
  await confirmation.fill('forget 2 records');
  expect(await confirm.isDisabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await confirmation.fill('forget 3 records');
  await confirm.click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save receipt' }).click();
  const receipt = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as object;
  expect(receipt).toMatchObject({ what: 'erasure', records: 3, traces: [] });
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await search(page, 'ada.quill@example.com');
  // The record that was split off belongs to another identity, which stays.
  await page.getByRole('region', { name: 'People found table' }).waitFor();
  expect(await page.getByRole('button', { name: /^Details of identity/ }).count()).toBe(1);
  await search(page, 'nobody.at.all@example.com');
  await page.getByText('No person found').waitFor();
}
