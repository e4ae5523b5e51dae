import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { endOfTurn } from './turn.ts';

const MAX_CALLS = 1500;
const PATHS = [
  '/v1/validate',
  '/v1/validate?ai=true',
  '/v1/validate?response=v2',
  '/v1/validate',
  '/v1/validate/enhanced',
  '/v1/validate',
  '/v1/validate?response=v2',
];
// Values whose parsers load tables at their first use.
const DOMAINS = ['example.com', 'example.org', 'bücher.example', 'example.net'];
const PHONES = ['+1 415 555 ', '(415) 555-', '+44 20 7946 ', '+49 30 1234 ', '0044 20 7946 '];
const PLACES = [
  ['Springfield', 'IL', '62701'],
  ['Zürich', 'ZH', '8001'],
  ['Москва', '', '101000'],
] as const;

// Common names, so that most graphs find identities for them. Names in every script, because the first name
// in a script loads its table, which takes a tenth of a second.
const GIVEN =
  'James,Mary,Robert,Jennifer,Bob,Maria,José,Wei,Олег,Anna,Mohamed,Liz,伟,지훈,さくら,محمد,Ελένη,דוד,สมชาย'.split(
    ',',
  );
const FAMILY = "Smith,Garcia,Johnson,Müller,Nguyen,Wang,Иванов,O'Brien,de la Cruz,Lee Jr,欧阳龘".split(',');
const STREETS = [
  '1 Warm Street',
  '22B N Oak Ave Apt 4',
  'PO Box 7',
  'Lindenstraße 12',
  '1600 Elm Blvd',
  '9 West 3rd St #2',
];

/**
 * Posts checks of invented people until V8 has compiled the code of a check, for at most `maxMs` milliseconds. `post` receives a path and a
 * JSON text, and should not record the call.
 */
export async function postWarmUpCalls(
  post: (path: string, body: string) => Promise<void>,
  maxMs: number,
): Promise<void> {
  const until = performance.now() + maxMs;
  for (let i = 0; i < MAX_CALLS && performance.now() < until; i++) {
    await post(pick(PATHS, i), JSON.stringify(person(i)));
    if (i % 10 === 9) await endOfTurn();
  }
  collectYoungGeneration();
}

/** Runs two garbage collections, which would otherwise delay the first calls. */
function collectYoungGeneration(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void;
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

const pick = (list: readonly string[], i: number): string => list[i % list.length] ?? '';

/** Creates an invented person with one to five values of each kind. */
function person(i: number): object {
  const values = <T>(make: (place: number) => T): T[] =>
    Array.from({ length: 1 + (i % 5) }, (_, place) => make(i + place));
  return {
    name: `${pick(GIVEN, i)} ${pick(FAMILY, i)}`,
    emails: values((n) => `warm.up+${n}@${pick(DOMAINS, n)}`),
    phones: values((n) => `${pick(PHONES, n)}${String(n % 10_000).padStart(4, '0')}`),
    addresses: values((n) => {
      const [city, state, zip] = PLACES[n % PLACES.length] ?? PLACES[0];
      return { street: pick(STREETS, n), city, state, zip };
    }),
  };
}
