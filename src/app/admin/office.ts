// What an operator has done over HTTP that a server does at one place, however many threads serve.
import { openDesk } from '../../admin/desk.ts';
import { openGraphDesk } from '../../admin/graph/desk.ts';
import type { Office } from '../../admin/machine.ts';
import { openPeopleDesk } from '../../admin/people/desk.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import type { Log } from '../../observe/log.ts';
import type { Opened } from '../closing.ts';
import type { Data } from '../data/data.ts';
import { backupsOf } from './backups.ts';
import { doctorOf } from './doctor.ts';
import { evaluationsOf } from './evaluations.ts';
import { keepFailures } from './failures.ts';
import { importsOf } from './imports.ts';
import { lookingInto } from './looking.ts';
import { retention } from './retention.ts';
import { recordsOf } from './records.ts';

interface Given {
  config: Config;
  log: Log;
  data: Data;
  opened: Opened;
}

/** Errors, of `ask`: store_unavailable too, where the store's file is away. */
export function openOffice({ config, log, data, opened }: Given): Office {
  const { dataDir, secret, graph: setting, nameTables, region } = config;
  const place = { dataDir, secret, graph: setting, nameTables };
  const desk = opened(openDesk(data.engine.place), (desk) => desk.close());
  const graph = opened(openGraphDesk(place), (graph) => graph.close());
  const people = opened(openPeopleDesk({ ...place, region, backupsTo: config.backup?.to }), (desk) =>
    desk.close(),
  );
  const ask: Office['ask'] = async (...asked) => {
    if (data.watch.missing() === 'keys') throw new BonafideError('store_unavailable', 'The store is away.');
    return desk.ask(...asked);
  };
  const given = { config, log, desk: { ask }, opened };
  const records = recordsOf({ ...given, graph: data.graph, watch: data.watch });
  const { imports, sent } = importsOf({ ...given, watch: data.watch, onDone: graph.changed });
  const about: Office['people'] = async (work, asked, by) => {
    const { done, note } = await people.work(work, asked, by);
    if (note) graph.changed();
    if (note) await ask('note', note, by.actor);
    return done;
  };
  opened(retention({ config, log, people: about }), (it) => it.close());
  return {
    ask,
    look: lookingInto(data.graph, { config, desk: graph }),
    people: about,
    backups: backupsOf(given),
    records,
    imports,
    sent,
    doctor: doctorOf(given),
    evaluations: evaluationsOf(given),
    failures: keepFailures(),
  };
}
