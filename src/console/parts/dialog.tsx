// A dialog of the browser's own: it keeps the focus, and Escape closes it, or a click beside it.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Act } from '../api/use.ts';
import { Trouble } from './parts.tsx';

export function Dialog({
  title,
  close,
  stays = false,
  children,
}: {
  title: ComponentChildren;
  close(): void;
  /** Nothing but its own buttons closes it: what it shows is shown once. */
  stays?: boolean;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={box}
      aria-labelledby={id}
      // A browser closes it at the second Escape, whatever was said of the first.
      onClose={() => (stays ? box.current?.showModal() : close())}
      onCancel={(event) => (stays ? event.preventDefault() : close())}
      onClick={(event) => !stays && event.target === box.current && close()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface DialogEndProps {
  yes: ComponentChildren;
  act: Act;
  /** What it does cannot be taken back. */
  danger?: boolean;
  /** There is what it needs. */
  ready?: boolean;
  /** Left out in a form, which is sent. */
  does?: () => void;
  close(): void;
  /** Fields whose faults are said beside them. */
  beside?: readonly string[];
}

/** What went wrong, and the two ways out of a dialog. */
export const DialogEnd = ({
  yes,
  act,
  danger = false,
  ready = true,
  does,
  close,
  beside,
}: DialogEndProps) => (
  <>
    <Trouble problem={act.problem} beside={beside} />
    <div class="dialog-end">
      <button type="button" class="button" onClick={close}>
        Cancel
      </button>
      <button
        type={does ? 'button' : 'submit'}
        class={danger ? 'button primary danger' : 'button primary'}
        disabled={act.busy || !ready}
        onClick={does}
      >
        {yes}
      </button>
    </div>
  </>
);

interface ConfirmProps {
  title: ComponentChildren;
  children: ComponentChildren;
  yes: string;
  act: Act;
  does(): Promise<unknown>;
  close(): void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, yes, act, does, close }: ConfirmProps) {
  const confirm = async () => {
    if (await act.run(does)) close();
  };
  return (
    <Dialog title={title} close={close}>
      {children}
      <DialogEnd yes={yes} act={act} danger does={() => void confirm()} close={close} />
    </Dialog>
  );
}
