// Notes, errors, empty and loading states, and confirmations of completed actions.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiProblem } from '../app/api.ts';
import type { ApiResource } from '../app/hooks.ts';
import { Button } from './button.tsx';
import { describeFieldPointer, type StatusTone } from './format.ts';
import { Icon, type IconName } from './icons.tsx';

interface NoteProps {
  tone?: StatusTone;
  children?: ComponentChildren;
}

const NOTE_ICONS: Partial<Record<StatusTone, IconName>> = { bad: 'warning', care: 'warning', good: 'check' };

export const Note = ({ tone = 'none', children }: NoteProps) => (
  <div class={`note ${tone}`}>
    <Icon name={NOTE_ICONS[tone] ?? 'info'} />
    <div class="grow">{children}</div>
  </div>
);

interface ErrorNoteProps {
  problem: ApiProblem | null;
  retry?: (() => void) | undefined;
  /** Request fields whose errors are shown next to the form field, and left out here. */
  shownAtField?: ReadonlySet<string>;
}

/** Note with an error of the server and its request id; nothing if `problem` is null. */
export function ErrorNote({ problem, retry, shownAtField }: ErrorNoteProps) {
  if (!problem) return null;
  const errors = problem.errors.filter(({ pointer }) => !shownAtField?.has(pointer.split('/')[1] ?? ''));
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <div class="grow stack tight">
        <span class="lines">
          {problem.message}
          {errors.length < problem.errors.length ? ' See the marked fields.' : ''}
        </span>
        {errors.length === 0 ? null : (
          <ul class="bullets bad">
            {errors.map(({ pointer, detail }) => (
              <li key={pointer + detail}>
                {pointer === '' ? detail : `${describeFieldPointer(pointer)}: ${detail}`}
              </li>
            ))}
          </ul>
        )}
        {problem.requestId === null ? null : <small class="mono">{problem.requestId}</small>}
      </div>
      {retry ? (
        <Button small onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}

export const EmptyState = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div class="stack skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <div key={i} style={{ width: `${92 - ((i * 23) % 50)}%` }} />
    ))}
  </div>
);

interface ProgressBarProps {
  label: string;
  /** Completed share of the work, 0 to 1; null if unknown. */
  share?: number | null;
  children?: ComponentChildren;
}

export const ProgressBar = ({ label, share = null, children }: ProgressBarProps) => (
  <div class="row">
    <progress class="grow" aria-label={label} {...(share === null ? {} : { value: share })} />
    <span class="small number">{children}</span>
  </div>
);

interface LoadedProps<T> {
  resource: Pick<ApiResource<T>, 'data' | 'problem' | 'reload'>;
  lines?: number;
  children(data: T): ComponentChildren;
}

/** Shows a resource: grey lines while it is loading, an error with a retry button after a failure, otherwise its data. */
export const LoadedResource = <T,>({
  resource: { data, problem, reload },
  lines,
  children,
}: LoadedProps<T>) => (
  <>
    <ErrorNote problem={problem} retry={reload} />
    {data === null ? problem ? null : <Skeleton {...(lines ? { lines } : {})} /> : children(data)}
  </>
);

const TOAST = 'bonafide:toast';
const TOAST_MS = 4000;

/** Shows a short message in a corner of the page for four seconds. */
export const showToast = (text: ComponentChildren): void =>
  void dispatchEvent(new CustomEvent(TOAST, { detail: text }));

export function Toasts() {
  const [shown, setShown] = useState<{ id: number; text: ComponentChildren }[]>([]);
  useEffect(() => {
    let lastId = 0;
    const show = (event: Event) => {
      const id = ++lastId;
      const { detail: text } = event as CustomEvent<ComponentChildren>;
      setShown((before) => [...before.slice(-2), { id, text }]);
      setTimeout(() => setShown((before) => before.filter((entry) => entry.id !== id)), TOAST_MS);
    };
    addEventListener(TOAST, show);
    return () => removeEventListener(TOAST, show);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  );
}
