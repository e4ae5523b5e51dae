// Import of a file: the server analyzes it, shows what it read, imports it on demand, and can undo the last import. The server
// keeps the state of the file, so the page can be left and opened again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson, type Problem, toProblem } from '../app/api.ts';
import { reloadAllResources, useAction, useResource } from '../app/hooks.ts';
import type { ImportFile, Imports, UndoableImport } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote, Note, ProgressBar, Skeleton } from '../components/feedback.tsx';
import { FileButton } from '../components/form.tsx';
import { Card, RelativeTime } from '../components/layout.tsx';
import { FileView } from './file.tsx';
import {
  describeUndo,
  describeUndone,
  dropImport,
  findCurrentFile,
  IMPORTS_PATH,
  isServerWorking,
  pollImport,
  sendFile,
  undoLastImport,
} from './imports.ts';

export function ImportCard() {
  const imports = useResource<Imports>(IMPORTS_PATH);
  const [file, setFile] = useState<ImportFile | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const action = useAction();
  const isInitialized = useRef(false);
  useEffect(() => {
    if (!imports.data || isInitialized.current) return;
    isInitialized.current = true;
    setFile(findCurrentFile(imports.data.items));
  }, [imports.data]);
  const update = (next: ImportFile | null) => {
    setFile(next);
    if (next?.state === 'done') reloadAllResources();
  };
  const pollProblem = usePolling(action.isRunning ? null : file, update);
  const { undo = null, refused = null } = imports.data ?? {};

  const send = (picked: File) => {
    setMessage(null);
    void action.run(async () => setFile(await sendFile(picked)));
  };
  const stop = ({ id }: ImportFile) =>
    action.run(async () => {
      const dropped = await dropImport(id);
      const current = await getJson<Imports>(IMPORTS_PATH);
      const isImported = dropped.state === 'done' || current.undo?.at !== undo?.at;
      setMessage(isImported ? 'The import was already finished.' : 'Import stopped. The graph is unchanged.');
      setFile(dropped.state === 'done' ? dropped : null);
      if (isImported) reloadAllResources();
    });
  const close = () => {
    if (file?.state === 'importing') return void stop(file);
    if (file) void dropImport(file.id).catch(() => undefined);
    action.clear();
    setMessage(null);
    setFile(null);
  };
  const finishUndo = (text: string) => {
    if (file?.state === 'done') close();
    setMessage(text);
  };
  return (
    <Card
      title="Import a file"
      about="CSV, Excel, JSON, vCard or Parquet, also compressed. The server analyzes the file first. Nothing is imported until you confirm."
    >
      <ErrorNote
        problem={action.problem ?? pollProblem ?? imports.problem}
        retry={imports.problem ? imports.reload : undefined}
      />
      {message === null ? null : (
        <div role="status">
          <Note tone="good">{message}</Note>
        </div>
      )}
      {refused ? (
        <Note tone="care">{refused.detail} You can still analyze a file to see what it contains.</Note>
      ) : null}
      {file ? (
        <FileView
          key={file.id}
          file={file}
          setFile={setFile}
          action={action}
          close={close}
          canImport={refused === null}
        />
      ) : action.isRunning ? (
        <ProgressBar label="Sending the file" />
      ) : imports.data || imports.problem ? (
        <DropZone onFile={send} />
      ) : (
        <Skeleton lines={2} />
      )}
      {undo && !refused && !imports.isLoading && !(file && isServerWorking(file)) ? (
        <UndoRow undo={undo} disabled={action.isRunning} onUndone={finishUndo} />
      ) : null}
    </Card>
  );
}

/** Polls the state of a file while the server analyzes or imports it. Returns the error of the last poll, null if it succeeded. */
function usePolling(file: ImportFile | null, onState: (next: ImportFile | null) => void): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (!file || !isServerWorking(file)) return;
    const abort = new AbortController();
    pollImport(file.id, abort.signal).then(
      (next) => {
        if (abort.signal.aborted) return;
        setProblem(null);
        onState(next);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const failure = toProblem(error);
        setProblem(failure);
        if (failure.status === 404) onState(null);
        else setFailures((before) => before + 1);
      },
    );
    return () => abort.abort();
  }, [file, failures]);
  return problem;
}

function DropZone({ onFile }: { onFile(file: File): void }) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) onFile(file);
      }}
    >
      <p>Drag a file here, or</p>
      <FileButton label="File of records" onFile={onFile}>
        Choose file
      </FileButton>
    </div>
  );
}

interface UndoRowProps {
  undo: UndoableImport;
  disabled: boolean;
  /** Called with a sentence that describes what was undone. */
  onUndone(text: string): void;
}

function UndoRow({ undo, disabled, onUndone }: UndoRowProps) {
  const { dialog, open } = useDialog();
  const question = (
    <FormDialog
      title="Undo the last import?"
      submitLabel="Undo import"
      isDanger
      submit={undoLastImport}
      onDone={(undone) => onUndone(describeUndone(undone))}
    >
      <p>
        {describeUndo(undo)} Records that changed since stay as they are. To get the data back, import the
        file again.
      </p>
    </FormDialog>
  );
  return (
    <>
      <div class="row wrap">
        <Button danger disabled={disabled} onClick={() => open(question)}>
          Undo last import
        </Button>
        <span class="hint">
          Imported <RelativeTime at={undo.at} />. Possible until the next import.
        </span>
      </div>
      {dialog}
    </>
  );
}
