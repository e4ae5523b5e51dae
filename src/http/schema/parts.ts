// The words that schemas of answers are written in: each part says what it means, and that is what the API description shows.
import * as v from 'valibot';

export const text = (about: string) => v.pipe(v.string(), v.description(about));
export const flag = (about: string) => v.pipe(v.boolean(), v.description(about));
export const number = (about: string) => v.pipe(v.number(), v.description(about));
export const whole = (about: string, least = 0) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.description(about));
export const between = (least: number, most: number, about: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(about));
export const word = <const O extends readonly string[]>(options: O, about: string) =>
  v.pipe(v.picklist(options), v.description(about));
/** An ISO 8601 time in UTC. */
export const time = (about: string) => v.pipe(v.string(), v.isoTimestamp(), v.description(about));
export const texts = (about: string) => v.pipe(v.array(v.string()), v.description(about));
export const list = <S extends v.GenericSchema>(item: S, about: string) =>
  v.pipe(v.array(item), v.description(about));
export const orNull = <S extends v.GenericSchema>(schema: S, about: string) =>
  v.pipe(v.nullable(schema), v.description(about));
export const object = <E extends v.ObjectEntries>(entries: E, about: string) =>
  v.pipe(v.object(entries), v.description(about));
/** An object that the description knows by a name of its own. */
export const named = <E extends v.ObjectEntries>(name: string, entries: E, about: string) =>
  v.pipe(v.object(entries), v.title(name), v.description(about));

/** The number of an identity. */
export const identity = v.pipe(v.number(), v.integer(), v.minValue(1));
export const requestId = v.pipe(
  v.string(),
  v.regex(/^req_[0-9a-z]{26}$/),
  v.description('Names the call: for looking it up later and for finding it in the log. Made by the server.'),
);
