import type { InFlightLimit } from '../accounts/in-flight.ts';
import type { OperatorService } from '../admin/operator-service.ts';
import type { Alone } from '../platform/threads/lock.ts';
import type { ConnectWriter } from '../store/serving/recorder.ts';
import type { State } from './readiness.ts';

/** What one of several threads that serve shares with the others; a server of one thread has all of it to itself. */
export interface Seat {
  /** How many threads serve. */
  of: number;
  /** The way to the one writer. */
  writer: ConnectWriter;
  /** Calls that all of them work on. */
  flights: InFlightLimit;
  /** For what they do one after the other. */
  alone: Alone;
  /** What an operator has done at one place. */
  office: OperatorService;
  state: State;
  /** The figures of all, in the text format of Prometheus. */
  metrics(): Promise<string>;
}
