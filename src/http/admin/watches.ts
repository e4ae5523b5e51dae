// Administrative routes about watches and events of all accounts. They show nothing of what was submitted.
import * as v from 'valibot';
import type { Route } from '../openapi/operation.ts';
import { scoreBandSchema } from '../schema/check.ts';
import * as s from '../schema/builders.ts';
import { deletedWatchSchema, watchEventSchema, watchSchema } from '../schema/watches.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const owner = s.string(
  'Account, or first key of the chain of a key without an account; with `:test` at the end for test keys.',
);

const watchWithOwnerSchema = s.openApiObject(
  'OwnedWatch',
  'A watch of any account; never what was submitted.',
  {
    owner,
    ...watchSchema.entries,
    due_since: s.nullableTimestamp('Since when it waits for a re-check; null if it does not wait.'),
  },
);
export const watchesWithOwnersPageSchema = s.openApiObject('OwnedWatches', 'Watches, newest first.', {
  on: s.boolean('True if callers may create watches: the setting `watches`.'),
  total: s.integer('Number of all watches.'),
  due: s.integer('Watches that wait for a re-check.'),
  ...s.createPageSchema('', watchWithOwnerSchema, '').entries,
});

export const watchEventWithOwnerSchema = s.openApiObject(
  'OwnedEvent',
  'An event of a watch or a job of any account.',
  { owner, ...watchEventSchema.entries },
);

const ownerQuery = v.optional(s.shortString('Only those of this owner.'));

export const WATCH_ADMIN_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET watches', 'listAllWatches', {
    summary: 'List watches',
    about:
      'Watches of all accounts, newest first. At most 20,000 watches are read for a page: with a rare filter a page may be short or empty while `next` says that there is more.',
    command: 'watches list',
    query: {
      owner: ownerQuery,
      reference: v.optional(s.shortString('Only watches with this reference.')),
      status: v.optional(scoreBandSchema),
      ...s.PAGING_PARAMETERS,
    },
    answers: watchesWithOwnersPageSchema,
    handle: ({ query, run }) => run('watches.list', query),
  }),
  declareAdminRoute('POST watches/recheck', 'recheckWatches', {
    summary: 'Check all watches again',
    about: 'Also for changes of counts of the whole graph. A server with the setting `watches` does it.',
    command: 'watches recheck',
    answers: s.openApiObject('RecheckedWatches', 'A re-check of all watches that begins.', {
      watches: s.integer('Number of watches that will be checked.'),
    }),
    status: 202,
    handle: ({ run }) => run('watches.recheck', null),
  }),
  declareAdminRoute('GET watches/:id', 'showAnyWatch', {
    noun: 'watch',
    summary: 'Show a watch',
    about: 'A watch of any account; never what was submitted.',
    command: 'watches show',
    answers: watchWithOwnerSchema,
    handle: ({ id, run }) => run('watches.show', id),
  }),
  declareAdminRoute('DELETE watches/:id', 'deleteAnyWatch', {
    noun: 'watch',
    summary: 'Delete a watch',
    about: 'What the server kept of the watch is deleted at once. Its events stay for 30 days.',
    command: 'watches delete',
    answers: deletedWatchSchema,
    handle: ({ id, run }) => run('watches.delete', id),
  }),
  declareAdminRoute('GET events', 'listAllEvents', {
    summary: 'List events',
    about:
      'Events of watches and jobs of all accounts, newest first. They are kept for 30 days. There is no command for it.',
    query: {
      owner: ownerQuery,
      subject: v.optional(s.shortString('Only events of this watch (`wat_…`) or job (`job_…`).')),
      ...s.PAGING_PARAMETERS,
    },
    answers: s.createPageSchema('OwnedEvents', watchEventWithOwnerSchema, 'Events, newest first.'),
    handle: ({ query, run }) => run('events.list', query),
  }),
];
