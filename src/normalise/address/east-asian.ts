import type { Address } from '../../model.ts';
import { toAsciiDigits, toUnicodeNormalForm } from '../text.ts';

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Matches dashes other than `-` between two numbers: `3−14`. */
const OTHER_DASH = /(?<=\d)[‐‑‒–—―−ー](?=\d)/gu;
/** Matches the number of a block in Chinese characters: `三丁目`, `十二丁目`. */
const BLOCK_IN_CHARACTERS = /([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)(?=丁目)/gu;
/** Matches a number with the word for a block (`1丁目`) before another number of the same house number: `1丁目2番`. */
const BLOCK = /(\d)\s*(?:丁目|番地の?|番|條|条)\s*(?=\d)/gu;
/** Matches a number that belongs to the name of a road (section, lane, Korean side street), not to the house. */
const ROAD_NUMBER = /(\d{1,4})\s*(?=段|巷|弄|길|가(?!\p{L}))/gu;
const BUILDING = /(?<![\p{L}\d])(\d{1,5})\s*동(?!\p{L})|(\d{1,5})\s*(?:号楼|號樓|栋|棟|幢|单元|單元)/gu;
const ROOM = /(\d{1,5})\s*(?:号室|號室|室|호실)/gu;
const BASEMENT = /(?:地下|지하)\s*(\d{1,2})\s*(?:樓|楼|階|阶|層|层|층)/gu;
const FLOOR = /(\d{1,3})\s*(?:樓|楼|階|阶|層|层|층)(?:\s*之\s*(\d{1,4}))?/gu;
const AFTER_NUMBER = /(\d)\s*(?:号|號|番地|番|호|번지)/gu;
const SCRIPT_CHANGE = /(?<=[^\d\s-])(?=\d)|(?<=\d)(?=[^\d\s-])/gu;
/** Matches the house number, which is the first number that belongs to no road, with a room that a hyphen joins to it: `1-2-3-101`. */
const HOUSE_NUMBER = /(?<![\dA-Z-])(\d+(?:-\d+){0,2})(?:-(\d+))?(?![\d-]|ST)/u;
const LAST_NUMBER = / (\d+) *$/u;
/** Match the parts of the place before a Japanese or Chinese street: `東京都千代田区千代田1-2-3`, `浙江省杭州市西湖区文三路1号`. */
const PREFECTURE = /^(?:東京都|北海道|京都府|大阪府|[々-龿]{2,3}[県省])/u;
const CITY = /^(?:[々-龿]{1,5}?市(?!市)|[々-龿]{1,4}?郡[々-龿]{1,4}?[町村])/u;
const WARD = /^[々-龿]{1,5}?[区區县縣]/u;
/** Matches a Korean province, city and district before a street: `서울특별시 강남구 강남대로 396`. */
const KOREAN_PLACE =
  /^(?:(?:[가-힣]{1,7}[시도군구읍면]|서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주) )+/u;
const KOREAN_CITY_RANK = /(?:특별자치|특별|광역)?시$/u;

/**
 * Rewrites Chinese, Japanese and Korean block numbers, buildings, floors and rooms, which would be lost when the text is converted to Latin
 * letters: `1丁目2番3号101号室` becomes `1-2-3 , APT 101`. Returns other texts unchanged.
 */
export function rewriteEastAsianNumbers(text: string): string {
  if (!EAST_ASIAN.test(text)) return text;
  const marked = toAsciiDigits(toUnicodeNormalForm(text, 'NFKC'))
    .replace(OTHER_DASH, '-')
    .replace(BLOCK_IN_CHARACTERS, toDigits)
    .replace(BLOCK, '$1-')
    .replace(ROAD_NUMBER, '$1ST ')
    .replace(ROOM, ' , APT $1 , ')
    .replace(BUILDING, (_all, korean, chinese) => ` , BLDG ${korean ?? chinese} , `)
    .replace(BASEMENT, ' , APT B-$1 , ')
    .replace(FLOOR, (_all, floor, door) => (door ? ` , APT ${floor}-${door} , ` : ` , FL ${floor} , `))
    .replace(AFTER_NUMBER, '$1 ')
    .replace(SCRIPT_CHANGE, ' ')
    .replace(/(\d) ST /gu, '$1ST ');
  const house = HOUSE_NUMBER.exec(marked);
  if (house === null) return marked;
  const [all, number = '', room] = house;
  const rest = marked.slice(house.index + all.length).replace(LAST_NUMBER, ' , APT $1');
  return `${marked.slice(0, house.index)}${number} , ${room === undefined ? '' : `APT ${room} , `}${rest}`;
}

/** Returns the number of a block in digits: `十二` is 12, `三` is 3. The parts of the number are below 10, or empty. */
function toDigits(_all: string, tens: string, ten: string, ones: string): string {
  const [first, last] = [tens, ones].map((text) => '〇一二三四五六七八九'.indexOf(text));
  if (ten !== '') return `${tens === '' ? 1 : first}${last}`;
  return tens === '' ? ones : String(first);
}

/**
 * Moves the place before an East Asian street to the field `city`, if that is empty: `東京都千代田区千代田1-2-3` is `千代田1-2-3` in `東京都千代田区`. A city
 * alone stays in the street, because 市 is also a part of street names: `市场路`.
 */
export function moveEastAsianPlaceFromStreetToCity(address: Address): Address {
  const { street: line } = address;
  if (!EAST_ASIAN.test(line)) return address;
  const [korean = ''] = KOREAN_PLACE.exec(line) ?? [];
  const [prefecture = ''] = PREFECTURE.exec(line) ?? [];
  const [city = ''] = CITY.exec(line.slice(prefecture.length)) ?? [];
  const [ward = ''] = WARD.exec(line.slice(prefecture.length + city.length)) ?? [];
  const place = korean || (prefecture + ward && prefecture + city + ward);
  const street = line.slice(place.length).trimStart();
  if (place === '' || !EAST_ASIAN.test(street[0] ?? '')) return address;
  return { ...address, street, city: address.city || place.trimEnd() };
}

/** Removes the parts of a city's name that many addresses omit: `東京都千代田区` becomes `千代田区`, `서울특별시` becomes `서울`. */
export function toShortEastAsianCity(city: string): string {
  if (!EAST_ASIAN.test(city)) return city;
  return city.replace(PREFECTURE, '').replace(KOREAN_CITY_RANK, '') || city;
}
