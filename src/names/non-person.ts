// Names that are not one person's name: companies, couples, and relatives of a person.
import { foldToAscii } from '../normalise/text.ts';
import { COMMON_SURNAME_FLAG, findNameEntry, GIVEN_NAME_FLAG, hasNameFlag, SURNAME_FLAG } from './lexicon.ts';
import { isTitleWord } from './title-words.ts';

/** Legal forms of companies (GmbH, Ltd) at the end of a name or before an addition. Origin: common knowledge of commercial registers. */
const LEGAL_FORM =
  /(?:^|[\s,])(?:g?gmbh(?: ?& ?co\.? ?kg)?|mbh|ohg|kgaa|eingetragener verein|ltd\.?|limited|l\.?l\.?c\.?|inc\.?|incorporated|corp\.?|corporation|plc|sarl|eurl|srl|spa|sp\. ?z ?o\. ?o\.|lda\.?|ltda\.?|pty|pte|aps|a\/s|oyj|& co\.?(?: kg)?|& sons|und sohne)(?=$|[\s,(])/;
/**
 * Legal forms of companies that may also be the initials of a person (S.A. Raghavan; Raghavan, S.A.). They count only after a word.
 */
const DOTTED_LEGAL_FORM =
  /[^\s,],? (?:e\. ?v\.|l\.l\.p\.|p\.l\.c\.|s\.a\.(?:s\.|r\.l\.)?|s\.r\.l\.|s\.p\.a\.|b\.v\.|n\.v\.|s\.l\.(?:u\.)?)(?=$|[\s,(])/;
/**
 * Legal forms of companies that are also surnames or initials. They count only in capital letters within a name that is not all in capitals.
 */
const SHORT_LEGAL_FORM = /\S (?:AG|KG|UG|SE|SA|SL|BV|NV|AB|AS|OY|LLP|SAS)$/;

/**
 * Legal forms of companies in other scripts. Chinese, Japanese and Korean forms are attached to the name, all others are separate words. Origin:
 * common knowledge of commercial registers.
 */
const OTHER_SCRIPT_LEGAL_FORM =
  /株式会社|有限会社|合同会社|合資会社|有限公司|股份公司|有限责任公司|주식회사|유한회사|[㈱㈜]|[(（][株有주][)）]|(?:^|[\s"«])(?:ООО|ОАО|ЗАО|ПАО|ТОО|ТОВ|ПрАТ|ПАТ|ЕООД|ООД|ЕАД|АД|ΑΕ|Α\.Ε\.|ΕΠΕ|ΟΕ|ΙΚΕ|בע["״]מ|ש\.?מ\.?מ|ذ\.?م\.?م|บริษัท)(?=$|[\s,"»])/;

function hasLegalForm(name: string): boolean {
  const folded = foldToAscii(name);
  if (LEGAL_FORM.test(folded) || OTHER_SCRIPT_LEGAL_FORM.test(name)) return true;
  const form =
    DOTTED_LEGAL_FORM.exec(folded) ?? (name === name.toUpperCase() ? null : SHORT_LEGAL_FORM.exec(name));
  if (form === null) return false;
  const words = form.input
    .slice(0, form.index + 1)
    .replace(',', '')
    .split(' ');
  if (DEGREE_OR_INITIALS.test(form[0]) && isGivenName(words[0]) && isFamilyName(words.at(-1))) return false;
  if (form[0].charAt(1) === ',')
    return words.length > 1 || !INITIALS_AFTER_COMMA.has(form[0].slice(', '.length + 1));
  // After given names only, the letters are initials: Vinod KG.
  return !words.every((word) => isGivenName(word));
}

/** Matches legal forms without dots. After the known names of a person and a comma, they count as a degree or as initials: Ann Lee, AS. */
const DEGREE_OR_INITIALS = /^, (?:AB|AS|NV|SA|SE|SL)$/;

/** Legal forms that count as initials after one word and a comma; the word may be a family name: Raghavan, S.A. */
const INITIALS_AFTER_COMMA = new Set(['s.a.', 'b.v.', 'n.v.', 'e.v.']);

/** Matches separators before an addition to a name, such as a company or a university. A suffix (Jr.) is no addition. */
const ADDITION = /, (?!(?:jn?r|sn?r|ii|iii|iv)\b)| (?:[-–—|]|c\/o) /i;
/** Matches the start of an addition to a name (such as a company), which may be a legal form. */
const FIRST_WORD = /^(?:sp\. z o\. ?o\.|[^ ]+)/i;

/**
 * Returns the name of a person without the company or profession that is added in brackets or after a comma, dash or c/o (Ann Lee, Harbor
 * Supply LLC). Returns any other text as it is.
 */
function removeAddition(text: string): string {
  const open = text.indexOf(' (');
  const close = text.indexOf(')', open);
  const bare = open > 0 && close > 0 ? text.slice(0, open) + text.slice(close + 1) : text;
  const [name = '', ...additions] = bare.split(ADDITION);
  if (
    name === text ||
    !name
      .split(' ')
      .slice(0, -1)
      .some((word) => isGivenName(word)) ||
    hasCompanyName(name)
  )
    return text;
  return additions.some((addition) => hasLegalForm(`${name}, ${FIRST_WORD.exec(addition)?.[0]}`))
    ? text
    : name;
}

/**
 * Words in names of companies, institutions and departments. Words that are also names of people do not count. Origin: common knowledge of the languages.
 */
const COMPANY_WORDS = new Set(
  `academy archdiocese bakery butchers cathedral center centre charities club clubs congregation consulate convent diocese embassy federation fellowship
  garage group gym kindergarten ministries monastery mosque nursery playgroup police preschool seminary shop society store studio surgery synagogue
  tabernacle team trust union
  brauerei druckerei feuerwehr finanzamt fleischerei gartnerei gasthaus gasthof genossenschaft gesellschaft gymnasium jugendamt kanzlei
  kindertagesstatte landratsamt pfarramt pfarrei rathaus schreinerei sparkasse spedition steuerberatung tischlerei verband volksbank weingut
  zimmerei agence assurances auberge banque boucherie brasserie charcuterie coiffure comite cooperative ecole eglise entreprise etablissements
  librairie lycee menuiserie paroisse patisserie plomberie prefecture societe syndicat
  abogados asesoria asociacion autoescuela ayuntamiento carniceria colegio comunidad construcciones cooperativa distribuciones empresa escuela ferreteria
  fundacion gestoria inmobiliaria instalaciones instituto libreria parroquia peluqueria sociedad suministros talleres tienda transportes
  advogados associacao condominio construtora escola fundacao igreja imobiliaria mercearia oficina padaria paroquia prefeitura sociedade transportadora
  agenzia albergo associazione carrozzeria comitato comune edilizia ferramenta fondazione impresa istituto liceo macelleria officina parrocchia
  pasticceria scuola trattoria apotheek bakkerij basisschool drukkerij kapsalon kwekerij makelaardij parochie slagerij stichting vereniging
  apteka biuro fundacja gmina hurtownia kancelaria kosciol liceum parafia piekarnia przedsiebiorstwo przedszkole przychodnia restauracja sklep
  spoldzielnia stowarzyszenie podstawowa urzad wspolnota belediyesi dernegi eczanesi firini hastanesi insaat kilisesi lokantasi okulu sanayi
  sirketi ticaret universitesi vakfi apotek forening foreningen forsamling klub klubb kommun kommune kyrka kyrkan skola skolan stiftelse stiftelsen
  apteekki seurakunta yhdistys lekarna nadace pekarna spolek alapitvany egyesulet iskola onkormanyzat asociatia biserica fundatia primaria scoala
  abteilung accounting accounts agency antiques apotheke apparel architects architecture associates association attorneys autohaus
  automotive backerei bakery barbershop bicycles bookkeeping bookshop bookstore boulangerie boutique brewery brewing cafe carpentry
  ceramics chiropractic clothing couriers decorating electrical electricians financial flooring freight gardening glazing graphics
  hairdressing jewelers jewelry jewellery joinery kennels laboratories laundry lawyers leasing lumber machinery mechanical motors
  nurseries opticians orthodontics packaging painters physio plastics plumbers pottery printing realtors recycling robotics roofers sawmill
  shipping surveyors textiles tiling transport travel trucking welding winery
  buchhaltung builders catering cleaning clinic clinica college committee companies company construction consultants consulting
  contractors cooperative corporation creche daycare dealership dental dentist dentists department designs distribution distributors
  dock education einkauf electronics engineering enterprise enterprises entertainment farmacia florists foundation foundry furniture
  gemeinde haulage hausverwaltung heating holding holdings hospital hotel immobilien industries institut institute institution insurance
  interiors investments jewellers klinik krankenhaus landscaping lettings library logistics mairie management manufacturing marketing
  metzgerei ministry museum office organisation organization panaderia panificio partners payable pharmacie pharmacy photography
  physiotherapy pizzeria plumbing praxis productions properties publishing purchasing realty receiving recruitment removals rentals
  repairs restaurant restaurante ristorante roofing salon service services software solicitors solution solutions stadtwerke
  stiftung studios supermarket supermercado supplies supply systems technologies telecom telecoms theatre trading tuition universidad
  universitat universite university upholstery ventures verein veterinary warehouse werkstatt wholesale woodworks`.split(
    /\s+/,
  ),
);

/** Matches German and Dutch compounds for companies and institutions: Grundschule, Sportverein, Zahnarztpraxis. */
const COMPANY_COMPOUND =
  /[a-z]{3}(?:schule|verein|praxis|kirche|gemeinde|betrieb|gesellschaft|handlung|verwaltung|verband|kanzlei|bedrijf|kantoor|praktijk)$/;

/** Names of institutions in Chinese, Japanese and Korean (北京大学), and in Arabic, where the word comes first (شركة النور). Origin: common knowledge of the languages. */
const OTHER_SCRIPT_INSTITUTION =
  /(?:学校|學校|大学|大學|教会|教會|医院|醫院|病院|协会|協会|協會|银行|銀行|学園|幼稚園|保育園|商店|公司|학교|대학교|교회|병원|협회|은행|유치원)$|^(?:شركة|شركه|مؤسسة|مؤسسه|مصنع|متجر|مجموعة|مطعم|صيدلية|مستشفى|مدرسة|جامعة|جمعية|بنك|مصرف)\s/;

/** Words for institutions that are also family names. They count only at the end, and beside words that are no names: see `isInstitution`. */
const INSTITUTIONS_OR_NAMES = new Set(
  'bank chapel church council kirche league school schools schule'.split(' '),
);

/**
 * True for an institution whose last word, or word before `of`, is also a family name: Tidewater Church, Bank of Ireland. False if another word is a given name, a title or
 * an initial (Charlotte Church, Mr Church, J. Church), or if all other words are known names (Hunter Church).
 */
function isInstitution(name: string): boolean {
  const words = foldToAscii(name).split(/[ -]/);
  if (words.some((word, i) => INSTITUTIONS_OR_NAMES.has(word) && words[i + 1] === 'of')) return true;
  if (!INSTITUTIONS_OR_NAMES.has(words.at(-1) ?? '') || words.length < 2) return false;
  const others = words.slice(0, -1).map((word) => word.replace(/[^a-z]/g, ''));
  if (/['’]s [a-z]+$/i.test(name) || /^(?:st|saint|holy|first|our)$/.test(others[0] ?? '')) return true;
  return (
    !name.includes(',') &&
    others.some((word) => findNameEntry(word) === undefined) &&
    !others.some((word) => word.length < 2 || isGivenName(word) || isTitleWord(word))
  );
}

/**
 * True for the name of a company, institution or department: it has a legal form, or a word that is no name of people. A company that is
 * added to a person's name does not count.
 */
export const isCompanyName = (name: string): boolean =>
  isIndianFirm(name) || hasCompanyName(removeAddition(name));

/** Matches a separator between a company and its contact person. */
const COMPANY_SEPARATOR = / [/|–—-] |, /;

/**
 * Returns the person's name from a text that names a company and a person, such as `Ann Lee` from `Harbor Supply / Ann Lee`. Returns any other text as
 * it is. A company of one word does not count.
 */
export function removeCompany(text: string): string {
  const parts = text.split(COMPANY_SEPARATOR);
  if (parts.length !== 2) return text;
  const isPersonOfCompany = (person: string, i: number): boolean =>
    parts.every((part) => part.includes(' ')) &&
    isCompanyName(parts[1 - i] ?? '') &&
    findNonPersonNameType(person) === null &&
    isGivenName(person.slice(0, person.indexOf(' ')));
  return parts.find(isPersonOfCompany) ?? text;
}

/** True for a firm (`M/S Khan Traders`) and a Hindu undivided family (`Sharma HUF`) in India. Huf is also a German family name. */
function isIndianFirm(name: string): boolean {
  const words = name.toLowerCase().split(' ');
  const [last, before] = [words.at(-1), words.at(-2)];
  if (words.length < 2) return false;
  if (/^m\/s[. ]/i.test(name) || last === '(huf)') return true;
  return last === 'huf' && isFamilyName(before) && !isGivenName(before);
}

const hasCompanyName = (name: string): boolean =>
  hasLegalForm(name) ||
  OTHER_SCRIPT_INSTITUTION.test(name) ||
  isInstitution(name) ||
  foldToAscii(name)
    .split(/[^a-z]+/)
    .some(
      (word) => (COMPANY_WORDS.has(word) || COMPANY_COMPOUND.test(word)) && findNameEntry(word) === undefined,
    );

/** True for a known given name beside a family name that is a word of trade, in columns of their own: Jordi, Company. */
export const isGivenNameBesideTradeWord = (given: string, family: string): boolean =>
  given.split(' ').every(isGivenName) &&
  foldToAscii(family).split(' ').length < 3 &&
  foldToAscii(family)
    .split(' ')
    .some((word) => COMPANY_WORDS.has(word)) &&
  !hasLegalForm(`${given} ${family}`);

/** Names of two people: two given names or titles, joined by "and", then a family name. */
const COUPLE =
  /^([\p{L}'.-]+)(?: [\p{L}'.-]+){0,2} (&|\+|\/|and|und|u\.|et|og|och|AND|UND|ET) ([\p{L}'.-]+)(?: |$)/u;
/**
 * Names of two people joined by y, e or i, which may also join two family names or be an initial. These letters count only between two given names
 * before a family name.
 */
const ROMANCE_COUPLE = /^(\p{Lu}[\p{L}'-]+) [yei] (\p{Lu}[\p{L}'-]+) \p{Lu}/u;
/** Matches the name of a household: Familie Brandt, the Whitmore family. */
const FAMILY =
  /^(?:(?:the )?\p{L}+(?:[ -]\p{L}+)? (?:family|household)|(?:familie|fam\.|family|famille|famiglia|família|familia|rodzina|семья) \p{L}+(?:[ -]\p{L}+)?)$/iu;
/** Matches beginnings that only names of several people have. */
const GROUP = /^(?:eheleute|ehepaar|erbengemeinschaft|(?:the )?estate of) /i;
const TITLE = /^(?:mrs?|ms|herr|frau|familie|family)\.?$/i;

const KIN =
  'mum|mom|mam|mother|dad|father|son|daughter|wife|husband|sister|brother|aunt|uncle|nan|gran|grandma|grandpa|grandmother|grandfather|boyfriend|girlfriend|friend|neighbou?r|assistant|carer';
const POSSESSIVE = new RegExp(String.raw`\p{L}['’]s? (?:${KIN})$`, 'iu');
const KIN_OF = new RegExp(
  String.raw`^(?:the )?(?:(?:${KIN}) of|(?:mutter|vater|frau|mann|sohn|tochter) von|(?:mère|père|femme|mari|fils|fille) de|(?:madre|padre|esposa|marido|hijo|hija) de) `,
  'iu',
);

/** Matches a relation with a possessive at any place of a text: `Zara's mum Ann Lee`. */
const POSSESSIVE_INSIDE = new RegExp(String.raw`\p{L}['’]s? (?:${KIN})(?![\p{L}'’])`, 'iu');
const LETTER = /\p{L}/u;

/**
 * Words for relatives in the place of a name (Mum, meine Frau): a line for each group of languages, the words for "my" before the colon. Origin:
 * common knowledge of languages.
 */
const RELATION_TABLE = `
  my our the: mum mom mam mummy mommy mama mother dad daddy papa father nan nana gran granny grandma grandpa grandad granddad grandmother grandfather wife husband hubby son daughter sister brother auntie aunt uncle boyfriend girlfriend fiance fiancee partner
  mein meine unser unsere: mutti mutter mama vati vater papa papi oma opa frau ehefrau mann ehemann sohn tochter schwester bruder tante onkel
  mon ma notre: maman papa mere pere mamie papy femme epouse mari epoux fils fille soeur frere tante oncle
  mi nuestra nuestro: mama papa mami papi madre padre abuela abuelo abuelita abuelito mujer esposa marido esposo hijo hija hermana hermano
  mio la il: mamma papa babbo madre padre nonna nonno moglie marito figlio figlia sorella fratello
  minha meu: mamae papai mae pai avo vovo esposa marido filho filha irma irmao
  mijn onze: mama papa moeder vader oma opa vrouw man zoon dochter zus broer
  moja moj: mama tata matka ojciec babcia dziadek zona maz syn corka siostra brat
  min mitt: mamma pappa mormor farmor morfar farfar moder fader hustru syster bror datter soster
  benim: annem babam annecigim babacigim anneannem babaannem dedem karim kocam esim oglum kizim kardesim ablam abim
  moje muj: maminka tatinek matka otec babicka dedecek manzelka manzel dcera sestra bratr
  мой моя: мама папа мать отец бабушка дедушка жена муж сын дочь сестра брат
  мій: мамо тато мати батько бабуся дідусь дружина чоловік
  μου η ο: μαμά μπαμπάς μητέρα πατέρας γιαγιά παππούς σύζυγος αδελφή αδελφός
  : أمي أبي ماما والدتي والدي زوجتي زوجي ابني ابنتي أختي أخي
  : אמא אבא סבתא סבא אשתי בעלי
  : 妈妈 爸爸 媽媽 老婆 老公 我妈 我爸 母亲 父亲 お母さん お父さん 母 父 妻 夫 엄마 아빠 어머니 아버지 아내 남편
`;
/** The words for relatives, each with the words for "my" that may precede it. */
const RELATIONS = new Map<string, Set<string>>();
for (const line of RELATION_TABLE.trim().split('\n')) {
  const [possessives = [], relations = []] = line.split(':').map((words) => words.trim().split(' '));
  for (const word of relations)
    RELATIONS.set(word, new Set([...(RELATIONS.get(word) ?? []), ...possessives]));
}
/** All words for relatives in lower case, without the accents of Latin letters: `mum`, `filha`, `жена`. */
export const RELATIVE_WORDS: readonly string[] = [...RELATIONS.keys()];
/** Matches Latin words that are too short to be told from a name if they stand alone: Papa, Man. Mum, Mom, Dad and Mama are no such words. */
const SHORT_WORD = /^(?!(?:mum|mom|dad|mama)$)[a-z]{1,4}$/;
const JOINTS = new Set('& + and und et y e en i och og ve и'.split(' '));

/** Words for relatives that may precede a given name without "my": Uncle Bob. */
const RELATIVES_BEFORE_NAME = new Set(
  'uncle aunt auntie grandma grandpa granny onkel tante oncle'.split(' '),
);

/** True for a word for a relative before a given name: my wife Carol, Uncle Bob. My Son Tran is a name. */
function isRelativeWithName(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  const isAfterRelative =
    words.length === 2
      ? RELATIVES_BEFORE_NAME.has(first)
      : words.length === 3 && RELATIONS.get(second)?.has(first) === true;
  const entry = isAfterRelative ? findNameEntry(words.at(-1) ?? '') : undefined;
  return hasNameFlag(entry, GIVEN_NAME_FLAG) && !hasNameFlag(entry, COMMON_SURNAME_FLAG);
}

/** True for a relation, with a name (Zara's mum, my wife Carol) or without one (Mum, meine Frau, Mum and Dad). */
function isRelation(name: string): boolean {
  if (POSSESSIVE.test(name) || KIN_OF.test(name)) return true;
  const words = name.toLowerCase().split(' ').map(foldWord);
  if (isRelativeWithName(words)) return true;
  if (!RELATIONS.has(words.at(-1) ?? '') || SHORT_WORD.test(words.join(' '))) return false;
  const joint = words.findIndex((word, i) => i > 0 && JOINTS.has(word));
  return joint < 0 ? isRelative(words) : [words.slice(0, joint), words.slice(joint + 1)].every(isRelative);
}

/** True for a word for a relative, also after "my". Words that are all names do not count: Nana, Min Son. */
const isRelative = (words: readonly string[]): boolean => {
  const [possessive, relation = ''] = words.length > 1 ? words : ['', ...words];
  const possessives = words.length < 3 ? RELATIONS.get(relation) : undefined;
  if (!possessives || words.every((word) => findNameEntry(word) !== undefined)) return false;
  return words.length === 1 || possessives.has(possessive ?? '');
};

/** Removes the accents of a lower-case Latin word, so that it has letters a-z only. A word in another script stays unchanged. */
const foldWord = (word: string) => (/[a-z]/.test(word) ? foldToAscii(word) : word);

/** Returns the type of a name that does not belong to one person; null for a person's name. */
export function findNonPersonNameType(name: string): 'company' | 'couple' | 'family' | 'relation' | null {
  if (isRelation(name)) return 'relation';
  if (!name.includes(' '))
    return OTHER_SCRIPT_LEGAL_FORM.test(name) || OTHER_SCRIPT_INSTITUTION.test(name) ? 'company' : null;
  if (isCompanyName(name)) return 'company';
  if (FAMILY.test(name) || GROUP.test(name) || isPluralOfFamily(name)) return 'family';
  return isCouple(withFamilyNameLast(name)) || areTwoFullNames(name) ? 'couple' : null;
}

/**
 * Returns the name in a text with a relation: `Ann Lee` for `Zara's mum Ann Lee` and `Ann Lee (Zara's mum)`, `Ann` for `my wife Ann`. Empty for a
 * relation without a name, such as `Zara's mum`. Another text stays unchanged.
 */
export function removeRelation(text: string): string {
  const [possessive] = POSSESSIVE_INSIDE.exec(text) ?? [];
  if (possessive === undefined) {
    if (!isRelation(text)) return text;
    const words = text.split(' ');
    return isRelativeWithName(words.map((word) => foldWord(word.toLowerCase()))) ? (words.at(-1) ?? '') : '';
  }
  const start = text.indexOf(possessive);
  const [before = ''] = text.slice(0, start).split('(');
  const isRemark = before.length < start && text.includes('(');
  const outside = isRemark ? before : text.slice(start + possessive.length);
  const words = outside
    .replace(/[(),:;]/g, ' ')
    .split(' ')
    .filter((word) => LETTER.test(word));
  const isName = words.some((word) => !JOINTS.has(word) && !RELATIONS.has(foldWord(word.toLowerCase())));
  return isName ? words.join(' ') : '';
}

export const isNameOfCouple = (name: string): boolean => findNonPersonNameType(name) === 'couple';

/** True for two full names with one family name, side by side: Anna Vogel Jonas Vogel. Names that are both given and family names do not count. */
function areTwoFullNames(name: string): boolean {
  const [a, b, c, d, ...others] = foldToAscii(name).split(' ');
  if (d === undefined || others.length > 0 || b !== d || a === c) return false;
  return getNameFlags(b) === SURNAME_FLAG && [a, c].every((word) => getNameFlags(word) === GIVEN_NAME_FLAG);
}

/** True for a family name in the plural: `The Whitmores`. */
function isPluralOfFamily(name: string): boolean {
  const [article, family = '', ...others] = name.toLowerCase().split(' ');
  return article === 'the' && family.endsWith('s') && others.length === 0;
}

/** Returns `Schmidt, Otto und Berta` as `Otto und Berta Schmidt`. */
function withFamilyNameLast(name: string): string {
  const [family = '', given, ...others] = name.split(', ');
  return given === undefined || others.length > 0 ? name : `${given} ${family}`;
}

const TITLE_OF_SEVERAL =
  /^(?:familie|fam\.?|family|famille|famiglia|família|familia|rodzina|eheleute|ehepaar|(?:mr|herrn?|hr|m|sr|sig|dhr)\.? (?:&|\+|und|u\.|and|et|y|e|en) (?:mrs|ms|frau|fr|mme|sra|mevr)\.?)$/i;
/** True if a title (cell of a title column) is that of a couple or a household: `Familie`, `Herr und Frau`. */
export const isTitleOfSeveralPeople = (title: string): boolean => TITLE_OF_SEVERAL.test(title.trim());

/** True for the name of a company, a couple or a household, whose contacts are not those of one person. */
export function isCompanyOrHouseholdName(name: string): boolean {
  const sort = findNonPersonNameType(name);
  return isCompanyName(name) || sort === 'couple' || sort === 'family';
}

function isCouple(name: string): boolean {
  const [, first = '', joint = '', second = ''] = COUPLE.exec(name.replace(/ ?\/ ?/g, ' / ')) ?? [];
  const [, left = '', right = ''] = ROMANCE_COUPLE.exec(name) ?? [];
  if (left !== '') return isGivenName(left) && isGivenName(right);
  if (first === '') return false;
  const areGiven = [first, second].every((word) => TITLE.test(word) || isGivenName(word));
  return areGiven ? first !== second : !/^(?:et|\/)$/i.test(joint);
}

const isGivenName = (word = ''): boolean => (getNameFlags(word) & GIVEN_NAME_FLAG) !== 0;

const isFamilyName = (word = ''): boolean => (getNameFlags(word) & SURNAME_FLAG) !== 0;

/** Returns which of `GIVEN_NAME_FLAG` and `SURNAME_FLAG` a word has. */
const getNameFlags = (word = ''): number =>
  (findNameEntry(foldToAscii(word))?.flags ?? 0) & (GIVEN_NAME_FLAG | SURNAME_FLAG);
