import type { EarlierCall } from '../../accounts/model.ts';
import { requestView } from '../lookups.ts';
import * as LOGS from '../openapi/operations/admin/logs.ts';
import { at } from './route.ts';
import type { AdminRoute } from './route.ts';

/** A call as an operator sees it: as its caller does, and whose it was. */
const callView = (call: EarlierCall) => ({ ...requestView(call), key: call.keyId, account: call.account });

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const LOG_ROUTES: AdminRoute[] = [
  at(LOGS.ACTS, ({ query, ask }) => ask('audit.list', query)),
  at(LOGS.VERIFY, ({ query: { head }, ask }) => ask('audit.verify', head)),
  at(LOGS.REQUESTS, async ({ query: { since, before, ...asked }, ask }) => {
    const { items, next } = await ask('requests.list', {
      ...asked,
      since: timeOf(since),
      before: timeOf(before),
    });
    return { items: items.map(callView), next };
  }),
  at(LOGS.ACTIVITY, ({ query: { span = 'day', account }, ask }) => ask('activity', { span, account })),
  at(LOGS.REQUEST, async ({ id, ask }) => callView(await ask('requests.show', id))),
];
