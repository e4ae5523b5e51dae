// Continuous feed of changed records: calls from a server to the one thread that writes records to the graph.
import { BonafideError } from '../../errors.ts';
import type { GraphEngineOptions } from '../../graph/engines.ts';
import { createLazyWorkerThread } from '../../platform/threads/calls.ts';
import type { FeedRequest, FeedLineProblem } from './lines.ts';

export interface FeedResult {
  put: number;
  deleted: number;
  /** Number of lines that were ignored because their record is on the suppression list. */
  barred: number;
  refused: FeedLineProblem[];
  leftOut: FeedLineProblem[];
  /** True if check calls already use the records of this feed call. False if some of the records wait for the next full linking. */
  linked: boolean;
  /** Revision (state) of the graph that contains these records; null if the call changed nothing. */
  revision: string | null;
}

export interface FeedOptions {
  dataDir: string;
  secret?: string | undefined;
  graph?: GraphEngineOptions['graph'];
  nameTables: readonly string[];
}

export interface Feed {
  /**
   * Adds and removes the records of a call. Resolves when the changes are on disk and linking has ended or was postponed. A repeated call changes
   * nothing. Errors: `overloaded` if too many calls are pending, `graph_unavailable`, those of the graph's files.
   */
  write(call: FeedRequest): Promise<FeedResult>;
  /**
   * Links all records if a full linking is due. Feed calls are accepted meanwhile. Returns false if linking failed. Never resolves if the feed is
   * closed first.
   */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

export type FeedOperations = {
  write(call: FeedRequest): Promise<FeedResult>;
  settle(input: null): Promise<boolean>;
  linkAll(input: null): Promise<void>;
  close(input: null): Promise<void>;
};

const MOST_PENDING_CALLS = 512;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

/**
 * Opens the feed, which adds and removes records of a graph. The feed's thread starts at the first call, and again at the first call after it
 * has ended.
 */
export function openFeed({ dataDir, secret, graph, nameTables }: FeedOptions): Feed {
  let [calls, bytes, hasStarted, isClosing] = [0, 0, false, false];
  const thread = createLazyWorkerThread<FeedOperations>({
    file: 'import/feed/thread',
    workerData: { dataDir, secret, graph, nameTables } satisfies FeedOptions,
    toEndedError: () =>
      new BonafideError(
        'graph_unavailable',
        'The thread that writes records to the graph ended. Send the records again.',
      ),
  });
  const call: typeof thread.call = (name, input) => {
    hasStarted = true;
    return thread.call(name, input);
  };
  return {
    async write(sent) {
      if (isClosing)
        throw new BonafideError(
          'graph_unavailable',
          'The server is closing. Send the records again after its restart.',
        );
      if (calls >= MOST_PENDING_CALLS || bytes > MOST_PENDING_BYTES)
        throw new BonafideError(
          'overloaded',
          'Too many calls with records are pending. Send the records again in a few seconds.',
        );
      calls++;
      bytes += sent.lines.length;
      try {
        return await call('write', sent);
      } finally {
        calls--;
        bytes -= sent.lines.length;
      }
    },
    async settle() {
      if (!isClosing) {
        const isLinked = await call('settle', null).catch(() => false);
        if (!isClosing) return isLinked;
      }
      return new Promise(() => {});
    },
    async close() {
      isClosing = true;
      if (hasStarted) await call('close', null).catch(() => undefined);
      await thread.close();
    },
  };
}
