import { foldToAscii } from '../../normalise/text.ts';
import { isPartyGroup } from './parties.ts';
// Headers of columns, as people and programs write them. The words are common knowledge of the export formats that are named beside them.

/** What a CSV column can hold. `address` is a whole address in one cell. */
export type ColumnField =
  | 'record_id'
  | 'source'
  | 'identity'
  | 'name'
  | 'given'
  | 'middle'
  | 'family'
  | 'suffix'
  | 'email'
  | 'phone'
  | 'street'
  | 'street2'
  | 'city'
  | 'state'
  | 'zip'
  | 'plus4'
  | 'country'
  | 'address'
  | 'birth_date'
  | 'birth_place'
  | 'gender'
  | 'title'
  | 'first_seen'
  | 'last_seen';

/** A column's field, and which of several addresses it belongs to. */
export interface Column {
  field: ColumnField;
  group: string;
}

/** Headers folded, without signs; digits at the end do not count. English first, then by program, then German, French, Spanish, Portuguese, Italian, Dutch, Polish; some Turkish. */
export const HEADERS: Record<ColumnField, string[]> = {
  record_id: [
    'recordid id recid recordno recordnumber customerid customerno customernumber custid custno clientid clientno clientnumber',
    'personid userid memberid memberno accountid accountno accountnumber uid uuid key externalid contactid leadid uniqueid',
    // Shops: Shopify, WooCommerce, Amazon, Etsy
    'order orderid orderno ordernumber ordernum shopifyid pedido commande ordine encomenda zamowienie bestelling bestellung',
    // Mailchimp
    'leid euid',
    'mitglnr patnr numerotessera nrlegitymacji',
    'kundennummer kundennr kdnr kundenid bestellnummer bestellnr auftragsnummer auftragsnr numeroclient nclient idclient codeclient numerocliente ncliente idcliente codigocliente codigodocliente codigodecliente',
    'numerodecliente codicecliente klantnummer klantnr klantid numerklienta nrklienta idklienta',
  ],
  source: ['source datasource sourcename sourcesystem system origin dataset'],
  identity: ['identity identityid clusterid entityid truthid'],
  name: [
    'name fullname names displayname customername personname contactname completename nombrecompleto nomcomplet aka othername akaname',
    // Shops: `Ship To`, `Recipient`
    'shipto billto recipient buyername recipientname shipname billname cardname customer client kunde empfanger',
    'vollername kundenname nometprenom prenometnom nomprenom prenomnom nomduclient nombreyapellidos nombrecliente nomecompleto nomecliente',
    'adsoyad adisoyadi isimsoyisim nomeecognome cognomeenome nominativo volledigenaam naam klantnaam imieinazwisko nazwiskoiimie',
  ],
  given: [
    'given givenname givennames first firstname fname forename forenames vorname vorn vname prenom nombre nome namefirst',
    'headofhousehold adi isim rufname vornamen prenoms nombres primernombre primeironome voornaam roepnaam imie',
  ],
  middle: [
    'middle middlename middlenames middleinitial mname mi secondname namemiddle zweitervorname weiterevornamen deuxiemeprenom segundonombre segundonome secondonome tweedenaam tussenvoegsel drugieimie',
  ],
  family: [
    'family familyname last lastname lname surname surnames nachname nachn nname nom apellido apellidos cognome sobrenome namelast',
    'familienname zuname nomdefamille primerapellido segundoapellido apelido apelidos ultimonome achternaam nazwisko soyad soyadi soyisim',
  ],
  suffix: ['suffix namesuffix generation generationalsuffix'],
  email: [
    'email emails emailaddress emailaddresses mail mailaddress correo correoelectronico correioeletronico correioelectronico courriel eposta primaryemail buyeremail',
    'emailadresse mailadresse emailkontakt adressemail adresseemail adressecourriel adresseelectronique direcciondecorreo correoe',
    'emaildelcliente enderecodeemail postaelettronica indirizzoemail indirizzomail emailadres adresemail adrese poczta',
  ],
  phone: [
    'phone phones phonenumber phonenumbers telephone telephonenumber tel telno mobile mobilephone mobilenumber cell cellphone cellular handy telefon telefono telefone landline whatsapp msisdn contactnumber',
    // HubSpot, Outlook, Salesforce, Amazon
    'mobilephonenumber carphone otherphone buyerphonenumber shipphonenumber phoneno mobileno cellno cellnumber',
    'telefonnummer telefonnr telnr mobil mobilnummer mobilnr mobiltelefon mobilfunk handynummer handynr rufnummer festnetz telefonprivat telefonmobil',
    'numerodetelephone portable mobileportable telephonemobile telephoneportable telephonefixe telfixe telportable gsm',
    'movil celular telefonomovil telefonofijo telefonocelular numerodetelefono numerodetelefone telemovel telefonemovel telefonecelular',
    'cellulare numeroditelefono telefonofisso telefonocellulare telefoon telefoonnummer mobiel mobielnummer mobielenummer gsmnummer',
    'ceptelefonu telefonnumarasi numertelefonu nrtelefonu telefonkomorkowy telefonstacjonarny komorka',
  ],
  street: [
    'street str streetaddress streetname addr addressline address1 addr1 addressline1 line1 strasse rue calle via street1 housenumber houseno hausnummer streetnumber streetno streetnum',
    'hausnr hnr strassehausnummer strassenr strasseundhausnummer strassehausnr strassenname adresszeile1 adresse1 voie numerodevoie numeroderue numeroetrue',
    'numerodacasa numerodecasa direccion1 callenumero calleynumero rua logradouro ruaenumero viapiazza indirizzo1 numerocivico ncivico civico viaenumero',
    'ul adr straat straatnaam straathuisnummer straatenhuisnummer huisnummer huisnr ulica ulicainumer numerdomu nrdomu numerbudynku nrbudynku',
  ],
  street2: [
    'street2 address2 addr2 addressline2 line2 unit apt apartment suite addressline3 address3 addr3 streetaddress2',
    'extendedaddress adresszusatz zusatz adresszeile2 adresse2 complementdadresse complementadresse complement direccion2 piso puerta complemento',
    'indirizzo2 interno toevoeging huisnummertoevoeging numermieszkania nrmieszkania nrlokalu numerlokalu mieszkanie',
  ],
  city: [
    'city town cityname locality municipality ort stadt ville ciudad citta cidade suburb',
    'wohnort commune localite poblacion localidad municipio localidade comune localita plaats woonplaats sehir ilce stad miasto miejscowosc',
  ],
  state: [
    'state st uf prov region province statecode stateprovince bundesland estado provincia',
    'provincecode stateregion kanton departement distrito regione provincie wojewodztwo',
  ],
  zip: [
    'zip zipcode postcode postalcode postal plz cp codepostal codigopostal cap cep pincode zip5',
    'zippostalcode zippostcode postleitzahl codigodepostal kodpocztowy postakodu kod',
  ],
  plus4: ['plus4 zip4 zipplus4'],
  country: [
    'country countrycode countryname nation land pays pais paese',
    'countryregion landcode landescode laendercode codepays codigopais nazione kraj',
  ],
  address: [
    'address fulladdress addresses postaladdress anschrift anschr adresse direccion indirizzo',
    'formattedaddress adressecomplete adressepostale direccioncompleta domicilio endereco enderecocompleto morada indirizzocompleto adres volledigadres adreszamieszkania',
  ],
  birth_date: [
    'birthdate dob dateofbirth birthday born geburtsdatum fechanacimiento datenaissance bday',
    'geburtstag geb gebam gebdatum datedenaissance fechadenacimiento datadenascimento datanascimento nascimento datadinascita datanascita geboortedatum dataurodzenia anniversaire dogumtarihi',
  ],
  birth_place: [
    'birthplace placeofbirth geburtsort lugarnacimiento lieunaissance luogonascita',
    'lieudenaissance lugardenacimiento localdenascimento luogodinascita geboorteplaats miejsceurodzenia',
  ],
  gender: ['gender sex geschlecht sexo sexe genero sesso geslacht plec'],
  title: ['title titre salutation honorific anrede nameprefix civilite tratamiento tratamento aanhef zwrot'],
  first_seen: [
    'firstseen created createdat createdon datecreated since startdate firstdate opened registered registrationdate signupdate',
    'createdate creationdate createddate createdutc orderdate purchasedate optintime kundeseit bestelltam bestelldatum erstelltam angelegtam datedecreation fechadecreacion datadecriacao dataaanmaak',
  ],
  last_seen: [
    'lastseen updated updatedat updatedon lastupdated modified lastmodified lastactive enddate lastdate lastlogin',
    'lastmodifieddate lastactivitydate lastchanged lastorderdate letztebestellung geaendertam',
  ],
};

/** House numbers by words that mean any number elsewhere: only beside a street. */
export const HOUSE_NUMBER_HEADERS = new Set('numero num nr no numer number n nummer'.split(' '));

/** Words in front of a header that tell one address, phone or e-mail from another. */
export const GROUP_PREFIXES = [
  'home work business office mailing mail billing shipping delivery primary secondary main other permanent residential current previous prev old new personal private contact customer daytime evening',
  // Shopify, Stripe, Amazon, eBay
  'defaultaddress default cardaddress card shipto ship billto bill buyer recipient',
  'rechnungsadresse rechnungs rechnung lieferadresse lieferung liefer privat geschaftlich firmen',
  'facturation livraison facturacion envio cobranca entrega fatturazione spedizione factuur bezorg',
].flatMap((line) => line.split(' '));

/** Parts of headers of values that are another person's, or a thing's: never taken for the record's own by what they look like. */
export const OTHER_PERSON_HEADER = new RegExp(
  [
    'owner|agent|rep$|salesrep|assign|createdby|modifiedby|updatedby|(?<!p)refer|staff|vendor|supplier|manager|assistant|spouse|children|(?<!sprech)partner|parent|emergency|nextofkin|guarantor|reseller|affiliate',
    // Who sells to the person, lets to them, teaches or treats them: German, French, Spanish, Portuguese, Italian, Dutch, Polish.
    'salesperson|salesman|advisor|adviser|broker|negotiator|solicitor|landlord|teacher|coach|trainer|physician|clinician|therapist|gpname|gpphone',
    'besitzer|betreuer|bearbeiter|verkaufer|(?<!gesetzliche[rn]?)vertreter|aussendienst|berater|makler|vermieter|lehrer|hausarzt|behandler|zustandig|notfall|burge$',
    'vendeu[rs]|conseill|^(?:.*du)?commercial$|bailleur|urgence|garant|responsablelegal|enseignant|medecin|professeur',
    'vendedor|asesor|^(?:.*d[eo]l?)?comercial$|arrendador|corredor|representante|urgencia|emergencia|encarregado|consultor|corretor|gerente|medico|professor|profesor',
    'venditor|consulente|rappresentante|locatore|insegnante|^(?:.*del)?commerciale$',
    'verkoper|vertegenwoordiger|makelaar|adviseur|behandelaar|huisarts|verhuurder|leerkracht|docent',
    'handlowiec|handlowca|sprzedawc|przedstawiciel|doradc|lekarz|nauczyciel|wynajmujac',
  ].join('|'),
);

/** Whom one speaks with at a firm: the person of a list of firms, and of others perhaps one's own. */
export const CONTACT_PERSON_HEADER =
  /^(?:ansprechpartner(?:in)?|ansprechperson|kontaktperson|contactperson|personadecontacto|personnedecontact|personnecontact|personadicontatto|pessoadecontato|pessoadecontacto|contactpersoon|osobakontaktowa)(?:name)?$/;

/** Headers that say no more than that somebody can be reached. */
export const CONTACT_HEADER =
  /^(?:contact|contacts|contactinfo|contactdetails|kontakt|kontaktdaten|contacto|contatto|contato|coordonnees|reachat|dane)\d*$/;

/** Headers that begin so hold phones where their values look like it: `Tel./Mobil`. */
export const PHONE_HEADER = /^(?:tel(?!e?fax|ecop)|phone|mobil|cell|handy|fon(?!t)|movil|komorka|gsm)/;

// Headers that are known as they stand, and the fields that there are.
export const COLUMN_FIELDS = Object.keys(HEADERS) as ColumnField[];
/** Fields by the headers that stand in the tables. */
export const FIELD_BY_HEADER = new Map(
  COLUMN_FIELDS.flatMap((field) =>
    HEADERS[field].flatMap((line) => line.split(' ')).map((header) => [header, field] as const),
  ),
);
export const ADDRESS_FIELDS = new Set<ColumnField>([
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'plus4',
  'country',
  'address',
]);
/** What may be another's where an order is sent to somebody else. */
export const PERSONAL_FIELDS = new Set<ColumnField>([
  'name',
  'given',
  'middle',
  'family',
  'suffix',
  'email',
  'phone',
]);
export const NAME_FIELDS = new Set<ColumnField>(['name', 'given', 'middle', 'family', 'suffix']);
const GROUP = new RegExp(`^(${GROUP_PREFIXES.join('|')})(?=.)`);
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;
/** A second family name, which is written behind the first. */
const SECOND = /^segundoapellido/;
/** Google and Outlook: `E-mail 1 - Value`, `E-mail 2 Address`, `Phone 1 - Value`. */
const NUMBERED_VALUE = /^(email|phone)\d{1,2}(?:value|address)$/;

export interface ColumnGuess extends Column {
  /** Some of its words are not known: another column that surely is the same has the word. */
  isWeak?: boolean;
  /** The address of what is let: theirs whom the table calls tenants. */
  isOfProperty?: boolean;
}

/** A header without its signs, accents and letter case. */
export const toHeaderKey = (header: string): string =>
  foldToAscii(header.replace(/[°º]/g, '')).replace(/[^a-z0-9]+/g, '');

/** What a key is known as; see `keyOf`. */
export function findKnownHeader(key: string): Column | null {
  const exact = FIELD_BY_HEADER.get(key);
  if (exact !== undefined) return { field: exact, group: SECOND.test(key) ? 'second' : partyIn(exact, key) };
  const bare = key.replace(/\d+$/, '');
  const plain = FIELD_BY_HEADER.get(bare);
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const value = NUMBERED_VALUE.exec(key)?.[1];
  if (value !== undefined) return grouped(value, '');
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  if (prefix !== null) return grouped(key.slice(prefix[0].length), prefix[1] ?? '');
  return key.startsWith('address') ? partOfAddress(key.slice('address'.length), '') : null;
}

function grouped(key: string, group: string): Column | null {
  const field = FIELD_BY_HEADER.get(key) ?? FIELD_BY_HEADER.get(key.replace(/\d+$/, ''));
  if (field === undefined) return partOfAddress(key.replace(/^address/, ''), group);
  if (field === 'record_id') return null;
  return toColumn(field, group);
}

/** Only addresses, and what may be another person's, are told apart by a group. */
export const toColumn = (field: ColumnField, group: string): Column => ({
  field,
  group: ADDRESS_FIELDS.has(field) || (PERSONAL_FIELDS.has(field) && isPartyGroup(group)) ? group : '',
});

/** `Ship To`, `Recipient`, `Ship Phone`: headers that stand in the tables as they are. */
function partyIn(field: ColumnField, key: string): string {
  if (!PERSONAL_FIELDS.has(field)) return '';
  return GROUP.exec(key)?.[1] ?? (key.startsWith('shipto') || key.startsWith('recipient') ? 'shipto' : '');
}

/** `Billing Address City`, `Address 1 - Formatted`. */
function partOfAddress(part: string, group: string): Column | null {
  const field = part === 'formatted' ? 'address' : FIELD_BY_HEADER.get(part);
  return field !== undefined && ADDRESS_FIELDS.has(field) ? { field, group } : null;
}

/** What a cell holds that holds all of these. */
export function mergeFields(fields: ColumnField[]): ColumnField | null {
  const all = new Set(fields);
  const [first] = fields;
  if (first !== undefined && all.size === 1) return first;
  // `Land/Region` is Outlook's word for a country.
  if (all.size === 2 && all.has('country') && all.has('state')) return 'country';
  if (fields.every((field) => NAME_FIELDS.has(field))) return 'name';
  return fields.every((field) => ADDRESS_FIELDS.has(field)) ? 'address' : null;
}
