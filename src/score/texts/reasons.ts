import type { Calibration, ContactKind } from '../../model.ts';
import type { Reason } from '../reason.ts';
import type { Bound } from '../points.ts';
import type { Facts } from './facts.ts';
import { named, plural } from './words.ts';

/** A sentence for each reason, with its weight and its code: what moved the score most first, the start at the end. */
export function reasonTexts(facts: Facts): string[] {
  return facts.best.reasons
    .toSorted((a, b) => rank(b) - rank(a))
    .map((reason) => `${signed(reason.millibits)} bits: ${because(reason, facts)} [${reason.code}]`);
}

const rank = ({ code, millibits }: Reason) => (code === 'start' ? -1 : Math.abs(millibits));

/** Whole hundredths of a bit: see `millibits`. */
function signed(millibits: number): string {
  const hundredths = Math.round(Math.abs(millibits) / 10);
  const [bits, rest] = [Math.floor(hundredths / 100), hundredths % 100];
  return `${millibits < 0 ? '-' : '+'}${bits}.${rest < 10 ? '0' : ''}${rest}`;
}

function because({ code, value }: Reason, facts: Facts): string {
  const { best, evidence, contacts } = facts;
  if (value) {
    const what = named(evidence.contacts, value.index);
    const { identity } = best;
    if (code === `${value.kind}_own`)
      return `${what} belongs to ${best.bears ? `identity ${identity}` : 'the same person'}`;
    if (code === `${value.kind}_in_part`)
      return `${what} belongs to somebody who bears part of the name only`;
    return `${what} belongs to identity ${contacts[value.index]?.identity}`;
  }
  return OTHER[code as keyof typeof OTHER](facts);
}

const OTHER: Record<Exclude<Reason['code'], `${ContactKind}_${string}`>, (facts: Facts) => string> = {
  start: () => 'every check starts here, before anything is known',
  name_borne: ({ best, evidence }) =>
    `identity ${best.identity} bears the name, as ${Math.max(1, evidence.nameHolders)} of ${evidence.graphSize} do`,
  name_varies: ({ best }) => `the name of identity ${best.identity} is written otherwise`,
  name_in_part: () => 'whom the contacts belong to bears part of the name only',
  name_unknown: () => 'the records of whom the contacts belong to carry no name',
  history: ({ best, evidence }) => {
    const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
    const years = Math.floor(((known?.lastSeen ?? 0) - (known?.firstSeen ?? 0)) / YEAR);
    return `the records of ${best.bears ? `identity ${best.identity}` : 'that person'} span ${plural(years, 'year')}`;
  },
};

const YEAR = 365.25 * 86_400_000;

const BOUNDS: Record<Bound, string> = {
  no_bearer: 'Without a contact that is on record for a person of this name the score is at most 64.',
  one_kind: 'With contacts of one kind alone, or nearly, the score is bounded: it does not reach 85.',
  conflict: 'The score is bounded by an e-mail or phone that is on record for somebody else.',
  addresses:
    'The score is bounded: addresses that others live at may mean a move, so they lower it by less than their weight, and alone no further than to 40.',
};

/** How the score came about, which bound moved it, and the calibration that it was mapped by. */
export function explanation(bound: Bound | null, calibration: Calibration | null): string {
  const how = bound === null ? 'The score is the sum of the evidence; no bound applied.' : BOUNDS[bound];
  return calibration === null ? how : `${how} It is mapped by the calibration ${calibration.name}.`;
}
