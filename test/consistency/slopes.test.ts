// The score changes in small steps as more people share a value, or as years pass since a value was last
// seen.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Body } from './answer.ts';
import type { Service } from './random/ask.ts';
import { openService } from './random/ask.ts';
import type { Source } from './random/world.ts';

const STEP = 10;
const SHARERS = [
  ...Array.from({ length: 24 }, (_, i) => i + 1),
  27,
  30,
  34,
  38,
  43,
  48,
  54,
  61,
  70,
  80,
  100,
  130,
  160,
  200,
];
const YEARS = Array.from({ length: 31 }, (_, i) => i);
const GIVEN = [
  'Ada',
  'Boris',
  'Clara',
  'Dmitri',
  'Elspeth',
  'Farid',
  'Greta',
  'Hugo',
  'Imogen',
  'Jamal',
  'Keiko',
  'Lorenz',
  'Mabel',
  'Nadir',
  'Ottilie',
  'Pavel',
  'Rosalind',
  'Stellan',
  'Tamsin',
  'Viola',
];
const FAMILY = [
  'Abernathy',
  'Bartosz',
  'Calloway',
  'Drummond',
  'Eastlake',
  'Grimaldi',
  'Hawksworth',
  'Ingersoll',
  'Jurgensen',
  'Kowalczyk',
];

const phoneOf = (line: number) => `+1 206 234 ${String(1000 + line)}`;
const homeOf = (line: number) => ({
  street: `${100 + line} Larch Street`,
  city: 'Salem',
  state: 'OR',
  zip: '97301',
});
const mailOf = (line: number) => `line${line}@shared.example`;
const nameOf = (n: number) => `${GIVEN[n % 20]} ${FAMILY[Math.floor(n / 20) % 10]}`;

const EVE = { name: 'Evangeline Larkspur', emails: ['evangeline@larkspur.example'] };
const RECORDS: Source[] = [
  {
    record_id: 'eve',
    source: 'crm',
    identity: 'eve',
    ...EVE,
    phones: ['+1 503 234 7001'],
    first_seen: '2010-01-01',
    last_seen: '2024-06-01',
  },
  ...SHARERS.flatMap((count, line) =>
    Array.from({ length: count }, (_, n): Source => ({
      record_id: `s${line}-${n}`,
      source: 'crm',
      identity: `s${line}-${n}`,
      name: nameOf(n),
      emails: [mailOf(line)],
      phones: [phoneOf(line)],
      addresses: [homeOf(line)],
      first_seen: '2010-01-01',
      last_seen: '2024-06-01',
    })),
  ),
  ...YEARS.map((ago): Source => ({
    record_id: `y${ago}`,
    source: 'crm',
    identity: `y${ago}`,
    name: nameOf(ago + 20),
    phones: [phoneOf(500 + ago)],
    emails: [mailOf(500 + ago)],
    addresses: [homeOf(500 + ago)],
    first_seen: `${1990 - ago}-06-01`,
    last_seen: `${2024 - ago}-06-01`,
  })),
];

let service: Service;
beforeAll(async () => {
  service = await openService(RECORDS);
});
afterAll(() => service.close());

const scoreOf = async (body: Body) => (await service.ask('/v1/validate', body)).trustworthiness_score;
const scores = (lines: readonly number[], bodyOf: (line: number) => Body) =>
  Promise.all(lines.map((line) => scoreOf(bodyOf(line))));

/** Returns neighbouring scores that differ by more than a step, or fall although they may only rise. */
const breaks = (list: number[], { rising = false } = {}): string[] =>
  list.flatMap((score, i) => {
    const before = list[i - 1] ?? score;
    return Math.abs(score - before) > STEP || (rising && score < before)
      ? [`${i}: ${before} to ${score}`]
      : [];
  });

const KINDS: [string, (line: number) => Body][] = [
  ['phone', (line) => ({ name: EVE.name, phones: [phoneOf(line)] })],
  ['e-mail', (line) => ({ name: EVE.name, emails: [mailOf(line)] })],
  ['address', (line) => ({ name: EVE.name, addresses: [homeOf(line)] })],
];

describe('small steps', () => {
  const lines = SHARERS.map((_, line) => line);
  const aged = YEARS.map((ago) => 500 + ago);

  test.each(KINDS)('against a name of another identity, %s: 1 to 200 sharers', async (_kind, contact) => {
    expect(breaks(await scores(lines, contact), { rising: true })).toEqual([]);
  });
  test.each(KINDS)('against a name that is not on record, %s: 1 to 200 sharers', async (_kind, contact) => {
    expect(
      breaks(await scores(lines, (line) => ({ ...contact(line), name: 'Xiomara Zabriskie' })), {
        rising: true,
      }),
    ).toEqual([]);
  });
  test.each(KINDS)('beside an own phone and e-mail, %s: 1 to 200 sharers', async (_kind, contact) => {
    const own = (line: number): Body => {
      const { emails = [], phones = [], ...rest } = contact(line);
      return { ...rest, emails: [...EVE.emails, ...emails], phones: ['+1 503 234 7001', ...phones] };
    };
    expect(breaks(await scores(lines, own), { rising: true })).toEqual([]);
  });
  test.each(KINDS)('for a name among the sharers, %s', async (_kind, contact) => {
    expect(breaks(await scores(lines, (line) => ({ ...contact(line), name: nameOf(0) })))).toEqual([]);
  });
  test.each(KINDS)(
    'against a name, %s: last seen with another 0 to 30 years before the newest record',
    async (_kind, contact) => {
      expect(breaks(await scores(aged, contact), { rising: true })).toEqual([]);
      expect(
        breaks(await scores(aged, (line) => ({ ...contact(line), name: 'Xiomara Zabriskie' })), {
          rising: true,
        }),
      ).toEqual([]);
    },
  );
  test('a value that somebody else had thirty years ago counts less against than one that they have', async () => {
    const now = await scoreOf({ name: EVE.name, phones: [phoneOf(500)] });
    expect(await scoreOf({ name: EVE.name, phones: [phoneOf(530)] })).toBeGreaterThan(now);
  });
});
