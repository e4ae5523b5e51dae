// What all pages are made of.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/ask.ts';
import { Icon } from './icons.tsx';
import type { IconName } from './icons.tsx';
import { ago, fieldName, timeText } from './text.ts';
import { toast } from './toast.tsx';
import type { Tone } from './tone.ts';

type Children = { children?: ComponentChildren };

export function PageHead({
  title,
  about,
  children,
}: { title: string; about?: ComponentChildren } & Children) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Bonafide`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {about === undefined ? null : <p>{about}</p>}
      </div>
      {children === undefined ? null : <div class="row wrap">{children}</div>}
    </header>
  );
}

export interface CardProps extends Children {
  title?: ComponentChildren;
  about?: ComponentChildren;
  end?: ComponentChildren;
  flush?: boolean;
  class?: string;
}

export function Card({ title, about, end, flush = false, class: more = '', children }: CardProps) {
  const id = useId();
  return (
    <section
      class={`card ${flush ? 'flush' : ''} ${more}`}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title === undefined ? null : (
        <div class="card-head">
          <h2 id={id}>{title}</h2>
          {end === undefined ? null : <div class="row wrap">{end}</div>}
          {about === undefined ? null : <p>{about}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

export type { Tone };

export const Badge = ({ tone = 'none', children }: { tone?: Tone } & Children) => (
  <span class={`badge ${tone}`}>{children}</span>
);

const NOTE_ICONS: Partial<Record<Tone, IconName>> = { bad: 'warn', care: 'warn', good: 'check' };

export const Note = ({ tone = 'none', children }: { tone?: Tone } & Children) => (
  <div class={`note ${tone}`}>
    <Icon name={NOTE_ICONS[tone] ?? 'info'} />
    <div class="grow">{children}</div>
  </div>
);

interface TroubleProps {
  problem: Problem | null;
  again?: (() => void) | undefined;
  /** Fields whose own faults are said beside them, and not here again. */
  beside?: readonly string[] | undefined;
}

/** What went wrong, every rule of it, and the number to report it by. */
export function Trouble({ problem, again, beside = [] }: TroubleProps) {
  if (!problem) return null;
  const errors = problem.errors.filter(({ pointer }) => !beside.includes(pointer.split('/')[1] ?? ''));
  return (
    <div class="note bad" role="alert">
      <Icon name="warn" />
      <div class="grow stack tight">
        <span class="lines">
          {problem.message}
          {errors.length < problem.errors.length ? ' It is told beside the field.' : ''}
        </span>
        {errors.length === 0 ? null : (
          <ul class="bullets bad">
            {errors.map(({ pointer, detail }) => (
              <li key={pointer + detail}>{pointer === '' ? detail : `${fieldName(pointer)}: ${detail}`}</li>
            ))}
          </ul>
        )}
        {problem.requestId === null ? null : <small class="mono">{problem.requestId}</small>}
      </div>
      {again ? (
        <button type="button" class="button small" onClick={again}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

export const Empty = ({ title, children }: { title: string } & Children) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** Grey lines in the place of what is loading. */
export const Bones = ({ lines = 4 }: { lines?: number }) => (
  <div class="stack" role="status" aria-label="Loading" style={{ padding: '18px 20px' }}>
    {Array.from({ length: lines }, (_, i) => (
      <div class="bone" key={i} style={{ width: `${92 - ((i * 23) % 50)}%` }} />
    ))}
  </div>
);

/** A time as how long ago it was; the exact one on demand. */
export const Time = ({ at, none = 'never' }: { at: string | null | undefined; none?: string }) =>
  at ? (
    <time dateTime={at} title={timeText(at)}>
      {ago(at)}
    </time>
  ) : (
    <span class="faint">{none}</span>
  );

export function CopyButton({
  text,
  label = 'Copy',
  class: more = 'small',
}: {
  text: string;
  label?: string;
  class?: string;
}) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      toast('Copied.');
      setTimeout(() => setDone(false), 1600);
    } catch {
      toast('The browser does not let this page copy: select the text and copy it by hand.');
    }
  };
  return (
    <button type="button" class={`button ${more}`} onClick={() => void copy()}>
      <Icon name={done ? 'check' : 'copy'} /> {done ? 'Copied' : label}
    </button>
  );
}

export const Code = ({ text, label }: { text: string; label: string }) => (
  <div class="code">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <span class="copy">
      <CopyButton text={text} />
    </span>
  </div>
);

interface TabsProps<K extends string> {
  label: string;
  tabs: readonly (readonly [K, string])[];
  chosen: K;
  choose(tab: K): void;
  children: ComponentChildren;
}

export function Tabs<K extends string>({ label, tabs, chosen, choose, children }: TabsProps<K>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = (tabs.findIndex(([key]) => key === chosen) + by + tabs.length) % tabs.length;
    const [next] = tabs[at] ?? [chosen];
    choose(next);
    (list.current?.children[at] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={step}>
        {tabs.map(([key, text]) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-controls={`${id}-panel`}
            aria-selected={key === chosen}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => choose(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
