// Steps of the walk on the Graph page.
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';

/** So many that they are not in the graph before somebody can stop it. */
const MANY = 20_000;

/** An import is stopped while it is at work: nothing of it is in the graph, and no fault is told. */
export async function stopsAnImport(page: Page): Promise<void> {
  const rows = Array.from({ length: MANY }, (_, i) => `${i},Ada Quill,ada.quill.${i}@example.com\n`);
  const buffer = gzipSync(`Customer No,Full name,Mail\n${rows.join('')}`);
  await page
    .getByLabel('A file of records')
    .setInputFiles({ name: 'stopped.csv.gz', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: /^Import [\d.,\s]+ records$/ }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped. The graph is as it was.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
}

/** Of a file whose columns tell nothing, what they hold is said in the table of its columns. */
export async function saysWhatColumnsHold(page: Page): Promise<void> {
  const buffer = Buffer.from('sku,price,qty,colour\nAda Quill,4,ada.quill@example.com,red\n');
  await page
    .getByLabel('A file of records')
    .setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer });
  await page.getByText('Say what the columns hold, and read it again.').waitFor();
  await page.getByText('Xxx Xxxxx').waitFor();
  expect(await page.getByLabel('Column colour is').inputValue()).toBe('');
  await page.getByLabel('Column sku is').selectOption('name');
  await page.getByLabel('Column qty is').selectOption('email');
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.getByText('1 record can be used.').waitFor();
  await page.getByRole('button', { name: 'Another file' }).click();
}
