// Flats of one house: the ordinary spellings of one flat have the same key, and two flats never do.
import { expect, test } from 'vitest';
import { getAddressKey } from './address-key.ts';

/** Country, city, postcode, spellings of one flat, and other flats and houses. */
const FLATS: readonly (readonly [string, string, string, readonly string[], readonly string[]])[] = [
  [
    'RU',
    'Москва',
    '101000',
    [
      'ул. Ленина, д. 12, кв. 3',
      'ул. Ленина, дом 12, квартира 3',
      'ул. Ленина, 12, 3',
      'ул. Ленина, 12-3',
      'ул. Ленина д.12 кв.3',
    ],
    [
      'ул. Ленина, д. 12, кв. 77',
      'ул. Ленина, д. 123',
      'ул. Ленина, д. 12, корп. 2, кв. 3',
      'ул. Ленина, д. 12к3, кв. 3',
      'ул. Ленина, д. 12, оф. 5',
    ],
  ],
  [
    'UA',
    'Київ',
    '01001',
    ['вул. Хрещатик, 22, кв. 5', 'вулиця Хрещатик, будинок 22, квартира 5', 'вул. Хрещатик 22/5'],
    ['вул. Хрещатик, буд. 22, кв. 6', 'вул. Банкова, буд. 22, кв. 5'],
  ],
  [
    'PL',
    'Kraków',
    '31-146',
    ['ul. Długa 14 m. 5', 'ul. Długa 14/5', 'ul. Długa 14, m. 5', 'ul. Długa 14, lok. 5'],
    ['ul. Długa 14 m. 6', 'ul. Długa 14'],
  ],
  [
    'CZ',
    'Praha',
    '110 00',
    ['ulice Dlouhá 14, byt 5', 'ulice Dlouhá 14 byt 5', 'ulice Dlouhá 14, byt č. 5'],
    ['ulice Dlouhá 14, byt 6'],
  ],
  [
    'TR',
    'İstanbul',
    '34000',
    ['Lale Sok. No:12 D:5', 'Lale Sokak No: 12 Daire 5', 'Lale Sok. No:12, D:5', 'Lale Sok. 12/5'],
    ['Lale Sok. No:12 D:6', 'Lale Sok. No:12, D:7'],
  ],
  [
    'IT',
    'Roma',
    '00100',
    ['Via Po 12 scala B int. 5', 'Via Po 12, scala B, int. 5', 'Via Po n. 12, sc. B, interno 5'],
    ['Via Po 12, scala A, int. 5', 'Via Po 12, scala B, int. 6', 'Via Po 12, scala B'],
  ],
  [
    'ES',
    'Madrid',
    '28013',
    [
      'Calle de Alcalá 50, 3º B',
      'C/ Alcalá 50, 3B',
      'C/ Alcalá, 50 3 B',
      'Calle Alcalá nº 50, piso 3, puerta B',
      'Calle Alcalá 50, 3-B',
      'Calle Alcalá 50, tercero B',
    ],
    [
      'Calle de Alcalá 50, 3º A',
      'Calle Alcalá 50, esc. 2, 3º B',
      'Calle Alcalá 50, esc. 1, 3º B',
      'Calle Alcalá 50, segundo B',
    ],
  ],
  [
    'PT',
    'Lisboa',
    '1000-205',
    [
      'Rua Augusta 50, 3º Dto',
      'R. Augusta, 50, 3º Dto',
      'Rua Augusta n.º 50 3º direito',
      'Rua Augusta 50 3 Dto',
    ],
    ['Rua Augusta 50, 3º Esq', 'Rua Augusta 50 R/C Dto', 'Rua Augusta 50 r/c Esq'],
  ],
  [
    'BR',
    'São Paulo',
    '01310-100',
    ['Rua Augusta, 500, apto 31', 'R. Augusta, nº 500, ap. 31', 'Rua Augusta 500 ap31'],
    ['Rua Augusta, 500, apto 32', 'Rua Augusta, 500, apto 31, bloco B'],
  ],
  [
    'FR',
    'Paris',
    '75001',
    [
      '12 rue de Rivoli, bât B, appt 5',
      'Bât. B, appt 5, 12, rue de Rivoli',
      '12 rue Rivoli, appt 5, bâtiment B',
    ],
    ['12 rue de Rivoli, bât A, appt 5', '12 rue de Rivoli, bât B, appt 6', '12 rue de Rivoli, 3ème étage'],
  ],
  [
    'NL',
    'Amsterdam',
    '1012 AB',
    ['Kerkstraat 12-2', 'Kerkstraat 12 II', 'Kerkstraat 12-II', 'Kerkstraat 12, 2'],
    ['Kerkstraat 12-III', 'Kerkstraat 12-hs', 'Kerkstraat 122'],
  ],
  [
    'BE',
    'Brussel',
    '1000',
    ['Kerkstraat 12 bus 5', 'Kerkstraat 12, bus 5', 'Kerkstraat 12/5', 'Kerkstraat 12 boîte 5'],
    ['Kerkstraat 12 bus 6'],
  ],
  [
    'SE',
    'Stockholm',
    '111 22',
    ['Storgatan 12 lgh 1101', 'Storgatan 12, lägenhet 1101'],
    ['Storgatan 12, lgh 1102', 'Storgatan 12, 3 tr'],
  ],
  [
    'DK',
    'København',
    '1100',
    ['Nørregade 12, 2. tv', 'Nørregade 12 2.tv.', 'Nørregade 12, 2. sal tv'],
    ['Nørregade 12, 2. th', 'Nørregade 12, 3. tv', 'Nørregade 12, st. tv', 'Nørregade 12, st. th'],
  ],
  ['NO', 'Oslo', '0150', ['Storgata 12, H0201', 'Storgata 12 H0201'], ['Storgata 12 H0202']],
  [
    'FI',
    'Helsinki',
    '00100',
    ['Mannerheimintie 12 A 5', 'Mannerheimintie 12, A 5'],
    ['Mannerheimintie 12 A 6', 'Mannerheimintie 12 B 5'],
  ],
  [
    'DE',
    'Berlin',
    '10115',
    ['Hauptstr. 5, 2. OG links', 'Hauptstraße 5 2. OG links', 'Hauptstr. 5, 2. Stock links'],
    ['Hauptstr. 5, 2. OG rechts', 'Hauptstr. 5, 3. OG links'],
  ],
  [
    'AT',
    'Wien',
    '1010',
    ['Lindengasse 12/2/4', 'Lindengasse 12, Stiege 2, Tür 4', 'Lindengasse 12 Stg. 2 Top 4'],
    ['Lindengasse 12/2/5', 'Lindengasse 12, Top 4'],
  ],
  [
    'RO',
    'București',
    '010101',
    [
      'Str. Lungă 12, bl. A2, sc. B, et. 3, ap. 14',
      'Strada Lungă nr. 12, bloc A2, scara B, etaj 3, apartament 14',
    ],
    ['Str. Lungă 12, bl. A2, sc. B, et. 3, ap. 15', 'Str. Lungă 12, bl. A2, sc. A, et. 3, ap. 14'],
  ],
  [
    'JP',
    '東京都',
    '100-0001',
    ['丸の内1-2-3 101号', '丸の内1丁目2番3号101号室', '丸の内1-2-3-101', '丸の内1-2-3 メゾン東京101'],
    ['丸の内1-2-3 102号', '大手町1-2-3 101号'],
  ],
  [
    'KR',
    '서울',
    '04524',
    ['세종대로 110, 101동 202호', '세종대로 110 101동 202호'],
    ['세종대로 110, 102동 202호', '세종대로 110, 101동 203호', '세종대로 110, 202호'],
  ],
  [
    'CN',
    '北京市',
    '100000',
    ['长安街12号3号楼101室', '长安街 12 号 3 栋 101 室'],
    ['长安街12号4栋101室', '长安街12号3号楼102室', '建国路12号3号楼101室', '长安街12号5楼101室'],
  ],
  [
    'EG',
    'القاهرة',
    '11511',
    ['شارع التحرير 12، شقة 5', '12 شارع التحرير، شقة رقم 5', '١٢ شارع التحرير شقة ٥'],
    ['شارع التحرير 12، شقة 6'],
  ],
  [
    'GB',
    'London',
    'SW1A 1AA',
    ['Flat 5, 12 High Street', '12 High Street, Flat No. 5', '5/12 High Street'],
    ['12 High Street Flat 6', '12 High Street, xyz 5'],
  ],
];

test.each(FLATS)('%s: one flat has one key, and each other flat another', (...flat) => {
  const [country, city, zip, same, others] = flat;
  const ways = [
    (street: string) => ({ street, city, zip, country }),
    (street: string) => ({ street: `${street}, ${zip} ${city}`, country }),
    (street: string) => ({ street: `${street}, ${city}`, country }),
  ];
  for (const way of ways) {
    const [key, ...more] = [...new Set(same.map((street) => getAddressKey(way(street))))];
    expect([key, more]).toEqual([expect.any(String), []]);
    const other = others.map((street) => getAddressKey(way(street)));
    expect(other).toEqual(other.map(() => expect.any(String)));
    expect(new Set([key, ...other]).size).toBe(others.length + 1);
  }
});

test.each([
  ['г. Москва, ул. Ленина, д. 12, кв. 3', 'ул. Ленина, д. 12, кв. 3, Москва'],
  ['101000, г. Москва, ул. Ленина, д. 12, кв. 3', 'ул. Ленина, д. 12, кв. 3, 101000 Москва'],
  ['28013 Madrid, C/ Alcalá, 50, esc. B', 'C/ Alcalá 50, esc. B, 28013 Madrid'],
  ['75001 Paris, 12, rue de Rivoli, appt 5', '12 rue de Rivoli, appt 5, 75001 Paris'],
])('a place before a street with a flat: %s is %s', (one, other) => {
  expect(getAddressKey({ street: one })).toBe(getAddressKey({ street: other }));
  expect(getAddressKey({ street: one })).toEqual(expect.any(String));
});

test.each([
  ['25 de Mayo 100', 'Calle 25 de Mayo 100', '25 de Mayo 101'],
  ['25 de Mayo 100, piso 3, depto B', 'Calle 25 de Mayo 100 3 B', '25 de Mayo 100, 4 B'],
  ['17. listopadu 12', 'ulice 17. listopadu 12', '17. listopadu 13'],
  ['2e Helmersstraat 10', '2de Helmersstraat 10', '2e Helmersstraat 11'],
  ['2e Helmersstraat 10', '2e Helmersstr. 10', '3e Helmersstraat 10'],
  ['Długa 14/5', 'ul. Długa 14 m. 5', 'Długa 14/6'],
  ['Alcalá 120, 3B', 'Calle de Alcalá 120, 3º B', 'Plaza de Alcalá 120, 3º B'],
  ['Rivoli 12', 'Rue de Rivoli 12', 'Avenue de Rivoli 12'],
  ['12 May St', '12 May Street', '12 Calle May St'],
])('the street type may be left out: %s is %s and not %s', (one, same, other) => {
  const at = (street: string) => getAddressKey({ street, city: 'X', zip: '12345' });
  expect(at(one)).toBe(at(same));
  expect(at(one)).not.toBe(at(other));
});
