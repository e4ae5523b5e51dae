import type { OperatorService } from '../../admin/operator-service.ts';
import {
  type OperationOutcome,
  runOperationToOutcome,
  unwrapOperationOutcome,
} from '../../platform/threads/calls.ts';

export interface OperatorServiceCall {
  id: number;
  name: keyof OperatorService;
  inputs: unknown[];
}
/** Answer of the main thread to the call of a serving thread with this id. */
export type OperatorServiceAnswerToThread = { id: number } & OperationOutcome;

/** Runs an operation of the operator service for a serving thread, in the main thread. Never rejects. */
export async function runOperatorServiceCall(
  service: OperatorService,
  { id, name, inputs }: OperatorServiceCall,
): Promise<OperatorServiceAnswerToThread> {
  const run = service[name] as (...inputs: unknown[]) => unknown;
  return { id, ...(await runOperationToOutcome(() => run(...inputs))) };
}

/** Creates an operator service for a serving thread: it sends its calls to the main thread, whose answers must be passed to `settle`. */
export function createRemoteOperatorService(send: (call: OperatorServiceCall) => void) {
  const pending = new Map<number, (answer: OperationOutcome) => void>();
  let lastId = 0;
  const call = async (name: keyof OperatorService, inputs: unknown[]): Promise<unknown> => {
    const id = ++lastId;
    const outcome = new Promise<OperationOutcome>((resolve) => pending.set(id, resolve));
    send({ id, name, inputs });
    return unwrapOperationOutcome(await outcome);
  };
  const method = <Name extends keyof OperatorService>(name: Name) =>
    ((...inputs: unknown[]) => call(name, inputs)) as OperatorService[Name];
  const service: OperatorService = {
    run: method('run'),
    makeReport: method('makeReport'),
    runOnPeople: method('runOnPeople'),
    putRecords: method('putRecords'),
    handleImport: method('handleImport'),
    listImports: method('listImports'),
    handleEvaluation: method('handleEvaluation'),
    getEvaluationHtml: method('getEvaluationHtml'),
    listBackups: method('listBackups'),
    startBackup: method('startBackup'),
    diagnose: method('diagnose'),
    createJob: method('createJob'),
    recordFeatureFailure: method('recordFeatureFailure'),
  };
  const settle = ({ id, ...outcome }: OperatorServiceAnswerToThread): void => {
    pending.get(id)?.(outcome);
    pending.delete(id);
  };
  return { service, settle };
}
