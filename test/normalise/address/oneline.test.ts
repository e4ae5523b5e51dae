// Addresses on one line: every order of country, postcode, city, state and street.
import { expect, test } from 'vitest';
import { getAddressKeys } from './address-key.ts';

/** Country with its name, postcode, city, street, and state if the country writes one. */
const PLACES = [
  ['DE', 'Germany', '10115', 'Berlin', 'Hauptstr. 5'],
  ['AT', 'Österreich', '1010', 'Wien', 'Ringstrasse 12'],
  ['CH', 'Schweiz', '8001', 'Zürich', 'Bahnhofstrasse 7'],
  ['FR', 'France', '75002', 'Paris', '12 rue de la Paix'],
  ['ES', 'España', '28013', 'Madrid', 'Calle Mayor 5'],
  ['IT', 'Italia', '20121', 'Milano', 'Via Roma 10'],
  ['NL', 'Nederland', '1012 AB', 'Amsterdam', 'Damrak 1'],
  ['GB', 'United Kingdom', 'SW1A 1AA', 'London', '10 Downing Street'],
  ['PL', 'Polska', '00-950', 'Warszawa', 'ul. Prosta 20'],
  ['SE', 'Sverige', '111 22', 'Stockholm', 'Drottninggatan 9'],
  ['PT', 'Portugal', '1000-205', 'Lisboa', 'Rua Augusta 24'],
  ['IN', 'India', '560001', 'Bengaluru', '12 Brigade Road'],
  ['US', 'United States', '62701', 'Springfield', '12 Larch St', 'IL'],
  ['CA', 'Canada', 'M5K 1A2', 'Toronto', '66 Wellington St W', 'ON'],
  ['US', 'USA', '10118', 'New York', '350 Larch Ave', 'NY'],
  ['GB', 'UK', 'NE38 7AB', 'Washington', '12 Station Road'],
  ['AU', 'Australia', '2000', 'Sydney', '5 George St', 'NSW'],
] as const;

test.each(PLACES)('%s: an address on one line is the same in each order of its parts', (...place) => {
  const [code, name, zip, city, street, state = ''] = place;
  const whole = getAddressKeys({ street, city, state, zip, country: code });
  const [line, after] = state === '' ? [`${city} ${zip}`, []] : [`${city} ${state} ${zip}`, [state]];
  const towns = [[zip, city, ...after], [city, ...after, zip], [`${zip} ${city}`, ...after], [line]];
  const lines = [code, name].flatMap((country) =>
    towns.flatMap((town) => [
      [country, ...town, street],
      [country, street, ...town],
      [...town, street, country],
      [street, ...town, country],
    ]),
  );
  const wrong = lines.filter((parts) => {
    const found = getAddressKeys({ street: parts.join(', ') });
    return JSON.stringify(found) !== JSON.stringify(whole);
  });
  expect(wrong).toEqual([]);
});
