import { statsView } from '../graph/route.ts';
import * as MACHINE from '../openapi/operations/admin/machine.ts';
import { at } from './route.ts';
import type { AdminRoute } from './route.ts';
import { surveyView } from './graph/survey.ts';

export const MACHINE_ROUTES: AdminRoute[] = [
  at(MACHINE.FEATURES, (_, { machine }) => machine.features.list()),
  at(MACHINE.ON, ({ id, actor }, { machine }) => machine.features.turn(id, true, actor)),
  at(MACHINE.OFF, ({ id, actor }, { machine }) => machine.features.turn(id, false, actor)),
  at(MACHINE.USE, ({ id, body: { deadline_ms: deadlineMs, ...choice }, actor }, { machine }) =>
    machine.features.use(id, { ...choice, deadlineMs }, actor),
  ),
  at(MACHINE.TEST, async ({ body: { features } }, { machine }) => ({
    items: await machine.features.test(features),
  })),
  at(MACHINE.FAILURES, async (_, { machine }) => ({
    items: (await machine.features.failures()).map((one) => ({ ...one, time: timeText(one.time) })),
  })),
  at(MACHINE.DOCTOR, (_, { machine }) => machine.doctor(false)),
  at(MACHINE.EXAMINE, (_, { machine }) => machine.doctor(true)),
  at(MACHINE.GRAPH, async (_, { machine }) => statsView(await machine.graph.look('stats'))),
  at(MACHINE.SOURCES, async (_, { machine }) => {
    const { found, at } = await machine.graph.look('sources');
    const items = found.map(({ firstSeen, lastSeen, imported, ...one }) => ({
      ...one,
      imported: timeText(imported),
      first_seen: timeText(firstSeen),
      last_seen: timeText(lastSeen),
    }));
    return { items, counted: timeText(at) };
  }),
  at(MACHINE.SURVEY, async (_, { machine }) => {
    const { found, at } = await machine.graph.look('survey');
    return { ...surveyView(found), counted: timeText(at) };
  }),
  at(MACHINE.BACKUPS, ({ query }, { machine }) => machine.backups.list(query)),
  at(MACHINE.BACK_UP, ({ now, actor }, { machine }) => machine.backups.start(now, actor)),
];

const timeText = (at: number | null) => (at === null ? null : new Date(at).toISOString());
