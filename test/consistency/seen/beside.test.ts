// Reported cases with several answers: spellings, look-alikes, intents, the caller's own traffic.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { disagreementsOf } from '../agreement.ts';
import type { Answer, Body } from '../answer.ts';
import { answersTo, openService, type Service } from '../random/ask.ts';
import { ANNABEL, bodyOf, KATE, NEWCOMER, RECORDS, ROBERT, STRANGER } from './people.ts';

let service: Service;
beforeAll(async () => {
  service = await openService(RECORDS);
});
afterAll(() => service.close());

const enhanced = (body: Body): Promise<Answer> => service.ask('/v1/validate/enhanced', body);
const scoreOf = async (body: Body) => (await enhanced(body)).trustworthiness_score;
const IMPOSTOR = bodyOf(STRANGER, KATE);

describe('spellings and look-alikes', () => {
  test.each([
    [
      "Kate O'Donnell",
      ['Kate O Donnell', 'Kate O´DONNELL', 'kate o’donnell', "O'Donnell, Kate", 'Kate ODonnell'],
      KATE,
    ],
    ['Robert Hale', ['Hale Robert', 'Hale, Robert', 'ROBERT HALE'], ROBERT],
  ])('spellings of %s have one score', async (name, spellings, source) => {
    const right = await scoreOf(bodyOf(name, source));
    const scores = await Promise.all(spellings.map(async (one) => [one, await scoreOf(bodyOf(one, source))]));
    expect(scores).toEqual(spellings.map((one) => [one, right]));
  });

  test('an initial does not score higher than the full name in another order', async () => {
    expect(await scoreOf(bodyOf('R. Hale', ROBERT))).toBeLessThanOrEqual(
      await scoreOf(bodyOf('Hale Robert', ROBERT)),
    );
  });

  test('a look-alike e-mail does not count', async () => {
    const request = bodyOf('Annabel Forrester', ANNABEL, ['phones']);
    expect(await scoreOf({ ...request, emails: ['annabel.ff@post.example'] })).toBe(await scoreOf(request));
  });

  test('a wrong given name scores lower than the right one', async () => {
    const emails = ['robert.hale@own.example'];
    expect(await scoreOf({ name: 'Roberta Hale', emails })).toBeLessThan(
      (await scoreOf({ name: 'Robert Hale', emails })) - 15,
    );
  });
});

describe('intents', () => {
  test('all six start differently, on the same base result', async () => {
    const cases = [
      bodyOf('Annabel Forrester', ANNABEL),
      IMPOSTOR,
      { name: STRANGER, emails: ['x@y.example'] },
    ];
    for (const body of cases)
      expect(
        disagreementsOf(await answersTo(service, body)).filter((line) => !line.startsWith('raw-')),
      ).toEqual([]);
  });

  test('with suspected scam, summary and overview begin with the red flags', async () => {
    const { ai_insights: ai } = await enhanced({ ...IMPOSTOR, intent: 'suspected-scam' });
    const lead =
      /\b(?:red flags?|someone else|somebody else|another person|other people|not (?:the|this|that) person|does not bear|mismatch)/i;
    const first = (text = '') =>
      text
        .split(/(?<=[.:])\s/)
        .slice(0, 2)
        .join(' ');
    expect(ai?.trust_enhancement?.ai_trust_analysis?.red_flags.length).toBeGreaterThan(0);
    expect(first(ai?.trust_enhancement?.ai_trust_analysis?.summary)).toMatch(lead);
    expect(first(ai?.overview?.overview)).toMatch(lead);
  });
});

describe('the fraud analysis', () => {
  let fresh: Service;
  beforeAll(async () => {
    fresh = await openService(RECORDS, { callsAKey: 1_000_000 });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await fresh.close();
  });
  const fraudOf = async (body: Body, asked = fresh) =>
    (await asked.ask('/v1/validate/enhanced', body)).ai_insights?.fraud_detection;
  const calls = async (count: number, body: Body) => {
    for (let i = 0; i < count; i += 20)
      await Promise.all(Array.from({ length: 20 }, () => fresh.ask('/v1/validate', body)));
  };
  const quiet = bodyOf('Annabel Forrester', ANNABEL);

  test("reports 192 flagged calls of 192 on a new key as the caller's traffic only", async () => {
    expect((await fraudOf(quiet))?.fraud_analysis?.velocity_concerns).toBe(false);
    await calls(192, IMPOSTOR);
    const after = await fraudOf(quiet);
    expect(after?.fraud_analysis?.stream_observations.join()).toMatch(/\bflag/);
    expect(after?.fraud_analysis?.risk_level).toBe('LOW');
  });

  test('reports three hundred calls within seconds on a new key', async () => {
    await calls(120, quiet);
    const after = await fraudOf(quiet);
    expect(after?.fraud_analysis?.velocity_concerns).toBe(true);
    expect(after?.fraud_analysis?.stream_observations).not.toEqual([]);
    expect(after?.fraud_analysis?.risk_level).toBe('LOW');
  });

  test('reports 1,200 calls of the last minute after a quiet day, although they fill the window', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 });
    for (let hour = 1; hour <= 24; hour++) {
      vi.setSystemTime(now + hour * 3_600_000);
      await calls(20, quiet);
    }
    expect((await fraudOf(quiet))?.fraud_analysis?.velocity_concerns).toBe(false);
    vi.setSystemTime(now + 25 * 3_600_000);
    await calls(1200, quiet);
    vi.setSystemTime(now + 25 * 3_600_000 + 30_000);
    const after = await fraudOf(quiet);
    vi.useRealTimers();
    expect(after?.request_stream?.records_in_window).toBe(1000);
    expect(after?.fraud_analysis?.velocity_concerns).toBe(true);
  });

  test('depends neither on history dates nor on earlier scores', async () => {
    const [of, old] = [
      await fraudOf(bodyOf('Perpetua Lovelace', NEWCOMER), service),
      await fraudOf(quiet, service),
    ];
    expect({ ...of?.fraud_analysis, stream_observations: [] }).toEqual({
      ...old?.fraud_analysis,
      stream_observations: [],
    });
    expect(of?.scope_note).toMatch(/only scores and match flags were used/);
  });
});
