// Spellings of addresses in the languages of the world. Each row is `street / city / state / zip / country`.
import { expect, test } from 'vitest';
import { getAddressKey } from './address-key.ts';

function toKey(line: string): string | null {
  const [street = '', city = '', state = '', zip = '', country = ''] = line
    .split('/ ')
    .map((part) => part.trim());
  return getAddressKey({ street, city, state, zip, country });
}

test.each([
  ['Japanese numbers in characters', '新宿三丁目14-1/ / / 160-0022', '新宿３−１４−１/ / / 1600022'],
  [
    'Hungarian floors',
    'Váci utca 12. II/3/ Budapest/ / 1051',
    'Váci u. 12, 2. em. 3. ajtó/ Budapest/ / 1051',
  ],
  ['a Hungarian ground floor', 'Fő utca 5, földszint 2/ X/ / 1051', 'Fő u. 5. fszt. 2/ X/ / 1051'],
  [
    'a block in Singapore',
    'Blk 123 Ang Mo Kio Ave 6 #08-12/ / / 560123',
    '123 Ang Mo Kio Ave 6 #08-12/ / / 560123',
  ],
  ['initials', '12, M.G. Road/ X/ KA/ 560001', '12 MG Rd/ X/ KA/ 560001'],
  ['an Indian house number', 'H.No. 45, Park Road/ X/ KA/ 560001', 'House No 45, Park Road/ X/ KA/ 560001'],
  ['hyphens in names', 'Karl-Marx-Straße 100/ X/ / 10115', 'Karl Marx Str. 100/ X/ / 10115'],
  ['umlauts in two letters', 'Königstraße 5/ X/ / 10115', 'Koenigstr. 5/ X/ / 10115'],
  ['Danish letters', 'Østerbrogade 54, 2. tv/ X/ / 2100', 'Oesterbrogade 54 2.tv./ X/ / 2100'],
  ['Swedish types cut short', 'Sveavägen 10/ X/ / 111 22', 'Sveav. 10/ X/ / 11122'],
  ['Austrian types cut short', 'Neubaugasse 12/ X/ / 1070', 'Neubaug. 12/ X/ / 1070'],
  [
    'a Hungarian floor after a comma',
    'Váci utca 12, II/3/ X/ / 1051',
    'Váci u. 12, 2. em. 3 ajtó/ X/ / 1051',
  ],
  ['an ordinal of a floor', 'Corrientes 1234, 5º B/ X/ / 1043', 'Corrientes 1234, 5to B/ X/ / 1043'],
  ['a Finnish flat after its staircase', 'Aurakatu 12 A 5/ X/ / 20100', 'Aurakatu 12A 5/ X/ / 20100'],
  ['a Finnish staircase', 'Mannerheimintie 12 A 5/ X/ / 00100', 'Mannerheimint. 12A5/ X/ / 00100'],
  [
    'a Canadian unit in front',
    '1234 rue Saint-Denis, app. 5/ X/ QC/ H2X 1Y4',
    '5-1234 St-Denis/ X/ QC/ H2X 1Y4',
  ],
  ['a Spanish ordinal', 'Calle Mayor 5, 3º B/ X/ / 28013', 'Calle Mayor 5 3o B/ X/ / 28013'],
  ['a Belgian box', 'Meir 12 bus 3/ X/ / 2000', 'Meir 12 b3/ X/ / 2000'],
  ['Slavic types after the name', 'Ленина ул., дом 5/ X/ / 101000', 'улица Ленина 5/ X/ / 101000'],
  ['Slovak marks', 'Obchodná 12/ X/ / 81101', 'ul. Obchodná č. 12/ X/ / 81101'],
  ['Greek letters', 'Οδός Ερμού 15/ X/ / 10558', 'Ermou 15/ X/ / 10558'],
  ['Hawaiian numbers', '94-1042 Hiapo St/ X/ HI/ 96797', '941042 Hiapo St/ X/ HI/ 96797'],
  ['the number last', '12 rue Saint-Jacques/ X/ / 1000', 'Rue Saint-Jacques 12/ X/ / 1000'],
  ['a unit of a building', '12 Main St Bldg 2 B3/ X/ TX/ 75001', '12 Main St Bldg 2 Apt B3/ X/ TX/ 75001'],
  ['a stop after a type', 'Linden Street. 12/ X/ / 10115', 'Linden Street 12/ X/ / 10115'],
  [
    'a Japanese place before the street',
    '千代田1-2-3/ 東京都千代田区/ / 1000001',
    '東京都千代田区千代田1丁目2番3号/ / / 100-0001',
  ],
  ['a Japanese ward', '北浜2-5-8/ 大阪市中央区/ / ', '大阪府大阪市中央区北浜2-5-8/ / / '],
  ['a Japanese district', '湯本1-2/ 足柄下郡箱根町/ / 2500311', '神奈川県足柄下郡箱根町湯本1-2/ / / 2500311'],
  ['a Chinese place before the street', '文三路1号/ 杭州市西湖区/ / ', '浙江省杭州市西湖区文三路1号/ / / '],
  [
    'a Korean place before the street',
    '강남대로 396 1203호/ 서울/ / 06232',
    '서울특별시 강남구 강남대로 396, 1203호/ / / 06232',
  ],
  ['a Korean district', '강남대로 396/ 서울/ / ', '강남구 강남대로 396/ 서울특별시/ / '],
  [
    'a Mexican flat',
    'Calle Durango 215, Depto 4/ X/ / 06700/ MX',
    'Durango #215-4, Col. Roma/ X/ / 06700/ MX',
  ],
  ['a Danish door', 'Vestergade 30, 2. tv/ X/ / 8000/ DK', 'Vestergade 30 2tv/ X/ / 8000/ DK'],
  ['Hebrew types', 'רחוב הרצל 15/ X/ / 6100000', 'הרצל 15/ X/ / 6100000'],
])('%s: %s is %s', (_what, one, other) => {
  expect(toKey(one)).not.toBeNull();
  expect(toKey(one)).toBe(toKey(other));
});

test.each([
  ['a market in a street name', '市场路12号/ / / 510000', '路12号/ / / 510000'],
  ['a Colombian house', 'Durango #215-4/ X/ / 110111/ CO', 'Durango 215, 4/ X/ / 110111/ CO'],
  ['another Hungarian floor', 'Váci utca 12. II/3/ X/ / 1051', 'Váci utca 12. III/2/ X/ / 1051'],
  [
    'another block in Singapore',
    'Blk 123 Ang Mo Kio Ave 6 #08-12/ / / 560123',
    'Blk 124 Ang Mo Kio Ave 6 #08-12/ / / 560123',
  ],
  [
    'another flat of a block',
    'Blk 123 Ang Mo Kio Ave 6 #08-12/ / / 560123',
    'Blk 123 Ang Mo Kio Ave 6 #08-13/ / / 560123',
  ],
  [
    'a lower and an upper street',
    '15 Lower Baggot Street/ X/ / D02 X285',
    '15 Upper Baggot Street/ X/ / D02 X285',
  ],
  ['another Swedish type', 'Kungsgatan 5/ X/ / 11122', 'Kungsvägen 5/ X/ / 11122'],
  ['another Hungarian type', 'Váci utca 12/ X/ / 1051', 'Váci út 12/ X/ / 1051'],
  [
    'another Canadian unit',
    '5-1234 rue Saint-Denis/ X/ QC/ H2X 1Y4',
    '6-1234 rue Saint-Denis/ X/ QC/ H2X 1Y4',
  ],
  ['a street with a letter as its name', 'Rua C, 12/ X/ / 70000-000', 'Rua D, 12/ X/ / 70000-000'],
  ['a Colombian house number', 'Cra7 # 71-21/ X/ / 110231', 'Cra7 Apt 7121/ X/ / 110231'],
  [
    'another block of a street',
    'Jl. Melati Blok D No. 12/ X/ / 12345',
    'Jl. Melati Blok H No. 12/ X/ / 12345',
  ],
  ['letters that are no umlaut', 'Bauerstraße 5/ X/ / 10115', 'Baurstraße 5/ X/ / 10115'],
  ['a word that is no article', 'Via Due Macelli 5/ X/ / 00187', 'Via Macelli 5/ X/ / 00187'],
  ['a range of houses', '1234-1240 Oak St/ X/ CA/ 90802', '1240 Oak St/ X/ CA/ 90802'],
])('%s: %s is not %s', (_what, one, other) => {
  expect(toKey(one)).not.toBe(toKey(other));
});
