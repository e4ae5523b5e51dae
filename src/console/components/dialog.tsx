import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { reloadAllResources, useAction } from '../app/hooks.ts';
import { Button } from './button.tsx';
import { ErrorNote, showToast } from './feedback.tsx';
import { FieldErrorsContext } from './form.tsx';

export const CloseDialogContext = createContext<() => void>(() => undefined);

/** Returns `open`, which shows a dialog, and `dialog`, which the component must render. */
export function useDialog() {
  const [content, open] = useState<ComponentChildren>(null);
  const dialog = content && (
    <CloseDialogContext.Provider value={() => open(null)}>{content}</CloseDialogContext.Provider>
  );
  return { dialog, open };
}

interface DialogProps {
  title: ComponentChildren;
  /** True if Escape and a click outside do not close the dialog. */
  isModal?: boolean;
  /** Text of the closing button; null for no such button. */
  closeLabel?: string | null;
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

/** Dialog that keeps the keyboard focus. By default, Escape or a click outside closes it. */
export function Dialog({ title, isModal = false, closeLabel = 'Close', buttons, children }: DialogProps) {
  const close = useContext(CloseDialogContext);
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A press that starts inside the dialog and ends outside, as when text is selected, must not close the dialog.
  const isPressOutside = useRef(false);
  useEffect(() => {
    const focused = document.activeElement as HTMLElement | null;
    element.current?.showModal();
    return () => focused?.focus?.();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby={id}
      // Chromium closes a dialog at the second Escape even if the first was prevented.
      onClose={() => (isModal ? element.current?.showModal() : close())}
      onCancel={(event) => (isModal ? event.preventDefault() : close())}
      onPointerDown={(event) => (isPressOutside.current = event.target === element.current)}
      onClick={(event) => !isModal && isPressOutside.current && event.target === element.current && close()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
        {closeLabel === null ? null : (
          <div class="dialog-end">
            <Button primary={isModal} onClick={close}>
              {closeLabel}
            </Button>
            {buttons}
          </div>
        )}
      </div>
    </dialog>
  );
}

interface FormDialogProps<T> {
  title: ComponentChildren;
  submitLabel: ComponentChildren;
  isDanger?: boolean;
  isReady?: boolean;
  /** Called when the form is submitted. If it throws, the dialog stays open and shows the error. */
  submit(): Promise<T>;
  message?: ComponentChildren;
  onDone?(result: T): void;
  children: ComponentChildren;
}

/** Dialog with a form or a question. After the submission, all data on the page is loaded again. */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, submitLabel, isDanger = false, isReady = true, submit, message, onDone, children } = props;
  const close = useContext(CloseDialogContext);
  const { problem, isRunning, run } = useAction();
  const [shownAtField] = useState(() => new Set<string>());
  const fieldErrors = { errors: problem?.errors ?? [], shownAtField };
  const handleSubmit = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      const result = await submit();
      close();
      reloadAllResources();
      if (message) showToast(message);
      onDone?.(result);
    });
  };
  return (
    <Dialog title={title} closeLabel={null}>
      <form class="stack" onSubmit={handleSubmit}>
        <FieldErrorsContext.Provider value={fieldErrors}>{children}</FieldErrorsContext.Provider>
        <ErrorNote problem={problem} shownAtField={shownAtField} />
        <div class="dialog-end">
          <Button onClick={close}>Cancel</Button>
          <Button primary danger={isDanger} disabled={isRunning || !isReady}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
