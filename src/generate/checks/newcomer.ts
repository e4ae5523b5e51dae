// Honest people whom no record knows, near people whom records know; and checks of which no record can tell anything.
import { familyMail } from '../contacts.ts';
import { officeOf, workMail, buildingKey, unitOf } from '../places.ts';

import type { Person } from '../person.ts';
import { truthOf } from '../records.ts';
import type { Draw, Plan, Sent } from './values.ts';
import {
  knownOf,
  asStranger,
  asSubject,
  kindsOf,
  joined,
  NO_CONTACTS,
  onRecord,
  sentMail,
  sentPlace,
  strangerLike,
  unheardOf,
} from './values.ts';

const stranger = ({ world, random, subject }: Draw): Person =>
  strangerLike(world, subject.person, random.int(60_000));

/** The same building, another unit. */
function newTenant(draw: Draw): Plan | null {
  const { subject, random } = draw;
  const home = subject.places.find(({ unit }) => unit !== '');
  if (home === undefined) return null;
  let unit = unitOf(random, 40);
  while (subject.places.some((place) => buildingKey(place) === buildingKey(home) && place.unit === unit))
    unit = unitOf(random, 40);
  const places: Sent<typeof home>[] = [{ value: { ...home, unit }, verdict: 'unknown', owners: [] }];
  return asStranger(stranger(draw), joined(unheardOf(draw, ['mails', 'phones']), { ...NO_CONTACTS, places }));
}

/** An e-mail of one's own, and an address where others live. */
function newResident(draw: Draw): Plan | null {
  const theirs = onRecord(draw, draw.subject, { kinds: ['places'], verdict: 'other' });
  return theirs === null ? null : asStranger(stranger(draw), joined(unheardOf(draw, ['mails']), theirs));
}

/** An e-mail of one's own, and the office's switchboard. */
function colleague(draw: Draw): Plan | null {
  const { workPhone, person } = draw.subject;
  if (workPhone === null) return null;
  const owners = [truthOf(person.index)];
  const somebody = stranger(draw);
  const mail = workMail(somebody, officeOf(draw.world, person));
  const phones = [{ value: workPhone, verdict: 'other' as const, owners }];
  const mails = [{ value: mail, verdict: 'unknown' as const, owners: [] }];
  return asStranger(somebody, { ...NO_CONTACTS, mails, phones });
}

/** A relative on the family's mailbox, at home. */
function unlistedRelative(draw: Draw): Plan | null {
  const { world, subject } = draw;
  const mail = familyMail(world, subject.person.household);
  if (!subject.mails.includes(mail)) return null;
  const relative = { ...stranger(draw), family: subject.person.family };
  const mails = [sentMail(draw, subject, { value: mail, verdict: 'other' })];
  const places = subject.places
    .slice(0, 1)
    .map((value) => sentPlace(draw, subject, { value, verdict: 'other' }));
  return asStranger(relative, { ...NO_CONTACTS, mails, places });
}

export const NEWCOMER: [subkind: string, weight: number, (draw: Draw) => Plan | null][] = [
  ['new_tenant', 2, newTenant],
  ['own_email_and_shared_address', 2, newResident],
  ['colleague_on_switchboard', 2, colleague],
  ['unlisted_relative', 2, unlistedRelative],
];

function notInGraph(draw: Draw): Plan {
  const kinds = draw.random.pick([['mails'], ['phones', 'mails'], ['mails', 'phones', 'places']] as const);
  return asStranger(stranger(draw), unheardOf(draw, kinds));
}

/** Somebody of the graph, with values that no record has. */
function noOverlap(draw: Draw): Plan {
  return { ...asSubject(draw, unheardOf(draw, ['mails', 'phones'])), records: [] };
}

/** A stranger of the subject's name. */
function namesake(draw: Draw): Plan {
  const { person } = draw.subject;
  const { given, family, second, origin } = person;
  return asStranger(
    { ...stranger(draw), given, family, second, origin },
    unheardOf(draw, ['mails', 'phones', 'places']),
  );
}

export const UNKNOWN: typeof NEWCOMER = [
  ['person_not_in_graph', 6, notInGraph],
  ['known_person_no_overlap', 2, noOverlap],
  ['namesake_in_graph', 1, namesake],
];

export const NAME_ONLY: typeof NEWCOMER = [
  ['in_graph', 2, (draw) => (draw.subject.names.length > 0 ? asSubject(draw, NO_CONTACTS) : null)],
  ['not_in_graph', 1, (draw) => asStranger(stranger(draw), NO_CONTACTS)],
];

/** Contacts of somebody whose records have no name, under any name. */
function anyName(draw: Draw): Plan | null {
  const { world, random } = draw;
  for (let tries = 0; tries < 300; tries++) {
    const nameless = knownOf(world, random.int(world.people));
    const kinds = kindsOf(nameless).filter((kind) => kind !== 'places');
    if (nameless.names.length > 0 || kinds.length === 0) continue;
    const contacts = onRecord(draw, nameless, { kinds, verdict: 'other' });
    if (contacts === null || [...contacts.mails, ...contacts.phones].some(({ owners }) => owners.length > 1))
      continue;
    return asStranger(strangerLike(world, nameless.person, random.int(60_000)), contacts);
  }
  return null;
}

export const NAMELESS: typeof NEWCOMER = [['any_name', 1, anyName]];
