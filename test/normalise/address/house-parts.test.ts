// Floors and buildings without a number are units: the ordinary spellings of one have the same key, and two of one house never do.
import { expect, test } from 'vitest';
import type { Address } from '../../../src/model.ts';
import { getAddressKey } from './address-key.ts';

/** Country, postcode, city, house, and its units. Spellings of one unit are separated by `=`. */
const HOUSES: readonly (readonly [string, string, string, string, readonly string[]])[] = [
  [
    'DE',
    '10435',
    'Berlin',
    'Kastanienallee 40',
    [
      'EG = Erdgeschoss = Erdgeschoß = Parterre = Whg. EG',
      'EG links = Erdgeschoss links',
      'EG rechts',
      'EG Mitte',
      'EG vorne',
      'Hochparterre',
      '1. OG = 1. Obergeschoss = 1. Stock = I. OG = erstes OG',
      '4. OG = 4.OG = 4OG = 4. Etage = 4. Stockwerk',
      '3. OG links = 3. OG Wohnung links',
      '3. OG rechts',
      'DG = Dachgeschoss',
      'DG links',
      'DG Mitte',
      'UG = Untergeschoss = 1. UG',
      '2. UG',
      'Souterrain',
      'Hinterhaus = HH = 1. Hinterhaus',
      '2. Hinterhaus',
      'Vorderhaus = VH',
      'VH, 3. OG rechts = Vorderhaus 3. OG rechts',
      'Seitenflügel = Seitenfluegel',
      'Whg 9',
    ],
  ],
  [
    'IT',
    '00100',
    'Roma',
    'Via Roma 5',
    [
      'piano terra = pian terreno = P.T.',
      'piano rialzato',
      'secondo piano = 2° piano = piano secondo = piano II',
      'seminterrato',
      'attico',
      'interno 4',
      'scala A, piano terra, int. 3 = scala A piano terra int 3',
    ],
  ],
  [
    'FR',
    '59000',
    'Lille',
    '3 rue Neuve',
    [
      'rez-de-chaussée = RDC = rez de chaussée',
      'RDC droite',
      '2e étage = 2ème étage = deuxième étage',
      '2e étage gauche',
      '2e étage droite',
      'entresol',
      'sous-sol',
    ],
  ],
  [
    'ES',
    '28013',
    'Madrid',
    'Calle Mayor 5',
    [
      'planta baja = bajo = bajos = P.B.',
      'bajo A = planta baja A',
      'bajo B',
      'entresuelo',
      '1º = primera planta',
      'ático',
      'sótano',
    ],
  ],
  [
    'PT',
    '1000-205',
    'Lisboa',
    'Rua Augusta 50',
    [
      'r/c = rés-do-chão = térreo',
      'r/c Dto = rés-do-chão direito',
      'r/c Esq = R/C Esquerda',
      'cave',
      'cave Dta',
    ],
  ],
  ['PL', '00-001', 'Warszawa', 'ul. Długa 14', ['parter', 'poddasze', 'suterena', 'm. 5']],
  ['CZ', '110 00', 'Praha', 'Dlouhá 14', ['přízemí', 'podkroví', 'suterén', '2. patro']],
  ['TR', '34000', 'İstanbul', 'Lale Sok. No:12', ['zemin kat = zemin', 'bodrum kat', 'Kat 3', 'giriş kat']],
  [
    'DK',
    '1100',
    'København',
    'Nørregade 12',
    ['stueetagen = st. = stuen', 'st. tv = stuen tv = stuen, venstre', 'st. th', 'kld. = kælder', '2. tv'],
  ],
  ['SE', '111 22', 'Stockholm', 'Storgatan 12', ['BV = bottenvåningen', '1 tr = våning 1', '2 tr = 2tr']],
  [
    'NL',
    '1012 AB',
    'Amsterdam',
    'Kerkstraat 12',
    [
      'begane grond = bg = hs = huis = beneden',
      '2-hoog = 2 hoog = 2e verdieping',
      'souterrain',
      'bovenhuis = boven',
    ],
  ],
  [
    'HU',
    '1051',
    'Budapest',
    'Fő utca 12',
    ['földszint 2 = fszt. 2', 'fszt. 3', '2. emelet 3 = 2. em. 3. = II. em. 3.'],
  ],
  ['RU', '420111', 'Казань', 'ул. Ленина 15', ['цоколь', 'подвал', '1-й этаж = этаж 1', 'кв. 8']],
  ['JP', '100-0001', '東京都', '丸の内1-2-3', ['地下1階', '1階']],
  [
    'GB',
    'BA1 1AA',
    'Bath',
    '8 High St',
    [
      'Basement Flat = Basement = Flat Basement = Bsmt',
      'Ground Floor Flat = Ground Floor = Flat Ground Floor = GFF = GF = Ground Fl',
      'Lower Ground Floor',
      'First Floor Flat = 1st Floor',
      'Garden Flat = The Garden Flat',
      'Garden Flat 2',
      'Upper Maisonette',
      'Lower Maisonette',
      'Top Flat = Top Floor Flat = The Top Flat',
      '1 Rear = Flat 1 Rear',
      '2 Rear',
      'Flat 9',
    ],
  ],
];

test.each(HOUSES)('%s: one unit has one key, and each other unit another', (...row) => {
  const [country, zip, city, house, units] = row;
  const place = { zip, city, country };
  const ways: ((unit: string) => Partial<Address>)[] = [
    (unit) => ({ street: house, street2: unit, ...place }),
    (unit) => ({ street: `${house}, ${unit}`, ...place }),
    (unit) => ({ street: `${house} ${unit}`, ...place }),
    (unit) => ({ street: `${house}, ${unit}, ${zip} ${city}`, country }),
  ];
  const found = units.map((spellings) => [
    ...new Set(spellings.split(' = ').flatMap((unit) => ways.map((way) => getAddressKey(way(unit))))),
  ]);
  expect(found.filter((keys) => keys.length !== 1 || keys[0] === null)).toEqual([]);
  const all = [...found.flat(), getAddressKey({ street: house, ...place })];
  expect(new Set(all).size).toBe(units.length + 1);
});

test.each([
  ['Basement Flat, 8 High St', '8 High St, Basement'],
  ['Garden Flat, 8 High St', '8 High St, Garden Flat'],
  ['Ground Floor 12 George St', '12 George St, Ground Floor'],
  ['EG, Hauptstr. 5', 'Hauptstr. 5 EG'],
  ['Lale Sok. No:12 Kadıköy', 'Lale Sokak 12'],
  ['4B, 12 Oak St', '12 Oak St, Apt 4B'],
  ['Flat 2/1, 25 Byres Road', '25 Byres Road, Flat 2/1'],
  ['2/1, 25 Byres Road', '25 Byres Road, Flat 2/1'],
  ['Flat A, 12/F, 25 Nathan Road', '25 Nathan Road, Floor 12, Flat A'],
  ['G/F, 25 Nathan Road', '25 Nathan Road, Ground Floor'],
  ['Hauptstr. 5-7 EG', 'Hauptstr. 5-7, EG'],
  ['Kerkstraat 12-huis', 'Kerkstraat 12 hs'],
  ['Shop 3, 45 George St', '45 George St, Shop 3'],
  ['No 45, 3rd Cross, Indiranagar', '45 3rd Cross'],
  ['Calle 100 No. 19-61 Of. 502', 'Calle 100 # 19-61, oficina 502'],
])('%s is %s', (one, other) => {
  const at = (street: string) => getAddressKey({ street, city: 'X', zip: '12345' });
  expect(at(one)).toBe(at(other));
  expect(at(one)).toEqual(expect.any(String));
});

test.each([
  '12 Garden St',
  '8 Upper Front St',
  '12 Blue Hill Top',
  '12 Oak Park Garden',
  '12 Hill Top',
  '100 Level Rd',
])('a street is no part of a house: %s', (street) =>
  expect(getAddressKey({ street, city: 'X', zip: '12345' })?.split('|')[2]).toBe(''),
);

test('F is a letter of the house number after an Italian street', () =>
  expect(getAddressKey({ street: 'Via Roma, 5/F', zip: '00100' })).toBe('5F|ROMA||00100'));

test.each([
  ['Rua Augusta 50, João Pessoa, PB', '50|AUGUSTA||JOAOPESSOA,'],
  ['Via Roma 5, Reggio Calabria, RC', '5|ROMA||REGGIOCALABRIA,'],
  ['12 Mall Road, Shimla, HP 171001', '12|MALL RD||SHIMLA,'],
  ['12 Main St, Level Green, PA', '12|MAIN ST||LEVELGREEN,PA'],
  ['12 Main St, Casa Grande, AZ', '12|MAIN ST||CASAGRANDE,AZ'],
])('the town or region at the end is no unit: %s', (street, key) =>
  expect(getAddressKey({ street })).toBe(key),
);

test('a town with the name of a part of a house stays the town', () => {
  expect(getAddressKey({ street: '12 Main St, Keller, TX' })).toBe('12|MAIN ST||KELLER,TX');
  expect(getAddressKey({ street: 'Kastanienallee 40, DG, Berlin' })).toBe('40|KASTANIENALLEE|DG|BERLIN,');
});
