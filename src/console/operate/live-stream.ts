// Counters of the server, which it sends every two seconds as server-sent events.
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, sendRequest } from '../app/api.ts';

/** Counters of the server at one time, counted since the server started. */
export interface LiveMetricsEvent {
  time: string;
  checks: Record<string, number>;
  problems: Record<string, number>;
  in_flight: number;
}

export interface LiveMetricsStreamState {
  connection: 'connecting' | 'open' | 'broken';
  /** Events since the page was opened, oldest first, at most 300 (about ten minutes). */
  events: LiveMetricsEvent[];
  /** Reason that the server gave for refusing the stream; null if it gave none. */
  problem: string | null;
}

const RECONNECT_MS = 5000;
/** Time (ms) without an event after which the stream counts as broken. The server sends an event every two seconds. */
const TIMEOUT_MS = 10_000;
const MAX_EVENTS = 300;

/** Returns the events of the server's live stream, and reconnects if the stream breaks. */
export function useLiveMetricsStream(): LiveMetricsStreamState {
  const [state, setState] = useState<LiveMetricsStreamState>({
    connection: 'connecting',
    events: [],
    problem: null,
  });
  useEffect(() => {
    let abort = new AbortController();
    let isStopped = false;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let latest: LiveMetricsEvent;
    const show = (event: LiveMetricsEvent) => {
      latest = event;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setState(({ events }) => ({
          connection: 'open',
          events: [...events.slice(1 - MAX_EVENTS), latest],
          problem: null,
        }));
      });
    };
    const connect = async () => {
      abort = new AbortController();
      let problem: string | null = null;
      try {
        await readEvents(abort, show);
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 401) return;
        if (error instanceof ApiProblem && error.status > 0) problem = error.message;
      }
      if (isStopped) return;
      setState((before) => ({ ...before, connection: 'broken', problem }));
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    void connect();
    return () => {
      isStopped = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      abort.abort();
    };
  }, []);
  return state;
}

/** Reads events until the stream ends or times out. `EventSource` is not used, because it cannot send the session header. */
async function readEvents(abort: AbortController, onEvent: (event: LiveMetricsEvent) => void): Promise<void> {
  const { body } = await sendRequest('/console/live', { signal: abort.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const startTimer = () => setTimeout(() => abort.abort(), TIMEOUT_MS);
  let text = '';
  let timer = startTimer();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      clearTimeout(timer);
      timer = startTimer();
      const events = (text + chunk.value).split('\n\n');
      text = events.pop() ?? '';
      const last = events.findLast((event) => event.startsWith('data: '));
      if (last !== undefined) onEvent(JSON.parse(last.slice('data: '.length)) as LiveMetricsEvent);
    }
  } finally {
    clearTimeout(timer);
  }
}
