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
export const NUMBERS = new Set('numero num nr no numer number n nummer'.split(' '));

/** Words in front of a header that tell one address, phone or e-mail from another. */
export const PREFIXES = [
  'home work business office mailing mail billing shipping delivery primary secondary main other permanent residential current previous prev old new personal private contact customer daytime evening',
  // Shopify, Stripe, Amazon, eBay
  'defaultaddress default cardaddress card shipto ship billto bill buyer recipient',
  'rechnungsadresse rechnungs rechnung lieferadresse lieferung liefer privat geschaftlich firmen',
  'facturation livraison facturacion envio cobranca entrega fatturazione spedizione factuur bezorg',
].flatMap((line) => line.split(' '));

/** Parts of headers of values that are another person's, or a thing's: never taken for the record's own by what they look like. */
export const OTHERS = new RegExp(
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
export const SPOKEN_WITH =
  /^(?:ansprechpartner(?:in)?|ansprechperson|kontaktperson|contactperson|personadecontacto|personnedecontact|personnecontact|personadicontatto|pessoadecontato|pessoadecontacto|contactpersoon|osobakontaktowa)(?:name)?$/;

/** Headers that say no more than that somebody can be reached. */
export const CONTACT =
  /^(?:contact|contacts|contactinfo|contactdetails|kontakt|kontaktdaten|contacto|contatto|contato|coordonnees|reachat|dane)\d*$/;

/** Headers that begin so hold phones where their values look like it: `Tel./Mobil`. */
export const CALLED = /^(?:tel(?!e?fax|ecop)|phone|mobil|cell|handy|fon(?!t)|movil|komorka|gsm)/;
