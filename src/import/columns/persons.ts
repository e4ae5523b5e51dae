// Rows of tables that are not about a person: companies, tests, guests of shops, and totals.
import {
  isCompanyName,
  isCompanyOrHouseholdName,
  isTitleOfSeveralPeople,
  removeCompany,
  removeOtherPerson,
} from '../../names/index.ts';
import { isMailProviderDomain, isRoleMailbox } from '../../normalise/email.ts';
import { foldToAscii, toAsciiDigits } from '../../normalise/text.ts';
import { hasOnlyKnownHeaderWords, splitHeaderIntoWords } from './by-words.ts';
import { guessColumn } from './guess.ts';
import { getFieldOfHeader } from './headers.ts';
import { allHeaderWordsHaveMeaning } from './words.ts';

/** Reason why a row is not about a person. `household` is a couple or a family; `placeholder` is a test entry, a guest or a service account. */
export type NonPersonReason = 'company' | 'household' | 'placeholder' | 'total';

const EMPTY_MARKERS =
  /^(?:none|keine?|aucune?|ningun[oa]|nessun[oa]|geen|brak|nenhuma?|#?[nN]\/[aA]|n\.a\.|null|NULL|nan|NaN|[-–—.…?*_]+|tb[ad]|TB[AD]|x{3,}|X{3,}|[kK]\. ?[aA]\.|\\N|\(blank\)|#REF!|#VALUE!|no (?:tiene|consta)|n[ãa]o (?:tem|informado)|sin (?:correo|e-?mail|tel[ée]fono)|нет|なし|없음)$/;

/** Placeholder names of shop guests. The contacts of such a row still belong to a person. */
const GUEST = new Set(
  'guest,guest customer,guest user,guest checkout,unknown,anonymous,no name,noname,gast,unbekannt,invite,client invite,walkin customer,walk in customer,walkin,anonyme,invitado,ospite,gosc'.split(
    ',',
  ),
);
/** Names of test entries in a shop or form. No value of such a row belongs to a person. */
const TEST =
  /^(?:test(?:er|ing)?(?: (?:test(?:er)?|user|customer|account|order|person|kunde|name|\d+))*|(?:dummy|example|sample) (?:user|customer|person|name))$/;
const TEST_EMAIL =
  /^(?:test|asdf|none|noemail|no-?reply)\d*@(?:test|example|asdf|none|noemail|domain)\.[a-z]+$/i;

/** Matches mailboxes that people invent at any provider: `notavailable@gmail.com`, `na@na.com`. */
const INVENTED_MAILBOX = /^(?:none|na|no[._-]?e?mail|not[._-]?available|do[._-]?not[._-]?e?mail)$/;

/** Matches names and mailboxes of accounts that programs use: `svc_backup`. */
const SERVICE_ACCOUNT = /^(?:svc|srv|service|msol|healthmailbox)[._\d-]/i;

/** E-mail addresses that shops create for guests. */
const GUEST_MAILBOX = /^(?:guest|guests|gast|invitado|ospite|anonymous|walk-?in|no-?reply|noemail)\d*@/i;

/** Matches notes before the name of a receiver: `Attn: Ruth Skinner`. */
const ATTENTION = /^\s*(?:attn|att|attention|z\.? ?hd|zu h(?:ä|ae)nden|à l['’]attention de|c\/o)\b[.:]*\s*/i;

/** Returns the name after a note such as `Attn:`; null if the text has no such note. */
export const getNameAfterAttentionNote = (text: string): string | null =>
  ATTENTION.test(text) ? text.replace(ATTENTION, '').trim() : null;

/** Removes notes such as `Attn:`, `c/o …` and `S/O …` from a name, and the company beside the name of its contact person. */
export function removeAttentionNotesAndCompany(name: string): string {
  // Odoo writes a company and one of its contacts so: Harbor Supply, Ann Lee.
  return removeCompany(removeOtherPerson(name.replace(ATTENTION, '')).trim());
}

/** Maximum length in characters of a list title, such as `Members of 2024` or `Page 1 of 3`. */
const MOST_TITLE = 200;
/** Matches the first cell of a row of totals. Such words are also names of people, so a number, a colon or the end of the cell must follow. */
const TOTAL =
  /^(?:grand |sub|zwischen|gesamt|endsumme )?-?(?:totals?|summe|summen|gesamt|anzahl|somme|totaux|totale|totali|totaal|totales|suma|soma|razem|ogolem|itogo|vsego|synolo|toplam|count)(?: generale?| geral)?\.?(?:$|[\d:=(-]| .*[\d:])|\p{L} (?:sub)?total$/u;
const TOTAL_IN_OTHER_SCRIPTS = /^(?:合计|合計|总计|總計|小计|小計|합계|총계|المجموع|الإجمالي|कुल)/;
/** Matches a line of dashes, which a report draws below its headers. */
const RULE = /^[-=_+]+$/;
/** Matches a number of things in a line with totals: `120 Mitglieder`. */
const COUNTED_THINGS = /^\d[\d.,]{0,12} \p{L}{1,30}$/u;
const FEWEST_COLUMNS = 3;

/** True if a row is not a record but part of the layout, such as totals, `Page 1 of 3` or `# END`. */
export function isTotalsOrLayoutRow(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [first = '', ...others] = filled;
  if (filled.some((cell) => /^records?(?:\(s\))? downloaded$/i.test(cell))) return true;
  if (others.length > 0 ? filled.every((cell) => RULE.test(cell)) : first.startsWith('# ')) return true;
  if (TOTAL.test(foldToAscii(first)) || TOTAL_IN_OTHER_SCRIPTS.test(first)) {
    const texts = others.filter((cell) => /\p{L}{4}/u.test(cell));
    return texts.length === 0 || (texts.length === 1 && COUNTED_THINGS.test(texts[0] ?? ''));
  }
  if (isHeaderRow(filled)) return true;
  const isAlone = others.length === 0 && cells.length >= FEWEST_COLUMNS && cells[0]?.trim() === first;
  return isAlone && first.length <= MOST_TITLE && isTitle(first) && !first.includes('@');
}

/** True if all cells are headers. A list that was put together from several files repeats the headers, also in other words. */
function isHeaderRow(filled: readonly string[]): boolean {
  const isHeader = (cell: string) => !/[\d@]/.test(cell) && hasOnlyKnownHeaderWords(cell);
  // This test is fast, and fails for nearly all rows.
  if (!filled.some((cell) => getFieldOfHeader(cell.toLowerCase()) !== undefined)) return false;
  if (filled.length < FEWEST_COLUMNS || !filled.every(isHeader)) return false;
  return new Set(filled.flatMap((cell) => guessColumn(cell)?.field ?? [])).size >= FEWEST_COLUMNS;
}

/** True for a text with a letter and a digit that a space separates, such as `Page 1 of 3` or `120 Mitglieder`. */
const isTitle = (text: string): boolean =>
  matchesAfterSpace(text, LETTER, DIGIT) || matchesAfterSpace(text, DIGIT, LETTER);
const [LETTER, DIGIT] = [/\p{L}/u, /\d/];

/** True if a text contains a match of `before`, a space and a match of `after`. A single pattern would need cubic time. */
function matchesAfterSpace(text: string, before: RegExp, after: RegExp): boolean {
  const start = text.search(before);
  const space = start === -1 ? -1 : text.indexOf(' ', start);
  return space !== -1 && after.test(text.slice(space));
}

/** Remarks, such as `see notes`, that people write in place of a value. */
const REMARKS = new Set(
  'see note,see notes,see comments,see remarks,siehe notiz,siehe notizen,siehe bemerkung,voir note,voir notes,voir remarques,ver nota,ver notas,vedi nota,vedi note,zie notitie,zie notities,zie opmerkingen'.split(
    ',',
  ),
);
const LONGEST_REMARK = 20;

/** Matches markers that programs write for empty cells. */
const MACHINE_MARKERS = /^(?:null|nan|\\N|\(blank\)|#.*)$/i;

/**
 * Reasons for ignoring an e-mail or phone: the cell contains a marker such as `n/a`, it is a placeholder (see `isPlaceholderEmail`), or a remark
 * names a relative.
 */
export const [NO_VALUE_REASON, PLACEHOLDER_REASON, RELATIVE_REASON] = [
  'contains only a marker for no value',
  'belongs to nobody',
  'belongs to a relative',
];

/** Reason for leaving out an e-mail of the company or person whose export the file is, such as the seller in an export of payments. */
export const FILE_OWNER_REASON = 'belongs to the owner of the file';

/** Reason for leaving out a name that is only a relation, such as `Zara's mum`. */
export const RELATION_REASON = 'is a relation to a person, not a name';

/** True for a marker that a person types if there is no value, such as `n/a` or `keine`. False for markers that a program writes, such as `NULL`. */
export const isHumanWrittenEmptyMarker = (cell: string): boolean =>
  isEmptyMarker(cell) && !MACHINE_MARKERS.test(cell);

/** True if a cell contains only a marker for no value, such as `n/a` or `see notes`. */
export const isEmptyMarker = (cell: string): boolean =>
  EMPTY_MARKERS.test(cell) || (cell.length <= LONGEST_REMARK && REMARKS.has(cell.toLowerCase()));

/** True for the placeholder name of a guest, such as `Guest` or `Guest Guest`. */
export const isGuestPlaceholderName = (name: string): boolean =>
  GUEST.has(
    [
      ...new Set(
        foldToAscii(name)
          .replace(/[^a-z ]/g, '')
          .split(' '),
      ),
    ].join(' '),
  );

/** True for an e-mail that people enter only because a form requires one, such as `none@none.com`. It belongs to no person. */
export function isPlaceholderEmail(email: string): boolean {
  const [mailbox = '', domain = ''] = email.trim().toLowerCase().split('@');
  const isOfProvider = isMailProviderDomain(domain) || domain.startsWith(`${mailbox}.`);
  return TEST_EMAIL.test(email) || (isOfProvider && INVENTED_MAILBOX.test(mailbox));
}

/** Minimum number of digits of a phone, and number of last digits of which one is repeated in a placeholder. */
const [LEAST_DIGITS, LAST_DIGITS] = [7, 9];

/** True for a phone of one repeated digit, such as `999-999-9999` and `+1 555 555 5555`. It belongs to no person. */
export function isPlaceholderPhone(phone: string): boolean {
  const digits = toAsciiDigits(phone).replace(/[^0-9]/g, '');
  return digits.length >= LEAST_DIGITS && new Set(digits.slice(-LAST_DIGITS)).size === 1;
}

/** True if the cell of a title column says that the row is a company: `Firma`, `Société`. */
function isTitleOfCompany(title: string): boolean {
  const words = splitHeaderIntoWords(title);
  return words.length > 0 && allHeaderWordsHaveMeaning(words, 'company');
}

/**
 * Returns why a row with these names, e-mails and title is not about a person; null if it may be about a person. A title such as `Familie` makes the
 * name next to it (`Brandt`) the name of a household, and `Firma` that of a company.
 */
export function findNonPersonReason(
  names: readonly string[],
  emails: readonly string[],
  title = '',
): NonPersonReason | null {
  const isTest = (name: string) => TEST.test(foldToAscii(name));
  if (names.some(isTest)) return 'placeholder';
  if (names.length === 0 && emails.length > 0 && emails.every(isPlaceholderEmail)) return 'placeholder';
  const areOfService = (texts: readonly string[]) =>
    texts.length > 0 && texts.every((text) => SERVICE_ACCOUNT.test(text));
  if (areOfService(names) && areOfService(emails)) return 'placeholder';
  if (isTitleOfCompany(title) || (names.length > 0 && names.every(isCompanyName))) return 'company';
  if (names.length > 0)
    return isTitleOfSeveralPeople(title) || names.every(isCompanyOrHouseholdName) ? 'household' : null;
  if (emails.length === 0) return null;
  if (emails.every((email) => GUEST_MAILBOX.test(email))) return 'placeholder';
  return emails.every(isRoleMailbox) ? 'company' : null;
}
