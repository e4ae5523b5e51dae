import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from '../app/router.ts';
import { Button } from './button.tsx';
import { showToast } from './feedback.tsx';
import { formatDateTime, formatRelativeTime, type StatusTone } from './format.ts';

interface PageHeaderProps {
  title: string;
  about?: ComponentChildren;
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
  end?: ComponentChildren;
  /** True for a card without padding, for a table. */
  flush?: boolean;
  /** True for a card with a dashed border, for an empty state. */
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

export const Badge = ({ tone = 'none', children }: { tone?: StatusTone; children?: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export const MetricTile = ({ label, value }: { label: string; value: ComponentChildren }) => (
  <div class="card tile">
    <span class="soft">{label}</span>
    <span class="figure">{value}</span>
  </div>
);

export const DefinitionList = ({ items }: { items: [term: string, value: ComponentChildren][] }) => (
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
export const ProportionBar = ({ share, tone = 'none' }: { share: number; tone?: StatusTone }) => (
  <span class="meter" aria-hidden="true">
    <i class={tone} style={{ width: `${share * 100}%` }} />
  </span>
);

export const RelativeTime = ({ at, none = 'never' }: { at: string | null | undefined; none?: string }) =>
  at ? (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelativeTime(at)}
    </time>
  ) : (
    <span class="faint">{none}</span>
  );

/** Bold text from users, isolated so that its writing direction does not affect the text around it. */
export const BidiIsolatedName = ({ children }: { children: ComponentChildren }) => (
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
      showToast('Copied.');
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      showToast('The browser blocked access to the clipboard. Select the text and copy it.');
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

interface PageTabsProps {
  /** Name of the navigation for screen readers. */
  label: string;
  /** Value of the query parameter `tab`, text and contents of each tab. The first tab is the default. */
  tabs: [name: string, text: string, contents: ComponentType][];
}

/** Tabs of a page, which are links. The query parameter `tab` of the address bar names the selected tab. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const { page, query } = useLocation();
  const selected = tabs.find(([name]) => name === query.get('tab')) ?? tabs[0];
  const Contents = selected?.[2];
  return (
    <div class="stack">
      <nav class="tabs" aria-label={label}>
        {tabs.map(([name, text]) => (
          <a
            key={name}
            href={`/console/${page}?tab=${name}`}
            aria-current={name === selected?.[0] ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      {Contents ? <Contents /> : null}
    </div>
  );
}
