import { describe, expect, it, test } from 'vitest';
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
    ['rear house', 'Hauptstr. 5, Hinterhaus, 10115 Berlin, DE', 'Hauptstr. 5 HH/ Berlin/ / 10115/ DE'],
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
    ['an Italian letter', 'Via Roma, 1/a/ Milano/ / 20121', 'Via Roma 1 A/ Milano/ / 20121'],
    ['a Spanish floor', 'Calle Mayor, 5 3º B/ Madrid/ / 28013', 'Calle Mayor 5, 3ºB/ Madrid/ / 28013'],
    ['a floor in words', 'Calle Mayor, 5, piso 3 B/ Madrid/ / 28013', 'Calle Mayor, 5 3 B/ Madrid/ / 28013'],
    ['a Spanish side', 'Av. de la Paz, 12 - 3º izq/ X/ / 28013', 'Avda. de la Paz 12, 3 izda./ X/ / 28013'],
    ['a ground floor', 'Calle Mayor, 5 bajo/ Madrid/ / 28013', 'C. Mayor nº 5, bajos/ Madrid/ / 28013'],
    ['a rear building', 'Rua Augusta, 100 fundos/ X/ / 01305000', 'Rua Augusta 100 - fundos/ X/ / 01305-000'],
    ['a flat in the middle', 'Calle Mayor, 5 3º centro/ X/ / 28013', 'Calle Mayor 5, 3º ctro./ X/ / 28013'],
    ['a Mexican district', 'Av. Juárez 100, Centro/ X/ / 06010', 'Av. Juárez 100/ X/ / 06010'],
    ['a Brazilian district', 'Rua Sete, 100 - Centro/ X/ / 20050', 'Rua Sete, 100/ X/ / 20050'],
    ['a main street', 'Rua Sete, 100, Principal/ X/ / 20050', 'Rua Sete 100 principal/ X/ / 20050'],
    ['a Spanish main floor', 'Calle Mayor, 5, pral. izq./ X/ / 28013', 'C. Mayor 5 pral izda/ X/ / 28013'],
    [
      'a Brazilian flat',
      'Av. Atlântica, 1702 ap 501/ X/ / 22021-001',
      'Avenida Atlantica 1702 apto. 501/ X/ / 22021001',
    ],
    ['an Italian floor', 'Via Roma, 12 piano 2/ X/ / 20121', 'Via Roma 12, 2º piano/ X/ / 20121'],
    ['a French suffix', '12 bis, rue de Rivoli/ Paris/ / 75001', '12bis rue de Rivoli/ Paris/ / 75001'],
    ['a second suffix', '12 ter av. Foch/ Paris/ / 75016', '12ter, avenue Foch/ Paris/ / 75016'],
    ['a suffix at the end', 'Calle Mayor, 5 bis/ Madrid/ / 28013', 'Calle Mayor 5/bis/ Madrid/ / 28013'],
    ['a short French type', '12 av. Foch/ Paris/ / 75016', '12 avenue Foch/ Paris/ / 75016'],
    ['Italian stops', 'P.zza Duomo 5/ Milano/ / 20121', 'Piazza Duomo, 5/ Milano/ / 20121'],
    ['more Italian stops', 'V.le Monza 5/ Milano/ / 20121', 'Viale Monza, 5/ Milano/ / 20121'],
    ['a Polish flat', 'Długa 12 m. 4/ Gdańsk/ / 80-827', 'Długa 12/4/ Gdańsk/ / 80-827'],
    ['another Polish flat', 'ul. Długa 12 lok. 4/ Gdańsk/ / 80-827', 'ul. Długa 12/4/ Gdańsk/ / 80-827'],
    ['an Austrian flat', 'Lindengasse 12 Stiege 2 Top 4/ Wien/ / 1070', 'Lindengasse 12/2/4/ Wien/ / 1070'],
    ['a German half', 'Hauptstr. 12 1/2/ Bonn/ / 53111', 'Hauptstr. 12 ½/ Bonn/ / 53111'],
    ['a numbered street', 'Calle 100, 8A-55/ Bogotá/ / 110111', 'Calle 100 No. 8A-55/ Bogotá/ / 110111'],
    ['a postcode in the city', 'Hauptstr. 5/ 04107 Leipzig', 'Hauptstr. 5/ Leipzig/ / 04107'],
    ['a prefix in the city', 'Hauptstr. 5/ D-04107 Leipzig', 'Hauptstr. 5/ Leipzig/ / 04107'],
    ['a Dutch city', 'Damrak 1/ 1012 AB Amsterdam', 'Damrak 1/ Amsterdam/ / 1012 AB'],
    ['the postcode twice', 'Damrak 1/ 1012 AB Amsterdam/ / 1012AB', 'Damrak 1/ Amsterdam/ / 1012 AB'],
    [
      'state and zip in the city',
      '12 Oak St/ Springfield, IL 62701-1234',
      '12 Oak St/ Springfield/ IL/ 62701',
    ],
    ['a flat on one line', 'Calle Mayor, 5 bajo, 28013 Madrid, Spain', 'Calle Mayor 5 bajo/ Madrid/ / 28013'],
    [
      'a flat after the number',
      'Calle Mayor 5, bajo, 28013 Madrid, Spain',
      'Calle Mayor 5 bajo/ Madrid/ / 28013',
    ],
    ['a flat in a part', 'Calle Mayor, 5, bajo, 28013 Madrid, Spain', 'Calle Mayor 5 bajo/ Madrid/ / 28013'],
    ['a street with a digit', 'Mannheim Q7, 24/ Mannheim/ / 68161', 'Mannheim Q7/ Mannheim/ / 68161'],
    ['a building like a square', 'Plaza Mall, 12 High St/ X/ / LS1 4AP', '12 High St/ X/ / LS1 4AP'],
    ['a building like a street', 'Via Appia, 12 High St/ X/ / LS1 4AP', '12 High St/ X/ / LS1 4AP'],
    ['a building like an avenue', 'Avenue Court, 12 High St/ X/ / LS1 4AP', '12 High St/ X/ / LS1 4AP'],
    ['a feminine ordinal', 'Avenida 5ª 12/ X/ / 28013', 'Avenida 5a 12/ X/ / 28013'],
    ['a street named by a date', 'Calle 25 de Mayo, 100/ X/ / 28013', 'Calle 25 de Mayo nº 100/ X/ / 28013'],
    ['a date with a year', 'Rue du 8 Mai 1945, 10/ X/ / 75001', 'Rue du 8 Mai 1945 10/ X/ / 75001'],
    ['a Turkish number', '19 Mayıs Cad. No: 12/3/ X/ / 34000', '19 Mayıs Caddesi, No 12 D: 3/ X/ / 34000'],
    ['a number after an ordinal', 'Rua 1º de Maio, 100/ X/ / 20050', 'Rua 1º de Maio 100/ X/ / 20050'],
    ['a Catalan flat with a space', 'C. Sol 5 2º 1ª/ X/ / 28013', 'Calle Sol, 5, 2º-1ª/ X/ / 28013'],
    ['a Catalan flat', 'C. Sol 5 2º-1ª/ X/ / 28013', 'Calle Sol 5, 2º-1ª/ X/ / 28013'],
    ['a flat of a floor', '12 Oak St 3rd Floor A/ X/ CA/ 90802', '12 Oak St Fl 3 Apt A/ X/ CA/ 90802'],
    ['a short floor', '12 Oak St Fl 3 A/ X/ CA/ 90802', '12 Oak St Fl 3 Apt A/ X/ CA/ 90802'],
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
    ['another letter', 'Via Roma, 1/a/ Milano/ / 20121', 'Via Roma, 99/z/ Milano/ / 20121'],
    ['a number of a word', 'Calle Mayor, 5 bajo/ Madrid/ / 28013', 'Calle Real, 5 bajo/ Madrid/ / 28013'],
    [
      'a number without its street',
      'Av. Atlântica, 5 cobertura/ X/ / 22021',
      'Av. Brasil, 5 cobertura/ X/ / 22021',
    ],
    ['another house of a numbered street', 'Calle 100, 8A-55/ X/ / 110111', 'Calle 100, 9B-60/ X/ / 110111'],
    ['another flat of a floor', 'Calle Mayor 5, 3º centro/ X/ / 28013', 'Calle Mayor 5, 3º izq/ X/ / 28013'],
    ['a main floor', 'Calle Mayor 5, pral/ X/ / 28013', 'Calle Mayor 5/ X/ / 28013'],
    ['another type of street', 'Rua Augusta 1500/ X/ / 20050', 'Travessa Augusta 1500/ X/ / 20050'],
    ['another kilometre', 'Carretera Real 340 km 12/ X/ / 28013', 'Carretera Real 340 km 300/ X/ / 28013'],
    ['another house of a dated street', 'Rua 1º de Maio, 100/ X/ / 20050', 'Rua 1º de Maio, 900/ X/ / 20050'],
    ['another house and flat', '3ª Travessa Sete, 12/99/ X/ / 20050', '3ª Travessa Sete, 34/99/ X/ / 20050'],
    [
      'another house of a street with a day',
      'Via 4 Novembre, 12/ X/ / 20121',
      'Via 4 Novembre, 13/ X/ / 20121',
    ],
    [
      'another street with a day',
      'Calle 2 de Mayo, 3, 1º B/ X/ / 28013',
      'Calle 2 de Agosto, 3, 1º B/ X/ / 28013',
    ],
    ['another house of an ordinal', 'Calle 1ª, 20/30/ X/ / 28013', 'Calle 1ª, 40/30/ X/ / 28013'],
    ['another house behind an ordinal', '5th Avenue, 350/99/ X/ / 10118', '5th Avenue, 450/99/ X/ / 10118'],
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

test('a street has no key if its house number cannot be read', () => {
  expect(keys('Via Roma, 1/2/c/d/ Milano/ / 20121', 'address')).toEqual([]);
  expect(keys('Via Roma/ Milano/ / 20121', 'address')).toHaveLength(1);
});

describe('the house number', () => {
  test.each([
    ['a Turkish street', '12 Istiklal Caddesi, 34430/ X', '12|ISTIKLAL'],
    ['a Turkish street and a flat', '12 Atatürk Cad. Daire 4/ X/ / 34430', '12|ATATURK'],
    ['a Turkish street and a floor', '34 Bagdat Cad. Kat 3 Daire 5/ X/ / 34430', '34|BAGDAT'],
    ['a Russian district', 'мкр. 5 д. 12 кв. 3/ X/ / 141000', '12|MKR5'],
    ['a numbered street', 'Calle 47 N° 1234/ X/ / 1900', '1234|47'],
    ['a floor and a letter', 'Rua Augusta 5 andar 3 B/ X/ / 20050', '5|AUGUSTA'],
    ['an ordinal floor', 'Calle Mayor 5, 2ª planta/ X/ / 28013', '5|MAYOR'],
    ['a numbered route', '1234, Route 9 North/ X/ NY/ 10003', '1234|9'],
    ['a street with a day, and a flat', 'Av 5 Mayo 1910 Int 3/ X/ / 06010', '1910|5MAYO'],
  ])('is found beside %s: %s', (_what, line, key) => {
    expect(keys(line, 'street')).toEqual([key]);
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

test('a street line is given without its directional, and with each other one', () => {
  const directions = findOtherDirectionStreetSpellings('512 s main st');
  expect(directions?.without).toEqual(['512 main st', '512 main street']);
  expect(directions?.others.slice(0, 2)).toEqual(['512 n main st', '512 north main street']);
  expect(findOtherDirectionStreetSpellings('512 main st')).toBeNull();
  expect(findOtherDirectionStreetSpellings('512 n main st e')).toBeNull();
});
