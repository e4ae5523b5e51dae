import { describe, expect, test } from 'vitest';
import { unknown, anyRequest, requestOf, run, expectAlways, ALONE, type Outcome } from './world.ts';

describe('the wording of every text', () => {
  const FORBIDDEN =
    /\b(?:invalid|fake|unverifiable|unverified|bogus|fraud\w*|criminal\w*|scam\w*|lie[sd]?|liar|failed|could not be verified|suspicious|high risk)\b/i;
  const textsOf = (it: Outcome) => [
    it.summary,
    it.message.replace(/^[A-Z ]+: /, ''),
    it.combined.explanation,
    ...it.insights,
    ...it.trustScore.reasons,
  ];

  test('tells only whether a value is on record', async () => {
    await expectAlways(anyRequest, async (request) => {
      for (const text of textsOf(await run(request))) expect(text).not.toMatch(FORBIDDEN);
    });
  });

  test('starts the message with the verdict of the band, and consists of whole sentences', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const verdict =
        it.score >= 85
          ? 'VERIFIED'
          : it.score >= 65
            ? 'LIKELY REAL'
            : it.score >= 40
              ? 'SUSPICIOUS'
              : 'HIGH RISK';
      const known = it.contacts.some((one) => one.identity !== null);
      const word = it.contacts.length === 0 ? 'NAME ONLY' : known ? verdict : 'NO RECORD';
      expect(it.message.startsWith(`${word}: `)).toBe(true);
      for (const text of [it.message.slice(word.length + 2), it.summary, ...it.insights])
        expect(text).toMatch(/^[A-Z\d].*[^.]\.$/);
      expect(it.summary.split(/\. /).length).toBeLessThanOrEqual(2);
    });
  });

  test('contains no submitted value and no name', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const words = [
        request.name,
        it.matchedName ?? '',
        ...request.emails,
        ...request.phones,
        ...request.addresses.map((one) => one.street),
      ]
        .flatMap((text) => text.toLowerCase().split(/[\s@]+/))
        .filter((word) => word.length > 3 && !/^\d{4}$/.test(word));
      const text = textsOf(it).join('\n').toLowerCase();
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    });
  });

  test('tells what to do in case of a possible catfish, and which values have no record', async () => {
    const hugo = await run(
      requestOf('Hugo Delacroix-Boone', [
        ['emails', 'wy@post.example'],
        ['phones', ALONE],
      ]),
    );
    expect(hugo.isPossibleCatfish).toBe(true);
    expect(hugo.summary).toContain('Check who is really behind these contacts');
    const lone = await run(
      requestOf('Wilhelmina Yorkshire', [['emails', 'wy@post.example'], ...unknown.slice(0, 1)]),
    );
    expect(lone.summary).toContain('1 value has no matching record, which counts neither for nor against');
  });
});
