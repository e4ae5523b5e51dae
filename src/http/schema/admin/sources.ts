import * as v from 'valibot';
import { named, whole } from '../parts.ts';

export const sourceAsked = named(
  'SourceAsked',
  {
    source: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.description('Its name, as lists show it.'),
    ),
  },
  'A source by its name.',
);
const linked = {
  records: whole('How many records the graph holds then.'),
  identities: whole('How many identities they are.'),
};
export const sourceRemoved = named(
  'SourceRemoved',
  { removed: whole('How many records are gone.'), ...linked },
  'What became of a graph without a source.',
);
export const importUndone = named(
  'ImportUndone',
  {
    removed: whole('How many records are gone.'),
    restored: whole('How many are as they were before.'),
    left: whole('How many were changed since, and stay.'),
    ...linked,
  },
  'What became of a graph without its last import.',
);
