import { activity, activityQuery } from '../../../schema/admin/activity.ts';
import * as schema from '../../../schema/admin/logs.ts';
import { administrative, PAGING } from './parts.ts';

export const ACTS = administrative({
  method: 'GET',
  path: 'audit',
  id: 'listActs',
  summary: 'Who administered what',
  about: 'The audit log, the newest first. `bonafide audit show` at the command line.',
  query: { ...schema.actsQuery, ...PAGING },
  answers: schema.acts,
});

export const VERIFY = administrative({
  method: 'GET',
  path: 'audit/verify',
  id: 'verifyAudit',
  summary: 'Is the audit log whole?',
  about: 'Follows its chain: an act that is missing or was changed shows. `bonafide audit verify`.',
  query: schema.headQuery,
  answers: schema.verified,
});

export const REQUESTS = administrative({
  method: 'GET',
  path: 'requests',
  id: 'listRequests',
  summary: 'The call log',
  about:
    'Accepted calls of all keys, the newest first. For a page at most 20,000 are looked at: a filter that few pass may give a page of few or none, and `next` says that there is more. There is no command for it.',
  query: { ...schema.requestsQuery, ...PAGING },
  answers: schema.requests,
});

export const ACTIVITY = administrative({
  method: 'GET',
  path: 'activity',
  id: 'showActivity',
  summary: 'Calls over time',
  about:
    'Live calls of the last hour, day, week or month by step of time: bands, flags, how long they took. There is no command for it.',
  query: activityQuery,
  answers: activity,
});

export const REQUEST = administrative({
  method: 'GET',
  path: 'requests/:id',
  of: 'request',
  id: 'showRequest',
  summary: 'A call',
  about: 'One accepted call, whoever made it. There is no command for it.',
  answers: schema.request,
});
