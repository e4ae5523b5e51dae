import * as v from 'valibot';
import {
  flag,
  identity as numbered,
  list,
  named,
  number,
  object,
  orNull,
  text,
  texts,
  time,
  whole,
  word,
} from '../../parts.ts';
import { shortText } from '../parts.ts';

const identityNumber = v.pipe(numbered, v.description('Its number.'));

const values = (about: string) =>
  v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(20), v.description(about)));

export const sought = named(
  'PeopleSought',
  {
    names: values('Names.'),
    emails: values('E-mail addresses.'),
    phones: values('Phone numbers.'),
    addresses: values('Addresses, each on one line.'),
  },
  'Who is looked for: whoever has any of it.',
);

const recordName = { source: text('Its source.'), record_id: text('Its id.') };

const foundPerson = object(
  {
    identity: identityNumber,
    names: texts('The names on record.'),
    has: list(
      object(
        {
          kind: word(['name', 'email', 'phone', 'address'], 'The kind of value.'),
          index: whole('Its place among those of its kind that were asked for.'),
          how: text('How nearly: the kind of key that agrees.'),
          region: orNull(
            v.string(),
            'The country in which a number was read that names none and is nobody’s at home; else null.',
          ),
        },
        'A value that it has.',
      ),
      'What of that which was sought it has.',
    ),
    records: list(
      object({ ...recordName, holds: flag('It holds a contact that was sought.') }, 'A record.'),
      'All of its records.',
    ),
  },
  'Somebody on record.',
);
export const foundPeople = named(
  'PeopleFound',
  {
    people: list(foundPerson, 'The lower number first.'),
    more: whole('Of values that very many share, how many more people there are.'),
    tried: orNull(
      v.string(),
      'A phone names no country: it was read in this one, then in every other. Null where each names its own.',
    ),
  },
  'Whose records hold it.',
);

export const identityCard = named(
  'IdentityCard',
  {
    identity: identityNumber,
    merged_from: orNull(v.number(), 'The number that was asked for, where another stands for it now.'),
    names: texts('The names on record.'),
    first_seen: orNull(time(''), 'The earliest date of its records.'),
    last_seen: orNull(time(''), 'The latest.'),
    records: list(object(recordName, 'A record.'), 'Its records.'),
  },
  'An identity.',
);

export const pair = named(
  'RecordPair',
  { a: shortText('A record: its id, or `SOURCE:ID`.'), b: shortText('Another one.') },
  'Two records.',
);
export const whyOne = named(
  'WhyOne',
  {
    bits: orNull(v.number(), 'The sum of the evidence, in bits; null where the two can never be one.'),
    conflict: flag('They cannot be one person.'),
    together: flag('They are in one identity.'),
    needed: number('From so many bits two records are joined.'),
    evidence: list(
      object({ bits: orNull(v.number(), 'Its weight.'), what: text('What it is.') }, 'A piece of evidence.'),
      'For and against.',
    ),
  },
  'What speaks for two records being one person, and against.',
);

const heldRecord = object(
  {
    ...recordName,
    names: texts('Names.'),
    birth_date: orNull(v.string(), 'Birth date.'),
    gender: orNull(v.string(), 'Gender.'),
    identity_label: orNull(v.string(), 'The source’s own word on who this is.'),
    first_seen: orNull(time(''), 'First seen.'),
    last_seen: orNull(time(''), 'Last seen.'),
    fingerprints: object(
      {
        emails: whole('E-mails.'),
        phones: whole('Phones.'),
        addresses: whole('Addresses.'),
        identifiers: whole('Identifiers.'),
        birth_places: whole('Birth places.'),
      },
      'How many values are held as fingerprints, which cannot be read back.',
    ),
    whole: orNull(
      object(
        {
          emails: texts('E-mails.'),
          phones: texts('Phones.'),
          addresses: list(
            object(
              {
                street: text('Street.'),
                street2: text('Second line.'),
                city: text('City.'),
                state: text('State.'),
                zip: text('Postcode.'),
                country: text('Country.'),
              },
              'An address.',
            ),
            'Addresses.',
          ),
          identifiers: list(
            object(
              { type: text('Its type.'), country: text('Whose.'), value: text('The number.') },
              'An identifier.',
            ),
            'Identifiers.',
          ),
          birth_place: orNull(v.string(), 'Birth place.'),
        },
        'The values as they were read.',
      ),
      'Where whole records are kept (`graph.keep`); else null.',
    ),
  },
  'What a record holds.',
);
export const held = named(
  'HeldOnPerson',
  {
    identity: identityNumber,
    names: texts('The names on record.'),
    first_seen: orNull(time(''), 'First seen.'),
    last_seen: orNull(time(''), 'Last seen.'),
    records: list(heldRecord, 'All records.'),
    judgements: list(
      object(
        {
          kind: word(['split', 'join'], 'They are another person than others, or one person with others.'),
          time: time('When it was judged.'),
          why: text('The reason.'),
          undone: orNull(time(''), 'When it was taken back; null while it stands.'),
          records: list(whole('Its place.', 1), 'Which of the records, counted from 1.'),
        },
        'What a person judged about who these records are of.',
      ),
      'All judgements about them.',
    ),
    about: texts('What it means, for the person.'),
  },
  'Everything that is held on a person, to be given to that person.',
);

const ids = (about: string) => v.optional(v.pipe(v.array(numbered), v.maxLength(100), v.description(about)));
export const recordIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(420))), v.maxLength(1000));

export const forgetAsked = named(
  'ForgetAsked',
  {
    identities: ids('All records of these.'),
    records: v.optional(v.pipe(recordIds, v.description('These records, `SOURCE:ID`.'))),
    emails: values('All records of the identity that has this e-mail.'),
    phones: values('All records of the identity that has this phone.'),
    older_than: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,5}d$/),
        v.description('In their place: all records last seen so many days ago, `1826d`.'),
      ),
    ),
    clock_is_right: v.optional(
      flag(
        'With `older_than`: most of the graph goes, though by the server’s clock nobody on record was seen for a year.',
      ),
    ),
    again: v.optional(
      flag(
        'In their place: who was forgotten before and is there again, as after restoring an older backup.',
      ),
    ),
    confirm: v.optional(whole('How many records go. Without it nothing is changed.')),
    allow_return: v.optional(flag('A later import may bring them back.')),
  },
  'Who or what is forgotten.',
);
const receipt = object(
  {
    what: word(['erasure'], 'Of what it is the receipt.'),
    finished: flag('False: it was cut short, and is completed by the next command that forgets or compacts.'),
    time: time('When it was begun.'),
    records: whole('Records that are gone.'),
    sources: v.pipe(v.record(v.string(), v.number()), v.description('How many of which source.')),
    identities: list(numbered, 'Identities of which nothing is left.'),
    searched: whole('How many byte strings that were theirs were looked for in every file.'),
    traces: texts('Files that still hold something.'),
    unsearched: v.optional(
      texts(
        'What could not be searched: backups, what is encrypted, under another secret or in use by another process, what may not be read.',
      ),
    ),
    rewritten: flag('The files were written anew.'),
    logs_empty: flag('The databases’ logs were emptied.'),
    beyond: v.optional(
      v.pipe(v.string(), v.description('Where bytes of them may be for a while that no command takes out.')),
    ),
    marks: texts('Keyed digests that keep them out.'),
  },
  'The receipt.',
);
export const forgotten = named(
  'Forgotten',
  {
    records: whole('Records that go, or went.'),
    people: list(
      object(
        {
          identity: orNull(v.number(), 'The identity.'),
          names: texts('Its names.'),
          records: list(object(recordName, 'A record.'), 'Which of its records.'),
          others: whole('Records of it that stay.'),
        },
        'Of whom.',
      ),
      'Where people were named.',
    ),
    receipt: orNull(receipt, 'Null where nothing was changed.'),
  },
  'What would go, or is gone.',
);
