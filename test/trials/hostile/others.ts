// Hostile files in formats of other programs: nested objects, vCards, tables below titles.
import { MARK, pick, type Random, text } from './grammar.ts';

const whole = (most: number, random: Random) => Math.floor(random() * most);

const PROPERTIES = [
  'id',
  'kundenId',
  'name',
  'vorname',
  'kontakt',
  'mail',
  'emails',
  'telefonPrivat',
  'anschrift',
  'adressen',
  'strasse',
  'ort',
  'geboren',
  'letzterBesuch',
  'owner',
  'items',
  'type',
  'value',
  '__proto__',
  'constructor',
  '',
  '.',
  'a.b.c',
] as const;

/** Returns an object whose properties are words of headers, or values. */
function object(depth: number, random: Random): unknown {
  const kind = random();
  if (depth === 0 || kind < 0.4)
    return pick([text(40, random), `${MARK}@post.example`, 7, null, true, ''], random);
  if (kind < 0.55) return Array.from({ length: whole(5, random) }, () => object(depth - 1, random));
  const names = Array.from({ length: whole(9, random) }, () =>
    random() < 0.85 ? pick(PROPERTIES, random) : text(random() < 0.1 ? 5000 : 30, random),
  );
  return Object.fromEntries(names.map((name) => [name, object(depth - 1, random)]));
}

function objects(random: Random): string {
  const lines = Array.from({ length: 1 + whole(30, random) }, () => JSON.stringify(object(6, random)));
  return random() < 0.3 ? `[${lines.join(',\n')}]` : lines.join('\n');
}

const CARD = [
  'N:Doe;Jane;;;',
  'FN:Jane Doe',
  `FN:${MARK}`,
  'ORG:Firma',
  'KIND:org',
  'TEL;CELL:+1 415 555 0134',
  'TEL;VALUE=uri:tel:+1;ext=',
  'EMAIL:jane@post.example',
  `item1.EMAIL;TYPE="a:b":${MARK}@post.example`,
  'ADR;ENCODING=QUOTED-PRINTABLE:;;=C3=9',
  'NOTE;ENCODING=QUOTED-PRINTABLE:a=',
  ' folded',
  '\tfolded',
  'REV:20240314T102211Z',
  'REV:20249999T999999Z',
  'BDAY:--0412',
  'BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-17',
  'UID:urn:uuid:',
  'PHOTO;ENCODING=b:AAAA',
  'BEGIN:VCARD',
  'END:VCARD',
  '::::',
  ';;;',
  '',
] as const;

function cards(random: Random): string {
  const lines = ['BEGIN:VCARD'];
  for (let count = whole(60, random); count > 0; count--)
    lines.push(random() < 0.9 ? pick(CARD, random) : text(random() < 0.05 ? 20_000 : 80, random));
  return lines.join(pick(['\r\n', '\n'], random));
}

const ABOVE = [
  'sep=;',
  'sep=',
  '',
  ';;;;',
  'Kundenliste 2024;;',
  `"${MARK}`,
  'Name',
  'Name;Name;Name',
] as const;
const HEADERS = [
  'Nachname, Vorname;Straße (privat);PLZ / Ort;Letzter Besuch;Geburtsdatum',
  'Parent 1 Name;Parent 1 Email;Parent 2 Name;Parent 2 Email;Vater',
  'Nº de cliente;Kunde;Última compra;Número;First Name (Billing)',
  'a;b;c;d;e',
] as const;
const BELOW = ['Summe: 3;;;;', 'Total;;;;7', 'Seite 1 von 3', ';;;;'] as const;
const CELLS = [
  '06.05.1971',
  '17.05.1984',
  '99.99.9999',
  '03/04/05',
  'Doe, Jane',
  '0341 5550142',
  MARK,
  '',
  '"',
] as const;

function table(random: Random): string {
  const row = () => Array.from({ length: whole(8, random) }, () => pick(CELLS, random)).join(';');
  const some = <T>(most: number, one: () => T) => Array.from({ length: whole(most, random) }, one);
  return [
    ...some(4, () => pick(ABOVE, random)),
    pick(HEADERS, random),
    ...some(random() < 0.1 ? 600 : 20, row),
    ...some(3, () => pick(BELOW, random)),
  ].join('\n');
}

/** Returns the bytes of a file in one of these formats. */
export function fileOfOthers(random: Random): { ending: string; bytes: Buffer } {
  const kind = random();
  if (kind < 0.45) return { ending: pick(['json', 'jsonl'], random), bytes: Buffer.from(objects(random)) };
  if (kind < 0.7) return { ending: 'vcf', bytes: Buffer.from(cards(random)) };
  return { ending: pick(['csv', 'txt'], random), bytes: Buffer.from(table(random)) };
}
