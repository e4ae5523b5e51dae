// Guesses of headers that are in no table of headers, by their words in eight languages.
import { expect, test } from 'vitest';
import { guessColumn } from '../../../src/import/columns/guess.ts';

/** Lines of a column, followed by headers that suggest the column. */
const SAID = `
given.billing    | First Name (Billing)
family.shipping  | Last Name (Shipping)
address.billing  | Address 1&2 (Billing)
email.billing    | Email (Billing)
phone.billing    | Phone (Billing)
street.privat    | Straße privat
zip.privat       | Postleitzahl privat
state.privat     | Bundesland/Kanton privat
country.privat   | Land/Region privat
street.geschaftlich | Straße geschäftlich | Straße geschäftlich 2
phone            | Telefon (privat) | Tél. mobile | Teléfono particular | Telefon komórkowy | Telefone residencial | Tel. / Mobil
email            | E-Mail 2: Adresse | Adresse de messagerie | Indirizzo posta elettronica | Adres e-mail | Preferred Email
street.domicile  | Rue (domicile)
zip.trabajo      | Código postal del trabajo
city.abitazione  | Città (abitazione)
city.werk        | Plaats (werk)
city.sluzbowy    | Miejscowość (adres służbowy)
city.casa        | Cidade (casa)
name             | Nachname, Vorname | Nom et prénom | Apellidos, Nombre | Nazwisko i imię | Naam lid | Patient
record_id        | Nº de cliente | N° client | Mitgliedsnummer | Lidnummer | Numer pacjenta | Codice paziente | Nº socio
street           | N° de rue | Straße und Nr. | Straße, Hausnummer
street.anschrift | anschrift.strasse
street.domicilio | domicilio.calle
last_seen        | Letzter Besuch | Letzte Bestellung am | Dernière commande | Fecha última compra | Last Activity | Paid at | Zahlungsdatum | Order date
last_seen        | Data ostatniego zamówienia | Ostatnie zamówienie | Data ultimo acquisto | Ultimo ordine | Laatste bestelling
first_seen       | Customer since | Mitglied seit | Lid sinds | Klient od | Data iscrizione | Fecha de alta
last_seen        | LAST_TXN_DT | Ostatnia składka | Son Giriş | Letzter Beitrag | Dernière cotisation | Last swipe
first_seen       | ACCT_OPEN_DT | Data przyjęcia | 1ère adhésion | Connected On | subscribed_on | Hire Date | Belépés dátuma
given            | Legal Forename | Preferred Forename
family           | Legal Surname
street           | Road | House no
zip              | P/code
address          | PLZ / Ort | PLZ Ort
email            | kontakt.email | contacto.correo
email.buyer      | payload.buyer.mail | Buyer Email
given.buyer      | Buyer First Name
name.guest       | Guest name(s)
name.bookedby    | Booked by
street           | Postal address (Street/Road name) | Postal address (House number)
city             | Postal address (City/town/village/locality)
country          | Postal address (Country)
state            | State/Province/Region/County/Territory/Prefecture/Republic
phone            | kontakt.telefonPrivat | contacto.telefono_movil
city.rechnungs   | rechnungsanschrift.ort
name.liefer      | lieferanschrift.name
email.spouse     | Spouse Email
phone.vater      | Telefon Vater
given.parent2    | Parent 2 First Name
name.parent1     | Parent/Carer 1 Name | Parent/Carer 1 | Parent or Guardian 1 Name
phone.parent1    | Parent/Carer 1 Phone | Parent 1 choir mobile
email.carer      | Carer Email
name.guardian    | Guardian
phone.mutter     | Mutter/Vater Handy
phone.erziehungsberechtigte1 | Erziehungsberechtigte/r 1 Telefon
email.responsable1 | Email responsable légal 1
name.guarantor   | Guarantor Name | Guarantor
email.guarantor  | Guarantor Email
phone.tutor      | Teléfono del tutor legal
phone.responsavel | Celular do responsável
phone.保護者      | 保護者電話番号
email.保護者1     | 保護者1メール
last_seen        | Letzter Werkstattbesuch
street           | Str. | Str | Ul. | Adr.
name             | User Full Name | user.name
phone            | Teléfono comercial
name             | Vor- und Nachname | Vor-/Nachname | Pupil Name | Imię i nazwisko ucznia | Locataire | Ansprechpartner | Persona de contacto
record_id        | Mitgl.-Nr. | Pat.-Nr.
email            | Ansprechpartner E-Mail
birth_date       | Data nasc. | Data di nascita | Fecha de nacimiento | Data urodzenia | date_of_birth
`;
const ROWS = SAID.trim()
  .split('\n')
  .flatMap((line) => {
    const [column = '', ...headers] = line.split('|').map((text) => text.trim());
    return headers.map((header) => [header, column] as const);
  });

test.each(ROWS)('%s is %s', (header, column) => {
  const guess = guessColumn(header);
  expect(guess && `${guess.field}${guess.group && `.${guess.group}`}`).toBe(column);
});

test.each([
  'Company Name',
  'Default Address Company',
  'company.name',
  'haustier.name',
  'adresse.name',
  'Product name',
  'Fax',
  'Email status',
  'Email opt-in',
  'Emergency Email',
  'Household Name',
  'Country of birth',
  'Nom de naissance',
  'Invoice number',
  'Work ID',
  'Card Last4',
  'Account Name',
  'Account: Account Name',
  'Kontoname',
  'Nom du compte',
  'Nombre de la cuenta',
  'Nome da conta',
  'Nome account',
  'Property Name',
  'Objektname',
  'Nome do imóvel',
  'Business Name',
  'Firmenname',
  'Office Name',
  'Nombre comercial',
  'Username',
  'User name',
  'Benutzername',
  'Nom d’utilisateur',
  'Nombre de usuario',
  'Nome utente',
  'Gebruikersnaam',
  'Nombre del comercial',
  'Correo del comercial',
  'Comercial',
  'Name Vertreter',
  'Vertreter E-Mail',
  'Nom du commercial',
  'E-mail venditore',
  'E-mail do vendedor',
  'E-mail verkoper',
  'E-mail handlowca',
  'Teacher Email',
  'Landlord Email',
  'Pickup Location',
  'Next of Kin Phone',
  'Tel. Notfall',
  'campaign_name',
  'lead_form_name',
])('%s is no field of a person', (header) => {
  expect(guessColumn(header)).toBeNull();
});
