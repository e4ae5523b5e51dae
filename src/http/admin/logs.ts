import type { EarlierCall } from '../../accounts/model.ts';
import { timeOf } from '../../accounts/moment.ts';
import { requestView } from '../lookups.ts';
import * as LOGS from '../openapi/operations/admin/logs.ts';
import { at } from './route.ts';
import type { AdminRoute } from './route.ts';

/** A call as an operator sees it: as its caller does, and whose it was. */
const callView = (call: EarlierCall) => ({ ...requestView(call), key: call.keyId, account: call.account });

/** The schema has refused what is no time. */
const momentOf = (text: string | undefined) => (text === undefined ? undefined : (timeOf(text) ?? undefined));

export const LOG_ROUTES: AdminRoute[] = [
  at(LOGS.ACTS, ({ query, ask }) => ask('audit.list', query)),
  at(LOGS.VERIFY, ({ query: { head }, ask }) => ask('audit.verify', head)),
  at(LOGS.REQUESTS, async ({ query: { since, before, ...asked }, ask }) => {
    const { items, next } = await ask('requests.list', {
      ...asked,
      since: momentOf(since),
      before: momentOf(before),
    });
    return { items: items.map(callView), next };
  }),
  at(LOGS.ACTIVITY, ({ query: { span = 'day', account }, ask }) => ask('activity', { span, account })),
  at(LOGS.REQUEST, async ({ id, ask }) => callView(await ask('requests.show', id))),
];
