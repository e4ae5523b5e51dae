import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLE_FOLDER } from '../../src/platform/assets.ts';
import { pageText } from '../kit/pages.ts';
import { matches, PEOPLE, sampleAnswers, samplePage } from './sample.ts';

const ANSWERS = await sampleAnswers();

test('the page of the sample people says what the program answers', () => {
  // To update the page: node test/docs/sample.ts
  expect(pageText('sample')).toBe(samplePage(ANSWERS));
});

describe('there is a person', () => {
  test.each(['VERIFIED', 'LIKELY REAL', 'SUSPICIOUS', 'HIGH RISK', 'NO RECORD', 'NAME ONLY'])(
    'for the verdict %s',
    (word) => {
      expect(ANSWERS.map(({ message }) => message.split(':')[0])).toContain(word);
    },
  );

  test.each(['HIGH', 'MEDIUM', 'LOW', 'VERY_LOW'])('for the status %s', (word) => {
    expect(ANSWERS.map(({ status }) => status)).toContain(word);
  });

  test.each(['HIGH', 'MEDIUM', 'LOW'])('for the confidence %s', (word) => {
    expect(ANSWERS.map(({ confidence_level }) => confidence_level)).toContain(word);
  });

  test.each(['Primary Match', 'Secondary Match', 'Different Identity Match', 'Unverified'])(
    'for the match status %s, of a name and of a contact',
    (word) => {
      const found = ANSWERS.flatMap(matches).filter(([, status]) => status.startsWith(word));
      expect(found.map(([field]) => (field === 'name' ? 'name' : 'contact'))).toEqual(
        expect.arrayContaining(['name', 'contact']),
      );
    },
  );

  test.each([true, false])('whose flag is %s', (flag) => {
    expect(ANSWERS.map(({ possible_catfish }) => possible_catfish)).toContain(flag);
  });
});

test('the people are fixed: at least twelve, Bob of the first page among them', () => {
  const { intent: _, ...bob } = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8'));
  expect(PEOPLE.length).toBeGreaterThanOrEqual(12);
  expect(PEOPLE.map(({ request }) => request)).toContainEqual(bob);
});
