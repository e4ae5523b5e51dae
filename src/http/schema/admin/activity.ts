import * as v from 'valibot';
import { flag, list, named, object, orNull, time, whole, word } from '../parts.ts';
import { shortText } from './parts.ts';

const ms = (about: string) => orNull(v.number(), about);
const times = {
  p50_ms: ms('Half of them took no longer, in milliseconds; null where there were none.'),
  p95_ms: ms('19 of 20 took no longer.'),
  p99_ms: ms('99 of 100 took no longer.'),
};
const calls = whole('Live calls that were accepted.');
const catfish = whole('Those of them with the flag `possible_catfish`.');

const step = object(
  {
    at: time('When it begins.'),
    calls,
    bands: object(
      {
        HIGH: whole('85 and above.'),
        MEDIUM: whole('65 to 84.'),
        LOW: whole('40 to 64.'),
        VERY_LOW: whole('Below 40.'),
      },
      'How many scores fell into each band.',
    ),
    catfish,
    ...times,
  },
  'One step of time.',
);

export const activity = named(
  'Activity',
  {
    step_ms: whole('How long a step is, in milliseconds.', 1),
    since: time('When the first begins.'),
    whole: flag('Every call of the span was looked at; else the newest 500,000 alone.'),
    steps: list(step, 'The oldest first; the last one is still going on.'),
    all: object({ calls, catfish, ...times }, 'All of them together.'),
  },
  'Live calls over time, by band.',
);

export const activityQuery = {
  span: v.optional(word(['hour', 'day', 'week', 'month'], 'How far back; a day where it is not said.')),
  account: v.optional(shortText('Only calls of this account.')),
};
