// Fact patterns that a check can result in. One letter per contact: p primary, s secondary, d different identity, u unverified (no matching
// record). "of 3" is the number of identities of the contacts, "own 2" the number of contacts that the identity with the name has too,
// "nameless 1" the number of contacts that resolved to records without a name, "same 1" to another identity of the same name, "home 1" to a
// possible relative or somebody with the same home.
import type { Confidence } from '../../../model.ts';

/** Pattern of contact results with one letter per contact: p primary, s secondary, d different identity, u unverified. */
export interface Pattern {
  title: string;
  score: number;
  confidence: Confidence;
  name: 'p' | 's' | 'd' | 'u';
  email?: string;
  phone?: string;
  address?: string;
  catfish?: boolean;
  identities?: number;
  /** Number of contacts of the identity with the submitted name, if the letters do not determine it. */
  own?: number;
  /** Number of contacts on record only without a name. */
  nameless?: number;
  /** Number of contacts of another identity with the same name. */
  sameName?: number;
  /** Number of contacts of a possible relative, or of somebody with the same home. */
  household?: number;
  history?: History;
}
/** Days since the identity was first and last seen, and last seen with one of the contacts. */
type History = [first: number, last: number, contacts?: number];

const FORM =
  /^(.+) \| (\d+) (HIGH|MEDIUM|LOW) name ([psdu]) email ([psdu-]+) phone ([psdu-]+) address ([psdu-]+)( catfish)?(?: of (\d))?(?: own (\d))?(?: nameless (\d))?(?: same (\d))?(?: home (\d))?(?: \| (\d+) (\d+)(?: (\d+))?)?$/;

function toPattern(line: string): Pattern {
  const [, title = '', score, confidence, name, email, phone, address, catfish, ...counts] =
    FORM.exec(line) ?? [];
  if (!score) throw new Error(line);
  const [identities, own, nameless, sameName, household, ...days] = counts;
  const letters = (text = '-'): string => text.replace('-', '');
  return {
    title,
    score: Number(score),
    confidence: confidence as Confidence,
    name: name as Pattern['name'],
    email: letters(email),
    phone: letters(phone),
    address: letters(address),
    catfish: catfish !== undefined,
    ...(identities === undefined ? {} : { identities: Number(identities) }),
    ...(own === undefined ? {} : { own: Number(own) }),
    ...(nameless === undefined ? {} : { nameless: Number(nameless) }),
    ...(sameName === undefined ? {} : { sameName: Number(sameName) }),
    ...(household === undefined ? {} : { household: Number(household) }),
    ...(days[0] === undefined ? {} : { history: days.filter(Boolean).map(Number) as History }),
  };
}

/** One pattern a line: title, facts, and the days of `History`. */
const ROWS = `
everything agrees, long history | 96 HIGH name p email p phone p address p | 4400 6
many contacts, all of them matching | 98 HIGH name p email ps phone pss address ps | 7300 0
email and phone agree | 88 HIGH name p email p phone p address - | 1500 40
agreement under another name of the identity | 87 HIGH name s email p phone s address - | 2900 12
agreement, and one contact without a record | 90 HIGH name p email pu phone p address p | 3650 1
VERIFIED although one phone is someone else’s | 85 HIGH name p email pp phone pd address p of 2 | 5200 3
VERIFIED on medium confidence | 86 MEDIUM name p email p phone - address p | 900 100
agreement on a young identity | 85 HIGH name p email p phone p address - | 45 2
agreement on an identity unseen for years | 86 HIGH name p email s phone s address - | 6000 2400
two emails and nothing else | 72 MEDIUM name p email pp phone - address - | 1800 9
one phone and the name | 74 MEDIUM name p email - phone p address - | 2100 30
one address and the name | 68 MEDIUM name p email - phone - address p | 1200 200
one email, others without a record | 70 MEDIUM name p email p phone uu address u | 800 15
secondary contacts only | 69 MEDIUM name p email s phone s address - | 2600 700
three contacts match, one phone is someone else’s | 73 HIGH name p email pp phone d address p of 2 | 3300 20
email matches, phone is someone else’s | 48 MEDIUM name p email p phone d address - of 2 | 2000 50
one phone matches, one is someone else’s | 52 MEDIUM name p email - phone pd address - of 2 | 1100 80
all contacts are someone else’s, the name is known | 22 MEDIUM name p email d phone d address - of 1 | 2000 10
the same with the catfish flag | 14 HIGH name d email p phone pp address - catfish of 1 | 2500 5
contacts of a real identity under an unknown name | 18 HIGH name u email p phone p address p catfish | 2800 8
contacts split among three identities | 20 MEDIUM name p email pd phone dd address - catfish of 3 | 1700 33
contacts split among four identities, name unknown | 9 HIGH name u email pd phone d address d catfish of 4 | 900 4
catfish flag on low confidence | 35 LOW name u email - phone p address - catfish | 400 60
catfish flag with a middling score | 44 MEDIUM name s email pp phone ddd address - catfish of 2 | 3000 14
one contact of an identity with another name | 42 LOW name u email p phone - address - | 1400 90
two contacts of an identity with another name, one without a record | 41 MEDIUM name d email p phone pu address - | 1000 28
another name, low score | 30 MEDIUM name u email - phone ps address u | 600 61
another name, and one email of a third person | 33 MEDIUM name u email d phone p address - of 2 | 2200 365
no contact has a record, the name is known | 38 LOW name p email u phone u address - | 1600 75
no contact has a record, nor has the name | 25 LOW name u email u phone u address u
one email without a record | 28 LOW name u email u phone - address -
five emails without a record | 28 LOW name u email uuuuu phone - address -
a name only, known | 55 LOW name p email - phone - address - | 3000 30
a name only, as another name | 50 LOW name s email - phone - address - | 1900 410
a name only, unknown | 30 LOW name u email - phone - address -
weak: one shared phone | 49 LOW name p email - phone s address - | 950 120
weak: one shared address, other contacts without a record | 46 LOW name s email u phone - address s | 740 300
first seen yesterday | 64 LOW name p email p phone - address - | 1 0
young identity and a conflict | 37 MEDIUM name p email p phone dd address - of 2 | 20 20
dormant identity and no current contact | 58 MEDIUM name p email - phone u address s | 5000 3100
one of five phones matches | 66 MEDIUM name p email - phone puuuu address - | 1300 22
a new tenant: another unit of a known building | 42 LOW name u email - phone - address u
an address where others live, an own email without a record | 31 LOW name u email u phone - address p | 4800 900
a colleague on a switchboard | 40 LOW name u email u phone s address - | 3900 300
an unlisted relative on a family’s email | 38 LOW name u email s phone - address - | 4600 800
contacts of a record without a name | 60 HIGH name u email p phone p address p nameless 3 | 4600 800
contacts of five namesakes | 3 HIGH name p email pdddd phone pdddd address pdddd catfish of 5 | 4600 800
all three contacts, and one phone of somebody else | 84 HIGH name p email p phone pd address p of 2 | 4600 800
the name’s bearer shares most contacts with another identity | 90 HIGH name d email ps phone ps address ddp of 3 own 3 | 5200 3700
one contact of the name’s bearer, the others of somebody else | 12 MEDIUM name d email d phone ps address - catfish of 2 own 1 | 4600 800
five of each, mixed | 71 HIGH name p email ppsuu phone psduu address psssu of 2 | 8000 11
the own e-mail, and a phone of a record without a name | 79 HIGH name p email p phone d address - nameless 1 | 2100 30
a relative’s contacts, one of which the person named has too, flagged | 46 HIGH name d email us phone ps address - catfish own 1 | 8700 2500
the own phone, and an e-mail of another identity of the same name | 94 HIGH name p email d phone p address p of 2 same 1 | 2100 30
the own e-mail and address, and the phone of a possible relative | 84 HIGH name p email p phone d address p of 2 home 1 | 2100 30
agreement on contacts unseen for years | 86 HIGH name p email p phone p address - | 6000 20 4100
`;

export const PATTERNS: readonly Pattern[] = ROWS.trim().split('\n').map(toPattern);
