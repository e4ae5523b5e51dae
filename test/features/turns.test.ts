import { expect, onTestFinished, test } from 'vitest';
import { openFeatures } from '../../src/features/open.ts';
import { endOfTurn } from '../../src/platform/turn.ts';
import { requestOf, solid } from '../kit/models/features.ts';

/** Number of calls whose explanation takes many turns of the event loop on any machine. */
const CALLS = 2000;

test('many calls that are explained at once leave the event loop to others now and then', async () => {
  const features = await openFeatures({ settingsFile: '' });
  onTestFinished(() => features.close());
  const explained: object[] = [];
  let turns = 0;
  const counting = (async () => {
    for (; explained.length < CALLS; turns++) await endOfTurn();
  })();
  await Promise.all(
    Array.from({ length: CALLS }, async () => explained.push(await features.insights(requestOf(solid)))),
  );
  await counting;
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('many explanations of one caller do not delay those of another', async () => {
  const features = await openFeatures({ settingsFile: '' });
  onTestFinished(() => features.close());
  const explained: string[] = [];
  const explain = async (group: string) => {
    await features.insights(requestOf(solid, { group }));
    explained.push(group);
  };
  const many = Array.from({ length: CALLS / 4 }, () => explain('many'));
  await Promise.all([...many, ...Array.from({ length: 5 }, () => explain('other'))]);
  expect(explained.lastIndexOf('other')).toBeLessThan(CALLS / 8);
});
