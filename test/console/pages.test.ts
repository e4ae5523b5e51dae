// The whole console in a browser, page after page.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createWebhookSetting } from '../kit/app.ts';
import { axeViolations, BROWSER, openSite, pageErrors, type Site } from './browser.ts';
import { checkBundleSize, checkEveryPage } from './screenshots.ts';
import { checkFile, checkPeople, showHostileText } from './steps/check.ts';
import { compareEvaluations } from './steps/evaluation.ts';
import { importFiles } from './steps/graph.ts';
import { goFromPageToPage } from './steps/menu.ts';
import { createAccountAndPlan, createAndRevokeKey, followServer, operate } from './steps/operate.ts';
import { managePeople } from './steps/people.ts';
import { signOutAndIn } from './steps/session.ts';

describe.skipIf(!BROWSER)('in a browser', () => {
  test('an operator signs in, uses every page, and leaves nothing behind', async () => {
    const site = await openSite([], { webhook: createWebhookSetting() });
    try {
      expect(await useEveryPage(site)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

/** Returns the errors of the page. */
async function useEveryPage(site: Site): Promise<string[]> {
  const page = await site.signedIn();
  expect(page.url()).toBe(`${site.url}/console`);
  await checkPeople(page);
  await checkFile(page);
  await showHostileText(page);
  await goFromPageToPage(page);
  await createAndRevokeKey(page, site);
  await createAccountAndPlan(page, site);
  await followServer(page, site);
  await operate(page, site);
  await importFiles(page, site);
  await compareEvaluations(page, site);
  await managePeople(page, site);
  await signOutAndIn(page, site);
  await checkEveryPage(page, site);
  checkBundleSize();
  await loseServer(page, site);
  return pageErrors(page);
}

/** Figures that are not up to date are dimmed, with their time. */
async function loseServer(page: Page, { app, url }: Site): Promise<void> {
  await page.goto(`${url}/console/overview`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /calls in the last day/ }).waitFor();
  await app.app.close();
  await page
    .getByText(/^The dimmed figures are from /)
    .nth(1)
    .waitFor();
  expect(await axeViolations(page)).toEqual([]);
}
