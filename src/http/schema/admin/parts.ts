// What the schemas of administration share.
import * as v from 'valibot';
import { timeOf } from '../../../accounts/moment.ts';
import { between, list, named, orNull } from '../parts.ts';

export const LIMIT = v.optional(between(1, 200, 'So many at most; 50 where it is not said.'));
export const CURSOR = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(400),
    v.description('`next` of the page before, with the same filters: the list goes on behind it.'),
  ),
);

/** A page of a list. */
export const pageOf = <S extends v.GenericSchema>(name: string, item: S, about: string) =>
  named(
    name,
    {
      items: list(item, 'What is on this page.'),
      next: orNull(v.string(), 'The cursor of the next page; null where this one is the last.'),
    },
    about,
  );

/** A time that is asked for, on a day that there is. */
export const moment = (about: string) =>
  v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.maxLength(40),
    v.check((text) => timeOf(text) !== null),
    v.description(about),
  );
export const shortText = (about: string) => v.pipe(v.string(), v.maxLength(200), v.description(about));
