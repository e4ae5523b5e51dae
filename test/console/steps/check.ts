import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeViolations, XSS } from '../browser.ts';

export async function checkPeople(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  const button = await page.getByRole('button', { name: 'Check', exact: true }).boundingBox();
  expect((button?.y ?? 900) + (button?.height ?? 0)).toBeLessThanOrEqual(900);
  await page.getByRole('button', { name: /^Phone of someone else/ }).click();
  await page.getByLabel('Score 84 of 100').waitFor();
  const values = page.getByRole('region', { name: 'Submitted values' });
  expect(await values.getByText('No record').count()).toBe(1);
  expect(await values.getByText(/^Different Identity Match \(ID \d+\)$/).count()).toBe(1);
  const why = page.getByRole('region', { name: 'Why this score' });
  await why.getByText('very strongly against').waitFor();
  expect(await why.getByText(/bits$/).count()).toBe(1);
  await why.getByLabel('Show bits').check();
  expect(await why.getByText(/[+−]\d\.\d\d bits/).count()).toBeGreaterThan(6);
  await page.getByText('Scope.', { exact: true }).waitFor();
  await page.getByLabel('Python').check();
  await page.getByText('urllib.request.urlopen').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Switch to dark theme' }).first().click();
  expect(await axeViolations(page)).toEqual([]);
  await pasteAndCorrect(page);
}

async function pasteAndCorrect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Clear' }).click();
  // Each line is a part of its own: as one line, the name would be the title with the name.
  const text = 'Ellingsworth, Nora\nDoctor\nnora.ellingsworth@post.example 218 555 0114';
  await page.getByLabel('Paste details').fill(text);
  await page.getByRole('button', { name: 'Fill in' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ellingsworth, Nora');
  await page.getByText('Not used: Doctor').waitFor();
  await page.getByRole('button', { name: 'Add e-mail' }).click();
  await page.getByLabel('E-mail 2', { exact: true }).fill('not an address');
  await page.getByLabel('None', { exact: true }).check();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('E-mail 2', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Remove E-mail 2' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByLabel(/^Score 9\d of 100$/).waitFor();
  expect(await page.getByRole('region', { name: 'AI explanation' }).count()).toBe(0);
}

const LIST_OF_JOBS = '**/v1/jobs?limit=1';

/** A file becomes a table of results, each of which can be opened as a check. */
export async function checkFile(page: Page): Promise<void> {
  const csv = 'Name,Mail\nNora Ellingsworth,nora.ellingsworth@post.example\nNobody,not an address\n';
  // The answers are slower than the polls, of which none may abort the one before it.
  await page.route(LIST_OF_JOBS, async (route) => {
    await setTimeout(1500);
    await route.continue().catch(() => undefined);
  });
  await page
    .getByLabel('File of people')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const card = page.getByRole('region', { name: 'Check a file' });
  await card.getByRole('button', { name: 'Download CSV' }).waitFor();
  await page.unroute(LIST_OF_JOBS);
  await page.route('**/results?format=csv', (route) => route.abort());
  await card.getByRole('button', { name: 'Download CSV' }).click();
  await card.getByRole('alert').getByText('The server does not answer.').waitFor();
  await page.unroute('**/results?format=csv');
  await card.getByText('Columns: Name (name), Mail (email).').waitFor();
  await card.getByLabel('Show', { exact: true }).selectOption('problem');
  expect(await card.getByRole('row').count()).toBe(2);
  expect(await axeViolations(page)).toEqual([]);
  await card.getByLabel('Show', { exact: true }).selectOption('all');
  await card.getByRole('button', { name: 'Open line 2' }).click();
  await page.getByLabel(/^Score \d+ of 100$/).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nora Ellingsworth');
  await card.getByRole('button', { name: 'Delete results' }).click();
  await page.getByLabel('File of people').waitFor({ state: 'attached' });
}

/** Whatever is typed is shown as text. */
export async function showHostileText(page: Page): Promise<void> {
  await page.getByLabel('All features').check();
  await page.getByLabel('Name', { exact: true }).fill(`${XSS} Ω`);
  await page.getByLabel('Address: street').fill(`12 ${XSS}`);
  await page.getByLabel('Address: city').fill(XSS);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const values = page.getByRole('region', { name: 'Submitted values' });
  await values.getByText(`${XSS} Ω`).first().waitFor();
  await values.getByText(`12 ${XSS}, ${XSS}`).first().waitFor();
  await page.getByLabel('Response JSON').check();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
}
