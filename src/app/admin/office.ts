// What an operator has done over HTTP that a server does at one place, however many threads serve.
import { openStoreWorker } from '../../admin/store-worker.ts';
import { openGraphReportWorker } from '../../admin/graph/report-worker.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import { openPeopleWorker } from '../../admin/graph/people-worker.ts';
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

/** Returns the operator service. Errors, of `run`: store_unavailable too, if the file of the store is missing. */
export function openOperatorService({ config, log, data, opened }: Given): OperatorService {
  const { dataDir, secret, graph: setting, nameTables, region } = config;
  const workerData = { dataDir, secret, graph: setting, nameTables, region, backupsTo: config.backup?.to };
  const store = opened(openStoreWorker(data.engine.location), (worker) => worker.close());
  const graph = opened(openGraphReportWorker(workerData), (worker) => worker.close());
  const peopleWorker = opened(openPeopleWorker(workerData), (worker) => worker.close());
  const run: OperatorService['run'] = async (...call) => {
    if (data.watch.missing() === 'keys')
      throw new BonafideError('store_unavailable', 'The store file is missing.');
    return store.run(...call);
  };
  const given = { config, log, desk: { run }, opened };
  const people: OperatorService['runOnPeople'] = async (name, input, caller) => {
    const { result, note } = await peopleWorker.run(name, input, caller);
    if (note) graph.discardReports();
    if (note) await run('note', note, caller.actor);
    return result;
  };
  opened(retention({ config, log, people }), (timer) => timer.close());
  const service = {
    run,
    makeReport: lookingInto(data.graph, { config, desk: graph }),
    runOnPeople: people,
    diagnose: doctorOf(given),
    recordFeatureFailure: keepFailures(),
    ...backupsOf(given),
    ...recordsOf({ ...given, graph: data.graph, watch: data.watch }),
    ...importsOf({ ...given, watch: data.watch, onDone: graph.discardReports }),
    ...evaluationsOf(given),
  };
  return service;
}
