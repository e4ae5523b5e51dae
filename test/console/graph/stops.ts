import { expect } from 'vitest';
import type { Page } from 'playwright-core';

type Payload = { name: string; mimeType: string; buffer: Buffer };

/** An import is stopped while it is at work: nothing of it is in the graph, and no fault is told. */
export async function stopsAnImport(page: Page, file: Payload): Promise<void> {
  await page.getByLabel('A file of records').setInputFiles({ ...file, name: 'stopped.csv.gz' });
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped. The graph is as it was.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
}
