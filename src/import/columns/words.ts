// The words that headers of columns are made of, by what they mean: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish. Folded, without accents.

const WORDS = {
  email:
    'email mail emails mails emailadres emailadresse courriel correo correio courrier messagerie mel posta poczta mailadresse',
  phone:
    'phone phones telephone telefon telefono telefone telefoon tel tels mobile mobil mobiel movil movel cell cellphone cellulare celular handy gsm komorka komorkowy komorkowa portable landline whatsapp rufnummer telefonnummer telefoonnummer telemovel fisso fijo fixe festnetz stacjonarny natel fon cel mob ph kom',
  given: 'given first forename vorname vorn vor vornamen prenom prenoms voornaam roepnaam imie pila',
  family:
    'family last surname nachname familienname zuname apellido apellidos cognome sobrenome apelido apelidos achternaam nazwisko',
  name: 'name names naam nom nome nombre nazwa',
  birth:
    'birth born birthday geburt geburts geb geboren naissance nacimiento nascimento nascita geboorte urodzenia ur urodzin bday nasc nac naiss gebdatum',
  date: 'date day datum datums tag data dia fecha giorno dzien jour at on am le il el op on dnia zeit time timestamp hora uhrzeit',
  place: 'place ort lieu lugar local luogo plaats miejsce city town stadt ville ciudad citta cidade miasto',
  last: 'last latest recent letzte letzter letztes letzten letzt dernier derniere derniers ultimo ultima ultimos laatste laatst ostatni ostatnia ostatnie ostatniego ostatniej zuletzt',
  begun:
    'first since created creation joined join opened started start registered registration signup member enrolled added angelegt erstellt erfasst eintritt beitritt eintrittsdatum anmeldung seit premier premiere depuis cree creation inscription inscrit adhesion primera primer primeiro desde alta creado creada creacion criado criada cadastro inscripcion registro prima primo dal dalla creato creazione iscrizione iscritto registrazione eerste sinds aangemaakt inschrijving inschrijfdatum pierwsza pierwsze pierwszy od utworzono utworzenia dodano rejestracji zapisu zapisania',
  event:
    'order ordered orders purchase purchased bought visit visited seen contact contacted activity active login logged paid payment transaction invoice booking booked appointment donation gift attended attendance processed completed fulfilled shipped sale sold service check checkup interaction opened clicked engagement subscribed bestellung bestell auftrag bestellt kauf gekauft besuch besucht kontakt aktivitat anmeldung bezahlt zahlung rechnung termin buchung  spende behandlung inspektion commande commandee achat visite activite connexion paiement paye payee rdv rendezvous facture don compra pedido visita actividad atividade acceso acesso pago pagamento cita consulta encomenda ordine acquisto attivita accesso appuntamento fattura bestelling besteld aankoop bezoek activiteit betaling betaald afspraak zamowienie zamowienia zakup zakupu wizyta wizyty aktywnosc aktywnosci logowanie logowania platnosc platnosci kontaktu',
  change:
    'updated modified changed edited geandert anderung aktualisiert modification modifie modificacion modificado alteracao atualizacao atualizado modifica modificato gewijzigd zmiana zmiany modyfikacji',
  number:
    'number numbers nummern numeros no nr num id ids ident code key ref reference nummer kennung numero numer numeru codigo codice chave clave n kod uid',
  people:
    'applicant applicants pupil pupils locataire inquilino inquilinos arrendatario conduttore huurder huurders najemca najemcy alunno alunna ucznia uczennica customer client clients customers kunde kunden kundin cliente clientes clienti klant klanten klient klienta klienci person persona personne pessoa persoon osoba member members mitglied mitglieds mitglieder membre socio socia socios lid leden czlonek czlonka patient patients patienten paciente pacientes paziente pazienti pacjent pacjenta pacjentka buyer kaufer acheteur comprador acquirente koper kupujacy nabywca donor spender donateur student schuler eleve alumno aluno studente leerling uczen tenant mieter interessent halter fahrzeughalter inhaber eigentumer titular titulaire intestatario',
  person:
    'contact contacts kontakt kontakte contacto contato contatto lidmaatschap user users benutzer nutzer usuario utilisateur utente gebruiker uzytkownik uzytkownika subscriber abonnent abonne suscriptor assinante abbonato account konto compte cuenta conta profile profil lead individual guest debitor tiers',
  address:
    'address addresses adresse adressen anschrift anschriften direccion direcciones domicilio domicilios endereco enderecos morada indirizzo indirizzi adres adresy adresow location ubicacion residence residenza siedziba standort',
  street:
    'street strasse strassen str rue calle via rua straat ulica ul line zeile ligne linea logradouro avenue voie lane road weg',
  house:
    'house haus huis casa dom domu budynku building gebaude civico porta porte voie rue street strasse calle via rua straat ulica lokalu mieszkania',
  noise:
    'e of the de del della dello dei degli delle di da do dos das du des der die den dem das la le les el los las l d dell a an al alla au aux for per para pour fur voor dla do na w z u y et und and i en ou os value s full complete completo complet complete vollstandig required obligatorio pflichtfeld info information informationen details detail daten datos dados dati dane gegevens electronico electronica electronique elettronica elettronico eletronico elektroniczny elektroniczna elektronisch your ihre ihr su votre uw records record fields field properties attributes attribute data node',
  billing:
    'billing bill billto rechnung rechnungs facturation facturacion facturado cobranca faturamento fatura fatturazione fatturare factuur facturatie faktury rozliczeniowy rozliczeniowa platnika invoice invoicing payer zahler',
  shipping:
    'shipping ship shipto delivery deliver recipient lieferung liefer lieferadresse livraison livrer envio entrega spedizione consegna destinatario destinataire ontvanger bezorg bezorging verzend verzending dostawy dostawa odbiorca odbiorcy empfanger expedition',
  whose:
    'home work private privat private privee prive prywatny prywatna prywatne personal personale personnel personnelle particular domicile domowy domowa domowe thuis abitazione ab residential residencial residenziale business office geschaftlich geschaftliche dienstlich arbeit buro bureau professionnel professionnelle pro trabajo oficina emprego trabalho profissional comercial laboral ufficio lavoro werk zakelijk sluzbowy sluzbowa sluzbowe firmowy praca other autre otro otra outro outra altro altra andere anderer weitere weiterer overig inny inna main primary secondary haupt neben principal principale hoofd glowny glowna default mailing permanent current previous old new evening daytime abends tagsuber alternative alternativ alternate additional zusatzlich secondario secundario secondaire segundo hogar casa residencia zamieszkania zameldowania korespondencyjny korespondencji kontaktowy kontaktowa mieszkalny',
  relative:
    'parent parents parentguardian guardian mother father mom mum dad eltern elternteil mutter vater erziehungsberechtigter erziehungsberechtigte sorgeberechtigter mere pere padre madre tutor tutore genitore pai mae responsavel ouder verzorger moeder vader rodzic rodzica matka ojciec opiekuna erziehungsber opiekun spouse partner ehepartner ehefrau ehemann conjoint conjointe conyuge coniuge conjuge echtgenoot malzonek',
  company:
    'company firma firmen firmenname business unternehmen societe entreprise empresa companhia azienda ditta societa bedrijf bedrijfs przedsiebiorstwo spolka organisation organization organizacion employer arbeitgeber employeur',
  account: 'account accounts konto compte cuenta conta accountname kontoname',
  property:
    'property objekt objekts mietobjekt immobilie liegenschaft bien immeuble inmueble vivienda imovel immobile pand nieruchomosc nieruchomosci',
  site: 'location standort ubicacion ubicazione emplacement locatie lokalizacja localizacao office buro bureau oficina ufficio kantoor biuro',
  login:
    'user users benutzer nutzer usuario utilisateur utente gebruiker gebruikers uzytkownik uzytkownika login',
  seller: 'comercial commercial commerciale',
  resident:
    'tenant tenants tenancy mieter mieters mietvertrag locataire inquilino inquilinos arrendatario conduttore affittuario huurder najemca najemcy lokator resident residents bewohner',
  whole: 'full complete completo complet vollstandig',
  veto: 'fax telefax telecopie telecopieur faks type typ tipo kind art label status etat estado stato stan notes note notiz notizen remarque observaciones comment comments kommentar count anzahl total amount betrag montant importe importo valor bedrag kwota price preis prix precio prezzo prijs cena currency wahrung method methode product produkt produit producto prodotto item items artikel article sku qty quantity menge tax steuer vat iva ust btw vat language sprache langue idioma lingua taal jezyk locale consent optin opt out subscribed verified valid validity bounced bounce accepts marketing newsletter score rating url website web webseite site link homepage ip zone zeitzone timezone tags tag segment segments campaign kampagne image photo foto picture password passwort plan subscription abo course kurs cours curso corso event veranstaltung file datei pet animal haustier project projekt projet team group gruppe groupe grupo gruppo groep grupa list liste listenname school schule ecole escuela escola scuola szkola class klasse classe club verein branch filiale sucursal store shop pickup abholung retiro ritiro retrait laden magasin tienda loja negozio winkel sklep warehouse lager brand marke marque marca merk model modell modele modelo modello make car vehicle fahrzeug vehicule vehiculo veicolo voertuig pojazd hotel room zimmer doctor dentist arzt zahnarzt bank iban bic swift maiden geburtsname source quelle lead owner discount rabatt carrier tracking weight gewicht size grosse device browser job beruf position funktion department abteilung latitude longitude lat lng extension ext domain provider relationship verwandtschaft middle company2 nationality staatsangehorigkeit terms conditions days household haushalt',
} as const;

export type WordClass = keyof typeof WORDS;

const CLASSES = new Map<string, Set<WordClass>>();
for (const [name, words] of Object.entries(WORDS))
  for (const word of words.split(' '))
    CLASSES.set(word, (CLASSES.get(word) ?? new Set()).add(name as WordClass));

/** Whether a word has one of these meanings; any, where none is named. */
export const hasMeaning = (word: string, ...classes: WordClass[]): boolean => {
  const its = CLASSES.get(word);
  return its !== undefined && (classes.length === 0 || classes.some((one) => its.has(one)));
};

const SHORTEST = 3;
/** What joins two German words. */
const JOINTS = ['', 's', 'n', 'en', 'es'];

/** Whether a group is of somebody else of the row who is a person of their own: `parent1`, `mutter`. */
export const isRelativeGroup = (group: string): boolean => hasMeaning(group.replace(/\d+$/, ''), 'relative');

/** Whether a compound is about something that happens, whatever stands in front: `Werkstattbesuch`. */
export const endsInEventWord = (word: string): boolean =>
  [...CLASSES].some(([end, its]) => end.length > 4 && its.has('event') && word.endsWith(end));

/** A word as those that it is made of, where all of it is made of known ones: `rechnungsanschrift`, `kundennummer`. */
export function splitCompound(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length > 60 || isKnown(word)) return [word];
  for (let end = word.length - 2; end >= SHORTEST; end--) {
    const first = word.slice(0, end);
    if (!isKnown(first)) continue;
    for (const joint of JOINTS) {
      if (!word.startsWith(joint, end)) continue;
      const rest = word.slice(end + joint.length);
      if (rest.length < SHORTEST && !hasMeaning(rest, 'number')) continue;
      const others = splitCompound(rest, isKnown);
      if (others.every(isKnown)) return [first, ...others];
    }
  }
  return [word];
}
