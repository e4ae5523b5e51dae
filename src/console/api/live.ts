// What the server tells as it goes on: one event in two seconds. Where the stream breaks, that is said, and it is taken up again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { MARK, Problem, reach } from './ask.ts';

export interface Told {
  time: string;
  checks: Record<string, number>;
  problems: Record<string, number>;
  in_flight: number;
}

export type State = 'connecting' | 'live' | 'broken';

const AGAIN_MS = 5000;
/** An event is due every two seconds: none for so long is a stream that broke without a word. */
const SILENT_MS = 10_000;

export interface Live {
  state: State;
  told: Told | null;
  before: Told | null;
  /** What it has told since the page was opened, the oldest first: some ten minutes of it. */
  trail: Told[];
}

const MOST_TRAIL = 300;

/** Follows the server. However fast events come, a page is drawn once a frame at most. */
export function useLive(): Live {
  const [shown, show] = useState<Live>({
    state: 'connecting',
    told: null,
    before: null,
    trail: [],
  });
  const latest = useRef<Told | null>(null);
  useEffect(() => {
    let stopped = false;
    let frame = 0;
    let again: ReturnType<typeof setTimeout> | undefined;
    let stop = new AbortController();
    const take = (told: Told) => {
      latest.current = told;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const now = latest.current;
        if (now === null) return;
        show(({ told, trail }) => ({
          state: 'live',
          told: now,
          before: told,
          trail: [...trail.slice(1 - MOST_TRAIL), now],
        }));
      });
    };
    const follow = async () => {
      stop = new AbortController();
      try {
        await readEvents(stop, take);
      } catch (error) {
        if (error instanceof Problem && error.status === 401) return;
      }
      if (stopped) return;
      show((before) => ({ ...before, state: 'broken' }));
      again = setTimeout(() => void follow(), AGAIN_MS);
    };
    void follow();
    return () => {
      stopped = true;
      clearTimeout(again);
      cancelAnimationFrame(frame);
      stop.abort();
    };
  }, []);
  return shown;
}

/** Reads events until the stream ends, or is silent. An EventSource could not send the header that a session needs. */
async function readEvents(stop: AbortController, take: (told: Told) => void): Promise<void> {
  const { body } = await reach('/console/live', { headers: MARK, signal: stop.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let silent = setTimeout(() => stop.abort(), SILENT_MS);
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(silent);
      silent = setTimeout(() => stop.abort(), SILENT_MS);
      const events = (text + part.value).split('\n\n');
      text = events.pop() ?? '';
      const last = events.findLast((event) => event.startsWith('data: '));
      if (last !== undefined) take(JSON.parse(last.slice('data: '.length)) as Told);
    }
  } finally {
    clearTimeout(silent);
  }
}
