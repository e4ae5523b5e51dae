// What signing in to the console takes, and answers.
import * as v from 'valibot';
import { named, orNull, time } from './parts.ts';

export const signIn = named(
  'SignIn',
  {
    key: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description('A live key with the scope `admin`.')),
    ),
    link: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(200),
        v.description('What a link of `bonafide console link` has behind `#link=`.'),
      ),
    ),
  },
  'One of the two.',
);

export const session = named(
  'Session',
  {
    key: orNull(
      v.string(),
      'The id of the key that it was begun with; null for one that was begun with a link.',
    ),
    until: time('When it ends.'),
  },
  'Who is signed in to the console.',
);
