// A file into the graph: sent to the server, which says how it reads it before anything is in the graph; then imported, and back. What the server
// has of it is asked for, so that leaving the page loses nothing.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api/ask.ts';
import type { Problem } from '../api/ask.ts';
import { problemFrom, useAct, useLoad } from '../api/use.ts';
import { Bones, Card, Note, Trouble } from '../parts/parts.tsx';
import { dropImport, IMPORTS, isAtWork, lookLater, sendFile, shownOf } from './imports.ts';
import type { Import as State, Imports } from './imports.ts';
import { Reading } from './reading.tsx';
import { Undo } from './undo.tsx';

export function Import({ onDone }: { onDone(): void }) {
  const list = useLoad<Imports>(IMPORTS);
  const [at, setAt] = useState<State | null>(null);
  const [said, say] = useState<ComponentChildren>(null);
  const act = useAct();
  const came = useRef(false);
  useEffect(() => {
    if (!list.data || came.current) return;
    came.current = true;
    setAt(shownOf(list.data.items));
  }, [list.data]);
  const took = (next: State | null, isNews = false) => {
    setAt(next);
    if (next?.state !== 'done' && !isNews) return;
    list.again();
    onDone();
  };
  const lost = useFollowed(act.busy ? null : at, took);
  const { undo = null, refused = null } = list.data ?? {};

  const take = (file: File | undefined) => {
    say(null);
    if (file) void act.run(async () => setAt(await sendFile(file)));
  };
  const stop = (it: State) =>
    act.run(async () => {
      const left = await dropImport(it.id);
      const now = await get<Imports>(IMPORTS);
      const isIn = left.state === 'done' || now.undo?.at !== undo?.at;
      say(isIn ? 'It was in the graph before it could be stopped.' : 'Stopped. The graph is as it was.');
      took(left.state === 'done' ? left : null, isIn);
    });
  const close = () => {
    if (at?.state === 'importing') return void stop(at);
    if (at) void dropImport(at.id).catch(() => undefined);
    act.clear();
    say(null);
    setAt(null);
  };
  const undone = (what: ComponentChildren) => {
    if (at?.state === 'done') close();
    say(what);
    list.again();
    onDone();
  };
  return (
    <Card
      title="Import a file"
      about="CSV, Excel, JSON, vCard or Parquet, as other programs export them, packed or not. The server reads it and shows how; nothing is in the graph before you say so."
    >
      <Trouble problem={act.problem ?? lost ?? list.problem} again={list.problem ? list.again : undefined} />
      {said === null ? null : (
        <div role="status">
          <Note tone="good">{said}</Note>
        </div>
      )}
      {refused ? (
        <Note tone="care">
          {refused.detail} A file can be read here all the same, to see what it would give.
        </Note>
      ) : null}
      {at ? (
        <Reading key={at.id} at={at} setAt={setAt} act={act} close={close} refused={refused !== null} />
      ) : act.busy ? (
        <Sending />
      ) : list.data || list.problem ? (
        <Drop take={take} />
      ) : (
        <Bones lines={2} />
      )}
      {undo && !refused && !list.loading && !(at && isAtWork(at)) ? (
        <Undo of={undo} busy={act.busy} onUndone={undone} />
      ) : null}
    </Card>
  );
}

/** Looks how it stands until it has come to something. Tells what keeps it from looking. */
function useFollowed(at: State | null, took: (next: State | null) => void): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!at || !isAtWork(at)) return;
    const stop = new AbortController();
    const found = (next: State | null, wrong: Problem | null) => {
      if (stop.signal.aborted) return;
      setProblem(wrong);
      if (next) took(next);
      else if (wrong?.status === 404) took(null);
      else setTries((before) => before + 1);
    };
    lookLater(at.id, stop.signal).then(
      (next) => found(next, null),
      (error: unknown) => found(null, problemFrom(error)),
    );
    return () => stop.abort();
  }, [at, tries]);
  return problem;
}

const Sending = () => (
  <div class="row" role="status" aria-label="Sending the file">
    <progress class="grow" aria-label="Sending the file" />
  </div>
);

function Drop({ take }: { take(file: File | undefined): void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p>Drag a file here, or</p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="A file of records"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  );
}
