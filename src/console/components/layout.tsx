// Building blocks of pages: header, card, tabs, definition list, badge and the like.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { setQuery, useLocation } from '../app/router.ts';
import { Button } from './button.tsx';
import { toast } from './feedback.tsx';
import { formatDateTime, formatRelative, type Tone } from './format.ts';

interface PageHeaderProps {
  title: string;
  about?: ComponentChildren;
  /** Buttons at the right of the title. */
  children?: ComponentChildren;
}

export function PageHeader({ title, about, children }: PageHeaderProps) {
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

interface CardProps {
  title?: ComponentChildren;
  about?: ComponentChildren;
  /** Buttons at the right of the title. */
  end?: ComponentChildren;
  /** True for a card without padding, which contains a table. */
  flush?: boolean;
  /** True for a card with a dashed border, which contains an empty state. */
  flat?: boolean;
  children?: ComponentChildren;
}

export function Card({ title, about, end, flush = false, flat = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      class={`card ${flush ? 'flush' : ''} ${flat ? 'flat' : ''}`}
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

export const Badge = ({ tone = 'none', children }: { tone?: Tone; children?: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** Card with one number and its label. */
export const FigureTile = ({ label, value }: { label: string; value: ComponentChildren }) => (
  <div class="card tile">
    <span class="soft">{label}</span>
    <span class="figure">{value}</span>
  </div>
);

/** Definition list of pairs of term and value. */
export const Facts = ({ items }: { items: [term: string, value: ComponentChildren][] }) => (
  <dl class="facts">
    {items.map(([term, value]) => (
      <>
        <dt key={term}>{term}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** Horizontal bar that is filled up to a share from 0 to 1. */
export const Meter = ({ share, isOver = false }: { share: number; isOver?: boolean }) => (
  <span class="meter" aria-hidden="true">
    <i class={isOver ? 'care' : ''} style={{ width: `${share * 100}%` }} />
  </span>
);

/** Time relative to now, with the exact time as a tooltip. */
export const RelativeTime = ({ at, none = 'never' }: { at: string | null | undefined; none?: string }) =>
  at ? (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at)}
    </time>
  ) : (
    <span class="faint">{none}</span>
  );

/** Bold text from users, isolated so that its writing direction does not affect the text around it. */
export const IsolatedName = ({ children }: { children: ComponentChildren }) => (
  <bdi>
    <b>{children}</b>
  </bdi>
);

/** Name of an API key or account, with its id in a second line. */
export const NameWithId = ({ name, id }: { name: string; id: string }) => (
  <>
    <bdi>{name}</bdi>
    <div class="faint small mono">{id}</div>
  </>
);

export const NoneText = () => <span class="faint">none</span>;

const COPIED_MS = 1600;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast('Copied.');
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      toast('The browser blocked access to the clipboard. Select the text and copy it.');
    }
  };
  return (
    <Button small icon={isCopied ? 'check' : 'copy'} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
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
  selected: K;
  select(tab: K): void;
  children: ComponentChildren;
}

export function Tabs<K extends string>({ label, tabs, selected, select, children }: TabsProps<K>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const moveByArrow = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const index = (tabs.findIndex(([key]) => key === selected) + step + tabs.length) % tabs.length;
    const [next] = tabs[index] ?? [selected];
    select(next);
    (list.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={moveByArrow}>
        {tabs.map(([key, text]) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-controls={`${id}-panel`}
            aria-selected={key === selected}
            tabIndex={key === selected ? 0 : -1}
            onClick={() => select(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  );
}

/** Tabs of a page. The query parameter `tab` of the address bar names the selected one, the first is the default. */
export function PageTabs<K extends string>({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (readonly [K, string, () => ComponentChildren])[];
}) {
  const tab = useLocation().query.get('tab');
  const [first] = tabs;
  const [selected, , content] = tabs.find(([key]) => key === tab) ?? first ?? [];
  if (!first || !selected || !content) return null;
  return (
    <Tabs
      label={label}
      tabs={tabs.map(([key, text]) => [key, text] as const)}
      selected={selected}
      select={(key) => setQuery({ tab: key === first[0] ? null : key, identity: null })}
    >
      {content()}
    </Tabs>
  );
}
