import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { json } from '../../kit/app.ts';
import { axeViolations, type Site, XSS } from '../browser.ts';
import { takeScreenshot } from '../screenshots.ts';
import { openPage } from './menu.ts';

const CASES = `case_id,name,email,phone,genuine
a,Nora Ellingsworth,nora.ellingsworth@post.example,(218) 555-0114,yes
b,Yuri Belozerov,y.belozerov@mailbox.example,718-555-0129,yes
c,Priscilla Vane,oona.featherby@post.example,802-555-0147,no
d,Priscilla Vane,not an address,,no
`;

/** Two runs, of which the second is compared with the first. Neither is billed. */
export async function compareEvaluations(page: Page, { app }: Site): Promise<void> {
  await openPage(page, 'Evaluation');
  expect(await axeViolations(page)).toEqual([]);
  const send = (text: string) =>
    page
      .getByLabel('File of labelled cases')
      .setInputFiles({ name: `${XSS}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const countBilled = async () => (await json(app.send('/v1/usage'))).requests;
  const before = await countBilled();
  await send('name,email\nNora,x\n');
  await page.getByText('It has no `genuine`').waitFor();
  await send(CASES);
  const metrics = page.getByRole('region', { name: 'Metrics table' });
  await metrics.getByRole('row', { name: /AUC/ }).getByText('1.000').first().waitFor();
  await page.getByText('1 case rejected').waitFor();
  await send(CASES.replace('nora.ellingsworth@post.example,(218) 555-0114', 'oona.featherby@post.example,'));
  await metrics.getByRole('columnheader', { name: 'Difference' }).waitFor();
  await page.getByText('1 score changed').waitFor();
  const accepted = () => page.getByRole('row', { name: /^Genuine accepted \d/ }).innerText();
  expect(await accepted()).toMatch(/2 \(100\.0 %\)\s+1 \(50\.0 %\)/);
  await page.getByRole('slider', { name: /^Threshold/ }).fill('100');
  expect(await accepted()).toMatch(/0 \(0\.0 %\)\s+0 \(0\.0 %\)/);
  await page.getByText('Genuine with a low score').waitFor();
  await takeScreenshot(page, 'evaluation');
  expect(await axeViolations(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /^Save report/ })
    .last()
    .click();
  expect((await saved).suggestedFilename()).toMatch(/^evaluation-.*\.html$/);
  expect(await countBilled()).toBe(before);
  await page.reload();
  await metrics.getByRole('columnheader', { name: 'Difference' }).waitFor();
  await openPage(page, 'Check');
  await openPage(page, 'Evaluation');
  await metrics.getByRole('columnheader', { name: 'Difference' }).waitFor();
  await openPage(page, 'Evaluation');
  await page.waitForURL(/\?runs=/);
  await openPage(page, 'Check');
}
