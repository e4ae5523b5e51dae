import type { TestApp } from '../../kit/app.ts';

/** How many calls the usage of a server counts. */
export const counted = ({ app }: TestApp) =>
  app.store.raw.prepare('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get();

/** How many calls its log of calls holds. */
export const loggedCalls = ({ app }: TestApp) =>
  app.store.raw.prepare('SELECT count(*) FROM calls').pluck().get();
