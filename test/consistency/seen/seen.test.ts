// Reported cases, one HTTP call each: the answer meets the contract and contains no contradiction. seen.txt
// lists the former and the new answers; `vitest -u` rewrites it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contradictionsOf } from '../contradictions.ts';
import type { Answer, Body } from '../answer.ts';
import { knowledgeOf, openService, type Service } from '../random/ask.ts';
import { worldOf } from '../random/world.ts';
import type { Knowledge } from '../story.ts';
import { CONTRADICTING } from './contradicting.ts';
import { RECORDS } from './people.ts';
import { missing, type Seen, told } from './row.ts';
import { TOO_HARD } from './too-hard.ts';
import { TOO_SOFT } from './too-soft.ts';

let service: Service;
let knowledge: Knowledge;
beforeAll(async () => {
  service = await openService(RECORDS);
  knowledge = await knowledgeOf(service, worldOf(RECORDS));
});
afterAll(() => service.close());

const enhanced = (body: Body): Promise<Answer> => service.ask('/v1/validate/enhanced', body);
const LISTS = [
  ['was too hard', TOO_HARD],
  ['was too soft', TOO_SOFT],
  ['contradicted itself', CONTRADICTING],
] as const;

describe.each(LISTS)('%s', (_title, list) => {
  test.each(list)('$title', async ({ body, wants }) => {
    expect(missing(await enhanced(body), wants)).toEqual([]);
  });
  test.each(list)('contains no contradiction: $title', async ({ body }) => {
    expect(contradictionsOf(body, await enhanced(body), knowledge)).toEqual([]);
  });
});

test('seen.txt has the former and the new answers', async () => {
  const row = async ({ title, body, was }: Seen) =>
    `${title}\n  was: ${was}\n  is:  ${told(await enhanced(body))}`;
  const section = async ([title, list]: (typeof LISTS)[number]) =>
    [`## ${title}`, ...(await Promise.all(list.map(row)))].join('\n\n');
  const sections = await Promise.all(LISTS.map(section));
  await expect(`# What was seen\n\n${sections.join('\n\n')}\n`).toMatchFileSnapshot('./seen.txt');
});
