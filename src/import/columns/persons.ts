// Names of tables that are no person's: companies, and what forms and tests leave behind.
import { foldToAscii } from '../../normalise/text.ts';

/** Why a row is no person's record. */
export type NonPersonKind = 'company' | 'placeholder' | 'total';

/** What stands in a cell that holds nothing. */
const NOTHING =
  /^(?:none|keine?|aucune?|ningun[oa]|nessun[oa]|geen|brak|nenhuma?|#?[nN]\/[aA]|n\.a\.|null|NULL|nan|NaN|-+|\.|[kK]\. ?[aA]\.|\\N|\(blank\)|#REF!|#VALUE!)$/;

/** A guest of a shop: no name, but the contacts are somebody's. */
const GUEST = new Set(
  'guest,guest customer,guest user,guest checkout,unknown,anonymous,no name,noname,gast,unbekannt,invite,client invite,invitado,ospite,gosc'.split(
    ',',
  ),
);
/** A test of a shop or form: nothing of it is anybody's. */
const TEST =
  /^(?:test(?:er|ing)?(?: (?:test(?:er)?|user|customer|account|order|person|kunde|name|\d+))*|(?:dummy|example|sample) (?:user|customer|person|name))$/;
/** E-mails that such rows have. */
const TEST_EMAIL =
  /^(?:test|asdf|none|noemail|no-?reply)\d*@(?:test|example|asdf|none|noemail|domain)\.[a-z]+$/i;

/** Legal forms that stand in no person's name, at the end or before an addition. Common knowledge of commercial registers. */
const FORM =
  /(?:^|[\s,])(?:g?gmbh(?: ?& ?co\.? ?kg)?|mbh|ohg|kgaa|e\. ?v\.|eingetragener verein|ltd\.?|limited|l\.?l\.?c\.?|inc\.?|incorporated|corp\.?|corporation|l\.l\.p\.|plc|p\.l\.c\.|s\.a\.(?:s\.|r\.l\.)?|sarl|eurl|s\.r\.l\.|srl|s\.p\.a\.|spa|b\.v\.|n\.v\.|sp\. ?z ?o\. ?o\.|s\.l\.(?:u\.)?|lda\.?|ltda\.?|pty|pte|aps|a\/s|oyj|& co\.?(?: kg)?|& sons|und sohne)(?=$|[\s,(])/;
/** Legal forms of two letters are surnames too: only in capitals, in a name that is not. */
const SHORT_FORM = /\S (?:AG|KG|UG|SE|SA|SL|BV|NV|AB|AS|OY|LLP|SAS)$/;

/** What stands in the last line of a list, under the records. */
const TOTAL =
  /^(?:grand |sub|zwischen|gesamt|endsumme )?-?(?:totals?|summe|summen|gesamt|anzahl|somme|totaux|totale|totali|totaal|totales|suma|soma|razem|ogolem|count)(?:$|[^\p{L}])/u;
const FEWEST_COLUMNS = 3;

/** Whether a row is a list's own: its totals, or a line such as `Page 1 of 3` below it. */
export function isTotalsRow(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [first = '', ...others] = filled;
  if (TOTAL.test(foldToAscii(first))) return others.every((cell) => !/\p{L}{4}/u.test(cell));
  const isAlone = others.length === 0 && cells.length >= FEWEST_COLUMNS && cells[0]?.trim() === first;
  return isAlone && /\p{L}.* .*\d|\d.* .*\p{L}/u.test(first) && !first.includes('@');
}

/** Whether a cell holds nothing, said in signs. */
export const isEmptyMarker = (cell: string): boolean => NOTHING.test(cell);

/** A guest's name, which says nothing; a form that asks for two has it twice. */
export const isGuestName = (name: string): boolean =>
  GUEST.has(
    [
      ...new Set(
        foldToAscii(name)
          .replace(/[^a-z ]/g, '')
          .split(' '),
      ),
    ].join(' '),
  );

/** Whether a name and e-mails are a company's or a test's, and not a person's; null where they may be a person's. */
export function findNonPerson(names: readonly string[], emails: readonly string[]): NonPersonKind | null {
  const isTest = (name: string) => TEST.test(foldToAscii(name));
  if (names.some(isTest) || (emails.length > 0 && emails.every((email) => TEST_EMAIL.test(email))))
    return 'placeholder';
  return names.length > 0 && names.every(isCompany) ? 'company' : null;
}

function isCompany(name: string): boolean {
  if (FORM.test(foldToAscii(name))) return true;
  return SHORT_FORM.test(name) && name !== name.toUpperCase();
}
