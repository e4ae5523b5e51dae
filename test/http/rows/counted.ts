import type { TestApp } from '../../kit/app.ts';

/** Returns the number of calls in the usage of a server. */
export const counted = ({ app }: TestApp) =>
  app.store.raw.prepare('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get();

/** Returns the number of calls in the call log of a server. */
export const loggedCalls = ({ app }: TestApp) =>
  app.store.raw.prepare('SELECT count(*) FROM calls').pluck().get();
