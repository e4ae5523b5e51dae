// Operator service: administration that a server does in one thread, even if several threads serve requests.
import { toStoreOperationSettings } from '../../admin/store-operations.ts';
import { openStoreWorker } from '../../admin/store-worker.ts';
import { openGraphReportWorker } from '../../admin/graph/report-worker.ts';
import type { OperatorService, AiFeatureFailure } from '../../admin/operator-service.ts';
import { openPeopleOperationWorker } from '../../admin/graph/people-worker.ts';
import { BonafideError } from '../../errors.ts';
import { getCallRetentionMs } from '../data/databases.ts';
import { createBackupService, createDiagnosisRunner } from './maintenance.ts';
import { createEvaluationService } from './evaluations.ts';
import { createJobCreationService } from './jobs.ts';
import { createImportService, createGraphReportMaker } from './imports.ts';
import { startOldGraphRecordRemoval } from './retention.ts';
import { createPutRecordsService } from './records.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

/**
 * Creates the service for administrative operations that run in the main thread, even if several threads serve requests. Errors of `run`:
 * store_unavailable if the store file is missing, and those of the store operation.
 */
export function openOperatorService(deps: Omit<OperatorServiceDeps, 'storeWorker'>): OperatorService {
  const { config, log, data, closeLater } = deps;
  const { dataDir, secret, graph: setting, store: storeSetting, nameTables, region } = config;
  const place = { dataDir, secret, graph: setting, store: storeSetting };
  const workerData = { ...place, nameTables, region, backupsTo: config.backup?.to };
  const storeData = { place: data.engine.location, settings: toStoreOperationSettings(config) };
  const store = closeLater(openStoreWorker(storeData));
  const graph = closeLater(openGraphReportWorker(workerData));
  const peopleWorker = closeLater(openPeopleOperationWorker(workerData));
  const run: OperatorService['run'] = async (...call) => {
    if (data.watch.missing() === 'keys')
      throw new BonafideError(
        'store_unavailable',
        'The file store.db is missing in the data folder. Put it back, or restore a backup.',
      );
    const result = await store.run(...call);
    // Many watches and jobs of a closed account are left to the writer, which deletes them in small batches.
    if (call[0] === 'accounts.close')
      data.engine.recorder.removeOld({ maxAgeMs: getCallRetentionMs(config), now: Date.now() });
    return result;
  };
  const serviceDeps = { ...deps, storeWorker: { run } };
  const people: OperatorService['runOnPeople'] = async (name, input, caller) => {
    const { result, note } = await peopleWorker.run(name, input, caller);
    if (note) {
      onPublication();
      await run('note', note, caller.actor);
    }
    return result;
  };
  const onPublication = () => {
    graph.discardReports();
    data.watchThread?.wake();
  };
  closeLater(startOldGraphRecordRemoval({ config, log, people }));
  const service = {
    run,
    makeReport: createGraphReportMaker(data.graph, { config, storeWorker: graph }),
    runOnPeople: people,
    diagnose: createDiagnosisRunner(serviceDeps),
    recordFeatureFailure: createFailureList(),
    ...createBackupService(serviceDeps),
    ...createPutRecordsService(serviceDeps),
    ...createImportService(serviceDeps, onPublication),
    ...createEvaluationService(serviceDeps),
    ...createJobCreationService(serviceDeps),
  };
  return service;
}

// Maximum number of feature failures in the list, over all serving threads.
const MAX_FAILURES = 50;

/** Creates a function that records a feature failure, and lists the latest failures, newest first. */
function createFailureList(): OperatorService['recordFeatureFailure'] {
  let last: AiFeatureFailure[] = [];
  return async (more) => {
    if (more) last = [more, ...last].slice(0, MAX_FAILURES);
    return last;
  };
}
