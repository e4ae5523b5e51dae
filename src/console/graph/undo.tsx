// The last import, out of the graph again: what that takes is said before and after.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from '../api/use.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Time } from '../parts/parts.tsx';
import { undoImport } from './imports.ts';
import type { Undoable } from './imports.ts';
import { undoneText, wouldText } from './words.ts';

interface UndoProps {
  of: Undoable;
  busy: boolean;
  onUndone(what: ComponentChildren): void;
}

export function Undo({ of, busy, onUndone }: UndoProps) {
  const [asked, ask] = useState(false);
  const act = useAct();
  return (
    <>
      <div class="row wrap">
        <button type="button" class="button danger" disabled={busy} onClick={() => ask(true)}>
          Undo the import
        </button>
        <span class="hint">
          The last import, <Time at={of.at} />: what it added goes, and what it replaced comes back. Until the
          next import.
        </span>
      </div>
      {asked ? (
        <Confirm
          title="Undo the import?"
          yes="Undo it"
          act={act}
          does={async () => onUndone(undoneText(await undoImport()))}
          close={() => ask(false)}
        >
          <p>{wouldText(of)} What has changed since stays. To have it again, import the file again.</p>
        </Confirm>
      ) : null}
    </>
  );
}
