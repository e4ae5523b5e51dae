// Keys, accounts, plans, the overview, requests, AI features and the audit log.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createKey } from '../../../src/store/keys.ts';
import { axeViolations, type Site, XSS } from '../browser.ts';
import { openPage } from './menu.ts';

const KEY_COUNT = 120;

export async function createAndRevokeKey(page: Page, { app, url }: Site): Promise<void> {
  const now = Date.now();
  for (let i = 0; i < KEY_COUNT; i++)
    createKey(app.app.store, { name: `bulk ${i}`, scopes: ['read'] }, now - KEY_COUNT + i);
  await openPage(page, 'Accounts & keys');
  await page.getByText('50 shown').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('100 shown').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(XSS);
  await dialog.getByLabel('read the evidence of a check').check();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await page.locator('.secret code').innerText();
  expect(key).toMatch(/^bf_live_\w{38}$/);
  const callApi = () => fetch(`${url}/v1/usage`, { headers: { 'x-api-key': key } });
  expect((await callApi()).status).toBe(200);
  for (const escape of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(escape);
  await page.mouse.click(2, 2);
  expect(await page.locator('.secret code').innerText()).toBe(key);
  await page.getByRole('button', { name: 'I have saved the key' }).click();
  expect(await page.content()).not.toContain(key);
  const revoke = page.getByRole('button', { name: `Revoke ${XSS}` });
  const more = page.getByRole('button', { name: 'Show more' });
  while (!(await revoke.isVisible())) await Promise.race([revoke.waitFor(), more.click()]);
  await revoke.click();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('API key revoked.').waitFor();
  expect((await callApi()).status).toBe(401);
  await page.getByLabel('Revoked').check();
  await page.getByText(XSS).first().waitFor();
}

export async function createAccountAndPlan(page: Page, { app }: Site): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByText('No plans yet').waitFor();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await releaseOutside(page);
  await dialog.getByLabel('Plan ID').fill('not a word');
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await dialog.getByRole('alert').getByText('See the marked fields.').waitFor();
  expect(await dialog.getByLabel('Plan ID').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Plan ID').fill('starter');
  await dialog.getByLabel('Concurrent calls of a key').fill('8');
  await dialog.getByLabel('Probes per hour').fill('20');
  await dialog.getByLabel('Rate limit in calls').fill('600');
  await dialog.getByLabel('Per', { exact: true }).selectOption('minute');
  await dialog.getByLabel('Enhanced check').uncheck();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('cell', { name: 'starter', exact: true }).waitFor();
  await page
    .getByText('600 calls per 60 seconds, burst 600; 8 at once; 20 probes per hour', { exact: true })
    .waitFor();
  createAccount(app.app.store, { name: 'שמות ארוכים מאוד '.repeat(5).trim(), plan: null }, Date.now());
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(XSS);
  await dialog.getByLabel('Plan').selectOption('starter');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: `Details of ${XSS}` }).click();
  await page.getByText('Amount due').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
}

/** Selects text in a field, and releases the button beside the dialog, which stays open. */
async function releaseOutside(page: Page): Promise<void> {
  await page.getByLabel('Plan ID').hover();
  await page.mouse.down();
  await page.mouse.move(2, 2);
  await page.mouse.up();
}

/** Hundreds of calls are drawn as one event. A stream that breaks is reported and reconnected. */
export async function followServer(page: Page, { app }: Site): Promise<void> {
  await openPage(page, 'Overview');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /calls in the last day/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await runDiagnostics(page);
  await page.evaluate(
    'globalThis.drawn = 0; new MutationObserver(() => globalThis.drawn++).observe(document.querySelector("#main"), { childList: true, characterData: true, subtree: true })',
  );
  const before = Date.now();
  // 200 is below the limit of calls in flight of one key.
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => app.post('/v1/validate', { name: `Nobody ${i}` })),
    );
  await page
    .getByText(/^6\d\d$/)
    .first()
    .waitFor();
  const seconds = (Date.now() - before) / 1000;
  expect(await page.evaluate('globalThis.drawn')).toBeLessThan(10 + 2 * seconds);
  await openPage(page, 'Requests');
  const problem = { code: 'overloaded', detail: 'Too many consoles are open.' };
  await page.route('**/console/live', (route) => route.fulfill({ status: 503, json: problem }));
  const state = { status: 'not ready', store: 'failed', graph: 'ok' };
  await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: state }));
  await openPage(page, 'Overview');
  await page.getByText('Disconnected, reconnecting').waitFor();
  await page.getByText(problem.detail).waitFor();
  await page.getByText('Store failed.').waitFor();
  await page.unroute('**/readyz');
  await page.unroute('**/console/live');
  await page.getByText('Live', { exact: true }).waitFor();
  await openPageOffline(page);
}

/** A page that cannot be loaded says why, and is loaded again on demand. */
async function openPageOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'AI features' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The server does not answer. Is it running?' });
  await alert.waitFor();
  await page.context().setOffline(false);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'AI features' }).waitFor();
}

async function runDiagnostics(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Diagnostics', exact: true });
  await card.getByRole('button', { name: 'Run diagnostics' }).click();
  await card.getByRole('cell', { name: 'store.db', exact: true }).waitFor();
  await card.getByText('None are scheduled.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
}

export async function operate(page: Page, site: Site): Promise<void> {
  await findRequest(page);
  await turnFeatureOff(page);
  await chooseModel(page, site);
  await testWebhook(page);
  await readAuditLog(page);
}

async function findRequest(page: Page): Promise<void> {
  await openPage(page, 'Requests');
  await page
    .getByRole('button', { name: /^Details of req_/ })
    .first()
    .click();
  await page.getByText('Scoring model').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByLabel('Verdict').selectOption('high-risk');
  await page.getByLabel('API key', { exact: true }).fill('key_000000000000');
  await page.getByText('There is no such key.').waitFor();
  await page.getByLabel('API key', { exact: true }).fill('no name');
  await page.getByText('No key of this name.').waitFor();
  await page.getByLabel('API key', { exact: true }).fill('');
  await findRefusal(page);
  await page.getByLabel('Find by request ID').fill('req_nothing');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
}

/** The refused call of a revoked key, which the walk made before, is listed with its reason; a click on its row opens it. */
async function findRefusal(page: Page): Promise<void> {
  await page.getByLabel('Calls', { exact: true }).selectOption('refused');
  await page.getByLabel('Status').selectOption('401');
  await page.getByText(/^key_\w+ is revoked$/).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Refused, status 401').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
}

async function turnFeatureOff(page: Page): Promise<void> {
  await openPage(page, 'AI features');
  const fraud = page.getByRole('switch', { name: 'Fraud detection' });
  await page.getByRole('button', { name: 'Test Fraud detection' }).click();
  await page
    .getByRole('region', { name: 'Fraud detection' })
    .getByText(/rules, \d/)
    .waitFor();
  await fraud.click();
  await page.getByText('Fraud detection turned off.').waitFor();
  await expect.poll(() => fraud.getAttribute('aria-checked')).toBe('false');
  expect(await axeViolations(page)).toEqual([]);
  await openPage(page, 'Check');
  await page.getByRole('button', { name: /^Full match/ }).click();
  await page.getByText('Disabled by the operator.').waitFor();
  await openPage(page, 'AI features');
  await fraud.click();
  await page.getByText('Fraud detection turned on.').waitFor();
}

/** A model is used after it is applied, and is still offered when no feature uses it. */
async function chooseModel(page: Page, { folder }: Site): Promise<void> {
  const file = join(folder, 'features.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  const options = { url: 'http://127.0.0.1:9/v1', model: 'none' };
  const models = { local: { plugin: 'openai-compatible', options } };
  writeFileSync(file, JSON.stringify({ ...settings, models }));
  await openPage(page, 'Check');
  await openPage(page, 'AI features');
  const card = page.getByRole('region', { name: 'Narrative' });
  const apply = page.getByRole('button', { name: 'Apply model of Narrative' });
  for (const model of ['local', 'rules']) {
    await card.getByLabel('Model', { exact: true }).selectOption(model);
    await apply.click();
    await page.getByText(`Narrative uses ${model}.`).waitFor();
    await expect.poll(() => apply.isDisabled()).toBe(true);
  }
  await card.getByLabel('Model', { exact: true }).selectOption('local');
  await expect.poll(() => apply.isEnabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
}

/** A test message waits in the list, since the receiver does not answer; a click on its row opens it. */
async function testWebhook(page: Page): Promise<void> {
  await openPage(page, 'Webhook');
  await page.getByText('No messages').waitFor();
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByRole('cell', { name: 'Pending' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^[01] attempts?$/)
    .waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Queued.').first().waitFor();
}

async function readAuditLog(page: Page): Promise<void> {
  await openPage(page, 'Audit log');
  await page.getByRole('cell', { name: 'features.off' }).waitFor();
  await page.getByRole('button', { name: 'Verify log' }).click();
  await page.getByText('Log verified').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await openPage(page, 'Check');
}
