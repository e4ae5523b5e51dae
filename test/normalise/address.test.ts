import * as fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import type { Address, LookupKeyType } from '../../src/model.ts';
import { findOtherDirectionStreetSpellings } from '../../src/normalise/address/words.ts';
import { normaliseAddress } from '../../src/normalise/address.ts';

/** Parses a row `street / city / state / zip / country / street2` into an address. */
function address(line: string): Address {
  const [street = '', city = '', state = '', zip = '', country = '', street2 = ''] = line
    .split('/ ')
    .map((part) => part.trim());
  return { street, street2, city, state, zip, country };
}

function keys(line: string, type: LookupKeyType): string[] {
  return normaliseAddress(address(line))!
    .keys.filter((one) => one.type === type)
    .map((one) => one.text);
}

describe('one house, many spellings', () => {
  test.each([
    ['street types', '12 Oak Street/ X/ CA/ 90802', '12 OAK ST./ X/ CA/ 90802'],
    ['a misspelt type', '12 Oak Avenue/ X/ CA/ 90802', '12 Oak Avnue/ X/ CA/ 90802'],
    ['a type cut short', '12 Oak Boulevard/ X/ CA/ 90802', '12 Oak Boulev/ X/ CA/ 90802'],
    ['directionals', '10 N.W. Fifth St/ X/ FL/ 33101', '10 Northwest 5th Street/ X/ FL/ 33101'],
    ['directionals behind', '500 7th St N/ X/ FL/ 33101', '500 Seventh Street North/ X/ FL/ 33101'],
    ['apartments', '12 Oak St Apt 4B/ X/ CA/ 90802', '12 Oak St #4b/ X/ CA/ 90802'],
    ['a unit in front', 'Unit 4B, 12 Oak St/ X/ CA/ 90802', '12 Oak St/ X/ CA/ 90802/ / 4B'],
    ['a unit with both marks', '12 Oak St Apt # 4B/ X/ CA/ 90802', '12 Oak St, Flat 4B/ X/ CA/ 90802'],
    ['floors', '12 Oak St 3rd Floor/ X/ CA/ 90802', '12 Oak St/ X/ CA/ 90802/ / Fl 3'],
    [
      'suites',
      '350 Fifth Ave Ste 3300/ New York/ NY/ 10118',
      '350 5th Avenue/ New York/ NY/ 10118/ / Suite 3300',
    ],
    [
      'an Australian unit',
      '4/12 George St/ Sydney/ NSW/ 2000',
      'Unit 4, 12 George Street/ Sydney/ New South Wales/ 2000',
    ],
    [
      'a building name',
      'Skyline Apartments, 705 Sheppard Ave/ Toronto/ / M1S 1T4',
      '705 Sheppard Avenue/ Toronto/ ON/ m1s1t4',
    ],
    ['saints', '12 St Marks Pl/ X/ NY/ 10003', "12 Saint Mark's Place/ X/ NY/ 10003"],
    ['spacing', '12 BlueBell Rd/ X/ CA/ 95823-1234', '12   Bluebell  Road/ X/ California/ 95823'],
    ['a lost zero', '12 Oak St/ Newark/ NJ/ 07102', '12 Oak St/ Newark/ NJ/ 7102'],
    ['hyphens in Queens', '12-34 31st Ave/ Queens/ NY/ 11101', '1234 31st Avenue/ Queens/ NY/ 11101'],
    ['a letter apart', 'Hauptstr. 12a/ Bonn/ / 53111', 'Hauptstraße 12 A/ Bonn/ / 53111'],
    ['German order', 'Hauptstrasse 12/ Bonn/ / 53111/ Germany', 'HAUPT STR. 12/ Bonn/ / 53111/ Deutschland'],
    ['French commas', '12, rue de la Paix/ Paris/ / 75002', '12 RUE DE LA PAIX/ Paris/ / 75002'],
    ['Spanish order', 'Calle Mayor, 5/ Madrid/ / 28013', 'C/ Mayor 5/ Madrid/ / 28013'.replace('C/ ', 'CL ')],
    ['Russian marks', 'ул. Ленина, д. 12, кв. 5/ Москва/ / 101000', 'ul. Lenina 12, kv 5/ Moskva/ / 101000'],
    ['Japanese blocks', '千代田1丁目1番1号/ / / 100-0001', '千代田１-１-１/ / / 1000001'],
    ['post boxes', 'P.O. Box 12/ X/ CA/ 90802', 'PO BOX #012/ X/ CA/ 90802'],
    ['rural routes', 'RR 2 Box 15/ X/ IA/ 50001', 'Rural Route 2, Box 15/ X/ IA/ 50001'],
    ['highways', '123 US Hwy 41/ X/ FL/ 33101', '123 Highway 41/ X/ FL/ 33101'],
    ['glued highways', '123 Hwy41/ X/ FL/ 33101', '123 State Route 41/ X/ FL/ 33101'],
    ['one line', '123 Main Street, Las Vegas NV 89132', '123 Main St/ Las Vegas/ NV/ 89132'],
    [
      'one line with a unit',
      '12 Main St W Apt 3 Springfield IL 62704',
      '12 Main Street West/ Springfield/ IL/ 62704/ / Apt 3',
    ],
    [
      'one line, British',
      '18 Danver Place, Loughborough, Leicestershire, LE11 1UU, United Kingdom',
      '18 Danver Pl/ Loughborough/ / LE111UU/ GB',
    ],
    ['Dutch country', 'Damrak 1, Amsterdam, 1012 AB, NL', 'Damrak 1/ Amsterdam/ / 1012AB/ NL'],
    ['German country', 'Hauptstr. 5, Berlin, 10115, DE', 'Hauptstr. 5/ Berlin/ / 10115/ DE'],
    ['Delaware', '5 Market St, Wilmington, 19801, DE', '5 Market St/ Wilmington/ DE/ 19801'],
    ['postcode first', '123 Main St, 01650, Worcester, MA', '123 Main St/ Worcester/ MA/ 01650'],
    ['state first', '123 Main St, MA, Worcester, 01650', '123 Main St/ Worcester/ MA/ 01650'],
    ['British order', '10 High St, SW1A 1AA, London, UK', '10 High St/ London/ / SW1A 1AA/ GB'],
    ['Spanish house', 'Calle Mayor, 5, 28013, Madrid', 'Calle Mayor 5/ Madrid/ / 28013'],
    ['Polish postcode', 'ul. Nowa 3, 00-950, Warszawa', 'ul. Nowa 3/ Warszawa/ / 00-950'],
    ['Swiss postcode', 'Seeweg 1, Bern, 3000, CH', 'Seeweg 1/ Bern/ / 3000/ CH'],
    ['street last', 'Berlin, 10115, Hauptstr. 5', 'Hauptstr. 5/ Berlin/ / 10115'],
    ['rear house', 'Hauptstr. 5, Hinterhaus, 10115 Berlin, DE', 'Hauptstr. 5/ Berlin/ / 10115/ DE'],
    ['prefix', 'Lange Str. 5, Berlin D-10115, Germany', 'Lange Str. 5/ Berlin/ / 10115/ DE'],
    ['house number like a postcode', '12345 Main St, Apt 5, X, DE', '12345 Main St/ X/ DE/ / / Apt 5'],
    ['name of a country first', 'Jordan, 12 Main St, X IL 62701', '12 Main St/ X/ IL/ 62701'],
    ['town named like a country', 'Mexico, MO 65265, 12 Main St', '12 Main St/ Mexico/ MO/ 65265'],
    ['town like a country, state in full', 'Italy, Texas 76651, 12 Main St', '12 Main St/ Italy/ TX/ 76651'],
    [
      'country, city and province',
      'Italy, Milano, MI 20154, Via Roma 5',
      'Via Roma 5/ Milano/ MI/ 20154/ IT',
    ],
    ['one line, German', 'Ansbacher Strasse 23, 56422 Wirges', 'Ansbacher Str. 23/ Wirges/ / 56422'],
  ])('%s: %s is %s', (_what, one, other) => {
    expect(keys(one, 'address')).toHaveLength(1);
    expect(keys(one, 'address')).toEqual(keys(other, 'address'));
  });
});

describe('different houses', () => {
  test.each([
    ['another flat', '12 Oak St Apt 4/ X/ CA/ 90802', '12 Oak St Apt 5/ X/ CA/ 90802'],
    ['another number', '12 Oak St/ X/ CA/ 90802', '14 Oak St/ X/ CA/ 90802'],
    ['another type', '12 5th Ave/ X/ NY/ 10003', '12 5th St/ X/ NY/ 10003'],
    ['another side', '12 E Oak St/ X/ CA/ 90802', '12 W Oak St/ X/ CA/ 90802'],
    ['another place', '12 Oak St/ X/ CA/ 90802', '12 Oak St/ X/ CA/ 90803'],
    ['half a number', '12 Oak St/ X/ CA/ 90802', '12 1/2 Oak St/ X/ CA/ 90802'],
  ])('%s: %s is not %s', (_what, one, other) => {
    expect(keys(one, 'address')).not.toEqual(keys(other, 'address'));
  });

  it('share the premise key if only the unit differs', () => {
    expect(keys('12 Oak St Apt 4/ X/ CA/ 90802', 'premise')).toEqual(
      keys('12 Oak St/ X/ CA/ 90802', 'premise'),
    );
  });

  it('have no common key for neighbouring numbered streets', () => {
    const [one, other] = ['12 37th St/ X/ NY/ 10003', '12 38th St/ X/ NY/ 10003'].map(
      (line) => normaliseAddress(address(line))!.keys,
    );
    const texts = new Set(one!.map((key) => key.text));
    expect(other!.filter((key) => texts.has(key.text))).toEqual([]);
  });
});

describe('looser keys', () => {
  test.each([
    ['no type', '1120 Nugget Ave/ X/ CA/ 90802', '1120 NUGGET/ X/ CA/ 90802'],
    ['a slip at the end', '12 Riverside Dr/ X/ CA/ 90802', '12 Riversire Dr/ X/ CA/ 90802'],
    ['a slip at the start', '12 Riverside Dr/ X/ CA/ 90802', '12 Rverside Dr/ X/ CA/ 90802'],
    ['swapped letters', '12 Riverside Dr/ X/ CA/ 90802', '12 Rievrside Dr/ X/ CA/ 90802'],
    ['no directional', '12 N Riverside Dr/ X/ CA/ 90802', '12 Riverside Dr/ X/ CA/ 90802'],
    ['a letter at the number', '12A Riverside Dr/ X/ CA/ 90802', '12 Riverside Dr #A/ X/ CA/ 90802'],
  ])('a core is shared with %s: %s, %s', (_what, one, other) => {
    const shared = keys(one, 'core').filter((text) => keys(other, 'core').includes(text));
    expect(shared.length).toBeGreaterThan(0);
  });

  test.each([
    ['no zip', '12 Riverside Dr/ Spokane/ WA/ 99203', '12 Riverside/ Spokane/ WA'],
    ['a wrong zip', '12 Riverside Dr/ Spokane/ WA/ 99203', '12 Riverside Drive/ Spokane/ WA/ 99230'],
    ['a slip in the city', '12 Riverside Dr/ Charlotte/ NC', '12 Riverside Dr/ Chralotte/ NC'],
    ['a saint', '12 Riverside Dr/ St. Paul/ MN', '12 Riverside Dr/ Saint Paul/ Minnesota'],
  ])('core and city are shared with %s: %s, %s', (_what, one, other) => {
    expect(keys(one, 'core_city')).toHaveLength(2);
    expect(keys(one, 'core_city')).toEqual(keys(other, 'core_city'));
  });

  it('street and city without the state share a key with those with it', () => {
    const [without] = keys('12 Riverside Dr/ Spokane', 'core_city');
    expect(keys('12 Riverside Dr/ Spokane/ WA/ 99203', 'core_city')).toContain(without);
  });

  it('a street alone has only the street key', () => {
    expect(normaliseAddress(address('12 Oak Street'))!.keys).toEqual([{ type: 'street', text: '12|OAK' }]);
  });

  it('city and state alone have no keys', () => {
    expect(normaliseAddress(address('/ Austin/ tx'))).toMatchObject({
      standardized: { city: 'AUSTIN', state: 'TX' },
      keys: [],
    });
  });
});

describe('standardized', () => {
  test.each([
    [
      '1 Oak St/ x/ california/ 908021234',
      { street: '1 OAK ST', city: 'X', state: 'CA', zip: '90802', plus4: '1234', country: 'US' },
    ],
    ['1 Oak St/ x/ ca/ 90802-1234/ usa', { zip: '90802', plus4: '1234', country: 'US' }],
    ['1 Oak St/ Toronto/ ontario/ m1s 1t4', { state: 'ON', zip: 'M1S 1T4', country: 'CA' }],
    ['1 Oak St/ Perth/ Western Australia/ 6000/ australia', { state: 'WA', zip: '6000', country: 'AU' }],
    ['1 Oak St/ Perth', { state: '', zip: '', country: '' }],
    [
      'Straße 1/ Köln/ NRW/ 50667/ Deutschland',
      { street: 'STRASSE 1', city: 'KÖLN', state: 'NRW', country: 'DE' },
    ],
    ['1 Oak St/ x/ y/ z/ Tschechien', { country: 'CZ' }],
    ['1 Oak St/ x/ y/ z/ Allemagne', { country: 'DE' }],
    ['1 Oak St/ x/ y/ z/ Włochy', { country: 'IT' }],
    ['1 Oak St/ x/ y/ z/ España', { country: 'ES' }],
    ['1 Oak St/ x/ y/ z/ Narnia', { zip: 'Z', country: 'NARNIA' }],
  ])('%s', (line, expected) => {
    expect(normaliseAddress(address(line))!.standardized).toMatchObject(expected);
  });

  it('is null if every part is empty', () => {
    expect(normaliseAddress(address('  '))).toBeNull();
  });
});

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          '12',
          '1/2',
          '#',
          'apt',
          'N',
          'north',
          'st',
          'ave',
          'of',
          'the',
          'rue',
          'hwy',
          'po box',
          ',',
          '-',
          '4b',
          '5th',
          'fl',
          'Oak',
          'é',
        ),
        { maxLength: 9 },
      )
      .map((words) => words.join(' ')),
  );
  const anyAddress = fc.record({
    street: text,
    street2: text,
    city: text,
    state: text,
    zip: text,
    country: text,
  });

  it('never throws, and the standardized address has the same keys', () => {
    fc.assert(
      fc.property(anyAddress, fc.constantFrom('US', 'DE', 'XX'), (parts, region) => {
        const normal = normaliseAddress(parts, region);
        const again = normal === null ? null : normaliseAddress(normal.standardized, region);
        expect(again?.keys).toEqual(normal?.keys);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the unit in a second line with any mark', () => {
    const unit = (street2: string) =>
      normaliseAddress({ street: '12 Main St', street2, city: '', state: '', zip: '10001', country: '' })
        ?.keys[0]?.text;
    for (const mark of ['#5', '# 5', 'Apt 5', 'Apt #5', 'Unit 5', '5'])
      expect(unit(mark)).toBe(unit('Apt 5'));
    expect(unit('#B')).toBe(unit('Unit B'));
    expect(unit('#5')).not.toBe(unit(''));
  });

  it('has no empty part in a key that needs the part', () => {
    fc.assert(
      fc.property(anyAddress, (parts) => {
        for (const { text } of normaliseAddress(parts)?.keys ?? []) expect(text).toMatch(/^[^|]*\|[^|]+/);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on case, outer spaces or doubled spaces', () => {
    const plain = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz  0123456789,.#-/'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        fc.record({ street: plain, street2: plain, city: plain, state: plain, zip: plain, country: plain }),
        (parts) => {
          const shouted = Object.fromEntries(
            Object.entries(parts).map(([key, part]) => [
              key,
              `  ${part.toUpperCase().replaceAll(' ', '  ')} `,
            ]),
          ) as unknown as Address;
          const { keys, standardized } = normaliseAddress(parts) ?? {};
          expect(normaliseAddress(shouted)?.standardized).toEqual(standardized);
          expect(normaliseAddress(shouted)?.keys).toEqual(keys);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('looks up words in linear time, even in hostile texts', () => {
    const watched = [
      vi.spyOn(Map.prototype, 'get'),
      vi.spyOn(Set.prototype, 'has'),
      vi.spyOn(RegExp.prototype, 'test'),
      vi.spyOn(RegExp.prototype, 'exec'),
    ];
    const looks = (piece: string, length: number) => {
      const long = piece.repeat(length / piece.length);
      for (const one of watched) one.mockClear();
      normaliseAddress({ street: long, street2: long, city: long, state: long, zip: long, country: long });
      return watched.reduce((sum, one) => sum + one.mock.calls.length, 0);
    };
    const pieces = ['12 ', 'apt ', '# ', 'a', '1', ', ', 'st ', '-', 'N ', 'box ', '½', '道'];
    const grown = pieces.map((piece) => [piece, looks(piece, 100), looks(piece, 200)] as const);
    for (const one of watched) one.mockRestore();
    for (const [piece, short, long] of grown)
      expect([piece, long <= 2.5 * short + 20]).toEqual([piece, true]);
  });
});

test('a street line is given without its directional, and with each other one', () => {
  const directions = findOtherDirectionStreetSpellings('512 s main st');
  expect(directions?.without).toEqual(['512 main st', '512 main street']);
  expect(directions?.others.slice(0, 2)).toEqual(['512 n main st', '512 north main street']);
  expect(findOtherDirectionStreetSpellings('512 main st')).toBeNull();
  expect(findOtherDirectionStreetSpellings('512 n main st e')).toBeNull();
});
