import * as v from 'valibot';
import { identity as numbered, list, named, object, orNull, text, time, whole, word } from '../../parts.ts';
import { recordIds } from './people.ts';

const reason = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(500),
    v.description(
      'The reason, without a name; one that holds an e-mail or a phone is refused. Kept encrypted until one of them is forgotten.',
    ),
  ),
  '',
);
export const joinAsked = named(
  'JoinAsked',
  {
    identities: v.pipe(
      v.array(numbered),
      v.minLength(2),
      v.maxLength(100),
      v.description('These are one person.'),
    ),
    why: reason,
  },
  'Identities that are one person.',
);
export const splitAsked = named(
  'SplitAsked',
  {
    records: v.pipe(
      recordIds,
      v.minLength(1),
      v.description('These are another person than the rest of their identity.'),
    ),
    why: reason,
  },
  'Records that are somebody else’s.',
);
const kind = word(['split', 'join'], 'What was judged.');
export const judged = named(
  'Judged',
  {
    id: whole('The judgement’s number.', 1),
    kind,
    records: whole('Records that it is about.'),
    identities: list(numbered, 'The identities that they have by it.'),
  },
  'A judgement and what came of it.',
);
export const judgements = named(
  'Judgements',
  {
    items: list(
      object(
        {
          id: whole('Its number.', 1),
          kind,
          who: text('Who judged.'),
          why: text('Why.'),
          time: time('When.'),
          undone: orNull(time(''), 'When it was undone; null while it stands.'),
          records: list(v.number(), 'How many records each group of it has.'),
        },
        'A judgement.',
      ),
      'The oldest first.',
    ),
  },
  'What a person judged about who is who.',
);
