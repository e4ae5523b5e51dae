// The Records tab of the page Identity graph: statistics, imports, undo and sources.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { json } from '../../kit/app.ts';
import { axeViolations, type Site, XSS } from '../browser.ts';
import { takeScreenshot } from '../screenshots.ts';
import { openPage } from './menu.ts';

const CSV = `Customer No;Full name;Mail;Mobile;Since
7;${XSS} Quill;ada.quill@example.com;415 555 0188;2020-01-02
8;"Quill; Ada";not an address;;
9;;;;
10;Acme Ltd;info@acme.example;;
`;

const FILE = {
  name: `our ${XSS} customers.csv.gz`.replaceAll('/', ''),
  mimeType: 'text/csv',
  buffer: gzipSync(Buffer.from(`\uFEFF${CSV}`, 'utf16le')),
};

const sendFile = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByLabel('File of records').setInputFiles(file);

/** Imports a file in a spreadsheet's format, UTF-16 and compressed. */
export async function importFiles(page: Page, { app }: Site): Promise<void> {
  await openPage(page, 'Identity graph');
  await page.getByRole('cell', { name: 'city_library', exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await calculateStatistics(page);
  await sendFile(page, FILE);
  await page.getByText('2 valid records, 1 rejected.').waitFor();
  await leaveAndReturn(page, '2 valid records, 1 rejected.');
  await page.getByText('UTF-16LE').waitFor();
  expect(await page.getByLabel('Field of column Customer No').inputValue()).toBe('record_id');
  expect(await page.getByLabel('Field of column Mail').inputValue()).toBe('email');
  expect(await page.content()).not.toContain('ada.quill');
  await page.getByLabel('Field of column Since').selectOption('last_seen');
  await page.getByText('Import settings').click();
  await page.getByLabel('Source', { exact: true }).fill('customers');
  await page.getByLabel('Default country', { exact: true }).fill('us');
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Import 2 records' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Analyze again' }).click();
  await page.getByText('Source: customers.').waitFor();
  await leaveAndReturn(page, 'Source: customers.');
  expect(await page.getByLabel('Field of column Since').inputValue()).toBe('last_seen');
  await page.getByText(/^1 record and \d+ values? rejected, 1 row left out$/).click();
  await page.getByText(/^Line 4, record: /).waitFor();
  await takeScreenshot(page, 'graph-file');
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await page.getByText('2 records added, 0 replaced, 0 removed. Checks use them now.').waitFor();
  await leaveAndReturn(page, '2 records added, 0 replaced, 0 removed. Checks use them now.');
  expect(await axeViolations(page)).toEqual([]);
  const findIdentity = async () =>
    (await json(app.post('/v1/validate', { name: 'Ada Quill', emails: ['ada.quill@example.com'] })))
      .dominant_identity;
  expect(await findIdentity()).not.toBeNull();
  await undoImport(page);
  expect(await findIdentity()).toBeNull();
  await nameColumns(page);
  await stopImport(page);
  await removeSource(page);
  await openPage(page, 'Check');
}

/** Leaves the page and returns: the server must keep the state of the file. */
async function leaveAndReturn(page: Page, text: string): Promise<void> {
  await openPage(page, 'Overview');
  await openPage(page, 'Identity graph');
  await page.getByText(text).waitFor();
}

async function calculateStatistics(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Graph statistics' });
  await card.getByRole('button', { name: 'Calculate' }).click();
  await card.getByText('Error rates measured by linking').waitFor();
  await card.getByRole('row', { name: /^an e-mail \d+$/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'graph-statistics');
}

async function undoImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo last import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Removes 2 added records').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await page
    .getByText(
      /^Import undone: 2 records removed, 0 restored, 0 changed since and kept\. The graph has \d+ records and \d+ identities\.$/,
    )
    .waitFor();
  expect(await page.getByRole('button', { name: 'Undo last import' }).count()).toBe(0);
}

/** Names the columns of a file with unknown headers. */
async function nameColumns(page: Page): Promise<void> {
  const buffer = Buffer.from('sku,price,qty,colour\nAda Quill,4,ada.quill@example.com,red\n');
  await sendFile(page, { name: 'stock.csv', mimeType: 'text/csv', buffer });
  await page.getByText('no column looks like a name or a contact').waitFor();
  await page.getByText('Xxx Xxxxx').waitFor();
  expect(await page.getByLabel('Field of column colour').inputValue()).toBe('');
  await page.getByLabel('Field of column sku').selectOption('name');
  await page.getByLabel('Field of column qty').selectOption('email');
  await page.getByRole('button', { name: 'Analyze again' }).click();
  await page.getByText('1 valid record.').waitFor();
  await page.getByRole('button', { name: 'Close file' }).click();
}

/** Number of records for which an import takes long enough to be stopped. */
const ROW_COUNT = 20_000;

/** Stops an import: it must change nothing and show no error. */
async function stopImport(page: Page): Promise<void> {
  const rows = Array.from({ length: ROW_COUNT }, (_, i) => `${i},Ada Quill,ada.quill.${i}@example.com\n`);
  const buffer = gzipSync(`Customer No,Full name,Mail\n${rows.join('')}`);
  await sendFile(page, { name: 'stopped.csv.gz', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: /^Import [\d.,\s]+ records$/ }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Import stopped. The graph is unchanged.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
}

async function removeSource(page: Page): Promise<void> {
  await sendFile(page, { ...FILE, name: 'gone_by.csv.gz' });
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await page.getByText('2 records added, 0 replaced, 0 removed. Checks use them now.').waitFor();
  await page.getByRole('button', { name: 'Remove gone_by' }).click();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove source' }).click();
  await page.getByText('gone_by removed.').waitFor();
  await page.getByRole('cell', { name: 'gone_by', exact: true }).waitFor({ state: 'detached' });
}
