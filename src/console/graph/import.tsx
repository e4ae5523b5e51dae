// Import of a file: the server analyzes the file, shows the recognised data, imports it on demand, and can undo the last import. The server
// keeps the state of the file, so the page can be left and opened again.
import { useEffect, useState } from 'preact/hooks';
import { getJson } from '../app/api.ts';
import { reloadAllResources, useAction, useInterval, useResource } from '../app/hooks.ts';
import type { ImportFile, ImportList, UndoableImport } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { ErrorNote, Note, ProgressBar } from '../components/feedback.tsx';
import { DropZone } from '../components/form.tsx';
import { Card, RelativeTime } from '../components/layout.tsx';
import { ImportFileView } from './file.tsx';
import {
  describePossibleUndo,
  describeCompletedUndo,
  discardImport,
  findCurrentImportFile,
  IMPORTS_PATH,
  isReadingOrImporting,
  sendImportFile,
  undoLastImport,
} from './imports.ts';

const POLL_MS = 400;

export function ImportCard() {
  const imports = useResource<ImportList>(IMPORTS_PATH);
  const [message, setMessage] = useState<string | null>(null);
  const { isRunning, problem, run } = useAction();
  const { items = [], undo = null, refused = null } = imports.data ?? {};
  const file = findCurrentImportFile(items);
  useInterval(imports.poll, file && isReadingOrImporting(file) ? POLL_MS : null);
  useEffect(() => {
    if (file?.state === 'done') reloadAllResources();
  }, [file?.id, file?.state]);

  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      setMessage(null);
      await work();
      imports.reload();
    });
  const close = ({ id, state }: ImportFile) =>
    change(async () => {
      const dropped = await discardImport(id);
      if (state !== 'importing') return;
      const after = await getJson<ImportList>(IMPORTS_PATH);
      const isImported = dropped.state === 'done' || after.undo?.at !== undo?.at;
      setMessage(isImported ? 'The import was already finished.' : 'Import stopped. The graph is unchanged.');
      reloadAllResources();
    });
  return (
    <Card
      title="Import a file"
      about="CSV, Excel, JSON, vCard or Parquet, also compressed. The server analyzes the file first. Nothing is imported until you confirm."
    >
      <ErrorNote problem={problem ?? imports.problem} />
      {message === null ? null : (
        <div role="status">
          <Note tone="good">{message}</Note>
        </div>
      )}
      {refused ? (
        <Note tone="care">{refused.detail} You can still analyze a file to see what it contains.</Note>
      ) : null}
      {file ? (
        <ImportFileView
          key={file.id}
          file={file}
          isRunning={isRunning}
          change={change}
          close={() => close(file)}
          canImport={refused === null}
        />
      ) : isRunning || imports.isLoading ? (
        <ProgressBar label="Loading" />
      ) : (
        <DropZone label="File of records" onFile={(picked) => change(() => sendImportFile(picked))} />
      )}
      {undo && !refused && !imports.isLoading && !(file && isReadingOrImporting(file)) ? (
        <UndoRow
          undo={undo}
          disabled={isRunning}
          onUndone={(text) => {
            if (file?.state === 'done') void discardImport(file.id).then(imports.reload);
            setMessage(text);
          }}
        />
      ) : null}
    </Card>
  );
}

interface UndoRowProps {
  undo: UndoableImport;
  disabled: boolean;
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
      onDone={(undone) => onUndone(describeCompletedUndo(undone))}
    >
      <p>
        {describePossibleUndo(undo)} Records that changed since stay as they are. To get the data back, import
        the file again.
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
