import { countCalls, type TestApp } from '../../kit/app.ts';

/** Returns the number of calls since the test began: in the usage of a server, which had counted the earlier calls too. */
export const counted = ({ app, callsBefore }: TestApp) =>
  (app.store.raw.prepare<[], number>('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get() ?? 0) -
  callsBefore;

/** Returns the number of calls since the test began, in the call log of a server. */
export const loggedCalls = countCalls;
