import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { normaliseDate, parseTimestamp } from '../../src/normalise/date.ts';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
const day = fc.date({ min: new Date('1801-01-01'), max: new Date('2100-12-30'), noInvalidDate: true });

describe('normaliseDate', () => {
  test.each([
    ['1976-06-13', '1976-06-13'],
    ['19760613', '1976-06-13'],
    ['1976/6/13', '1976-06-13'],
    ['1976-06', '1976-06'],
    ['06/1976', '1976-06'],
    ['1976', '1976'],
    ['13/06/1976', '1976-06-13'],
    ['06/13/1976', '1976-06-13'],
    ['4/4/1976', '1976-04-04'],
    ['13.6.1976', '1976-06-13'],
    ['13 June 1976', '1976-06-13'],
    ['June 13th, 1976', '1976-06-13'],
    ['12-MAR-1980', '1980-03-12'],
    ['13. Juni 1976', '1976-06-13'],
    ['5. März 2001', '2001-03-05'],
    ['13 de junio de 1976', '1976-06-13'],
    ['1er août 1980', '1980-08-01'],
    ['1976年6月13日', '1976-06-13'],
    ['1976-06-13T10:00:00Z', '1976-06-13'],
  ])('%s is %s', (text, expected) => {
    expect(normaliseDate(text)).toBe(expected);
  });

  test.each([
    '',
    '03/04/1976',
    '1976-02-30',
    '1976-13-01',
    '32/01/1976',
    '0/0/1976',
    '1776-07-04',
    '13 Foo 1976',
    '76-06-13',
    'unknown',
  ])('%j is refused', (text) => {
    expect(normaliseDate(text)).toBeNull();
  });

  it('accepts every real day, and is idempotent', () => {
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        expect(normaliseDate(iso)).toBe(iso);
        expect(normaliseDate(iso.replaceAll('-', ''))).toBe(iso);
      }),
    );
  });

  it('never throws, and is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}$/)), (text) => {
        const date = normaliseDate(text);
        expect(date === null ? null : normaliseDate(date)).toBe(date);
      }),
    );
  });
});

describe('parseTime', () => {
  test.each([
    ['2020-01-02T03:04:05.678+02:00', '2020-01-02T01:04:05.678Z'],
    ['2020-01-02T03:04:05+0200', '2020-01-02T01:04:05.000Z'],
    ['2020-01-02 03:04', '2020-01-02T03:04:00.000Z'],
    ['2020-01-02', '2020-01-02T00:00:00.000Z'],
    ['2020', '2020-01-01T00:00:00.000Z'],
    ['1577934245', '2020-01-02T03:04:05.000Z'],
    ['1577934245000', '2020-01-02T03:04:05.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(new Date(parseTimestamp(text)!).toISOString()).toBe(expected);
  });

  test.each(['', 'soon', '2020-01-02T25:00Z', '2020-02-30T00:00Z'])('%j is refused', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('reads back every timestamp that JavaScript writes', () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
      }),
    );
  });

  it('never throws, and gives whole milliseconds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const time = parseTimestamp(text);
        expect(time === null || Number.isInteger(time)).toBe(true);
      }),
    );
  });
});
