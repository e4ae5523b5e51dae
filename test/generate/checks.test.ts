import { describe, expect, test } from 'vitest';
import { parseClaim } from '../../src/claim/parse.ts';
import {
  generateCaseAtIndex,
  generateCaseLines,
  COMPARED_NAME_ORIGINS,
  CASE_TYPES,
} from '../../src/generate/checks/index.ts';
import { createRecordWithPersonId } from '../../src/generate/records.ts';
import { worldOf } from './world.ts';

const WORLD = worldOf(4000);
const CASES = Array.from({ length: 1500 }, (_, index) => generateCaseAtIndex(WORLD, index) ?? []).flat();
const RECORDS = Array.from({ length: WORLD.records }, (_, place) => createRecordWithPersonId(WORLD, place));
const of = (kind: string) => CASES.filter((it) => it.kind === kind);
const contacts = (it: (typeof CASES)[number]) =>
  [it.expected.email, it.expected.phone, it.expected.address].flatMap((rows) =>
    (rows ?? []).map(({ verdict, owners }) => ({ verdict, owners })),
  );

test('one world gives one set of checks', () => {
  expect([...generateCaseLines(worldOf(500), 30)]).toEqual([...generateCaseLines(worldOf(500), 30)]);
});

test('every kind has about its share, every group of origins its part', () => {
  for (const [kind, share] of CASE_TYPES) {
    expect([kind, Math.abs(of(kind).length / 1500 - share) < 0.04]).toEqual([kind, true]);
  }
  for (const group of COMPARED_NAME_ORIGINS)
    expect(CASES.filter(({ origin }) => origin === group).length).toBeGreaterThan(CASES.length / 50);
});

test('rows stand for what is sent, one a value and in its order', () => {
  for (const { request, expected } of CASES) {
    expect(expected.name.map(({ input }) => input)).toEqual([request.name]);
    expect(expected.email?.map(({ input }) => input)).toEqual(request.emails);
    expect(expected.phone?.map(({ input }) => input)).toEqual(request.phones);
    expect(expected.address?.map(({ input }) => input)).toEqual(request.addresses);
  }
});

test('the service takes every request, and every value of it', () => {
  for (const { request } of CASES) {
    const { contacts } = parseClaim({ value: { ...request }, issues: [] }, 'US');
    const { emails = [], phones = [], addresses = [] } = request;
    expect(contacts).toHaveLength(emails.length + phones.length + addresses.length);
  }
});

describe('labels agree with the records', () => {
  const held = Map.groupBy(
    RECORDS.flatMap(({ record, truth }) => (record.emails ?? []).map((mail) => ({ mail, truth }))),
    ({ mail }) => mail.toLowerCase(),
  );

  test('an e-mail is on record for its owners, and one that is unknown for nobody', () => {
    for (const { expected } of CASES)
      for (const { input, verdict, owners } of expected.email ?? []) {
        const holders = new Set((held.get(input.toLowerCase()) ?? []).map(({ truth }) => truth));
        const wrong = verdict === 'unknown' ? [...holders] : owners.filter((owner) => !holders.has(owner));
        expect(wrong).toEqual([]);
      }
  });

  test('records that are named as the person’s are', () => {
    const truth = new Map(RECORDS.map((it) => [it.record.record_id, it.truth]));
    for (const { person, truth_identity_records: ids } of CASES)
      for (const id of ids) expect(truth.get(id)).toBe(person);
  });

  test('genuine and partial values are the person’s own, those of chimeras somebody else’s', () => {
    for (const it of [...of('genuine'), ...of('partial')])
      for (const { verdict, owners } of contacts(it))
        expect(verdict === 'unknown' || owners.includes(it.person)).toBe(true);
    for (const it of of('chimera')) {
      const others = contacts(it).filter(({ verdict }) => verdict === 'other');
      expect(others.length).toBeGreaterThan(0);
      for (const { owners } of others) expect(owners).not.toContain(it.person);
    }
  });

  test('the other name of an impostor is no part and no beginning of a given name on record', () => {
    const namesOf = Map.groupBy(RECORDS, ({ truth }) => truth);
    for (const { subkind, expected, name_parts } of of('chimera')) {
      const owners = new Set((expected.email ?? expected.phone ?? []).flatMap((row) => row.owners));
      if (!['near_name', 'same_origin_name'].includes(subkind) || owners.size !== 1) continue;
      const known = [...owners].flatMap((owner) => namesOf.get(owner) ?? []);
      const given = known.flatMap(({ record: { name } }) => (typeof name === 'object' ? name.given : []));
      const own = new Set(given.flatMap((text) => [text, ...text.split(/[ -]/)]));
      expect([...own].filter((text) => text.startsWith(name_parts.given ?? ''))).toEqual([]);
    }
  });

  test('newcomers and strangers have no records', () => {
    for (const it of [...of('newcomer'), ...of('nameless')]) {
      expect(it.truth_identity_records).toEqual([]);
      expect(RECORDS.some(({ truth }) => truth === it.person)).toBe(false);
    }
  });
});
