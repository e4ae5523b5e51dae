// House numbers and units behind the street, in the ways of several languages.
import { expect, test } from 'vitest';
import { normaliseAddress } from '../../../src/normalise/address.ts';

/** Returns the `address` keys of a row `street / city / state / zip`. */
function keysOf(line: string): string[] {
  const [street = '', city = '', state = '', zip = ''] = line.split('/ ').map((part) => part.trim());
  const { keys } = normaliseAddress({ street, street2: '', city, state, zip, country: '' })!;
  return keys.filter(({ type }) => type === 'address').map(({ text }) => text);
}

test.each([
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
  ['state and zip in the city', '12 Oak St/ Springfield, IL 62701-1234', '12 Oak St/ Springfield/ IL/ 62701'],
])('%s: %s is %s', (_what, one, other) => {
  expect(keysOf(one)).toHaveLength(1);
  expect(keysOf(one)).toEqual(keysOf(other));
});

test.each([
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
  ['another type of street', 'Rua Augusta 1500/ X/ / 20050', 'Rue Augusta 1500/ X/ / 20050'],
  ['another kilometre', 'Carretera Real 340 km 12/ X/ / 28013', 'Carretera Real 340 km 300/ X/ / 28013'],
])('%s: %s is not %s', (_what, one, other) => {
  expect(keysOf(one)).not.toEqual(keysOf(other));
});

test('a street has no key if its house number cannot be read', () => {
  expect(keysOf('Via Roma, 1/2/c/d/ Milano/ / 20121')).toEqual([]);
  expect(keysOf('Via Roma/ Milano/ / 20121')).toHaveLength(1);
});

test.each(['Calle Mayor, 5 bajo', 'Calle Mayor 5, bajo', 'Calle Mayor, 5, bajo'])(
  'the house number and the flat after a street are no street of their own on one line: %s',
  (street) => {
    expect(keysOf(`${street}, 28013 Madrid, Spain`)).toEqual(keysOf('Calle Mayor 5 bajo/ Madrid/ / 28013'));
  },
);

test('a number beside a street with a digit in its name leaves the street', () => {
  expect(keysOf('Mannheim Q7, 24/ Mannheim/ / 68161')).toEqual(keysOf('Mannheim Q7/ Mannheim/ / 68161'));
  expect(keysOf('Mannheim Q7/ Mannheim/ / 68161')).toHaveLength(1);
});

test('the street is that of the house number, not a building before it', () => {
  const street = keysOf('12 High St/ X/ / LS1 4AP');
  for (const building of ['Plaza Mall', 'Via Appia', 'Avenue Court'])
    expect(keysOf(`${building}, 12 High St/ X/ / LS1 4AP`)).toEqual(street);
});
