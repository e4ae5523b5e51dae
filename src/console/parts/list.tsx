// A table that comes in pages: loading, empty, failed, and more to come.
import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use.ts';
import { Bones, Trouble } from './parts.tsx';

export interface Column<T> {
  head: string;
  /** Only where there is room. */
  wide?: boolean;
  end?: boolean;
  name?: boolean;
  cell(row: T): ComponentChildren;
}

interface ListProps<T> {
  label: string;
  pages: Pages<T>;
  columns: Column<T>[];
  keyOf(row: T): string;
  empty: ComponentChildren;
  /** Buttons at the end of a row. */
  actions?(row: T): ComponentChildren;
}

export function List<T>({ label, pages, columns, keyOf, empty, actions }: ListProps<T>) {
  const { items, problem, loading, more, again } = pages;
  if (problem && !items)
    return (
      <div style={{ padding: '16px 20px' }}>
        <Trouble problem={problem} again={again} />
      </div>
    );
  if (!items) return <Bones lines={6} />;
  if (items.length === 0 && more === null) return <>{empty}</>;
  return (
    <>
      <div class="scroll" role="region" aria-label={`${label}, as a table`} tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              {columns.map(({ head, ...kind }) => (
                <th key={head} scope="col" class={classOf(kind)}>
                  {head}
                </th>
              ))}
              {actions ? (
                <th scope="col" class="actions">
                  <span class="unseen">Actions</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {items.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ head, cell, ...kind }) => (
                  <td key={head} class={classOf(kind)}>
                    {cell(row)}
                  </td>
                ))}
                {actions ? <td class="actions">{actions(row)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem ? (
        <div style={{ padding: '12px 20px' }}>
          <Trouble problem={problem} again={again} />
        </div>
      ) : null}
      {more || loading ? (
        <div class="more">
          <span class="faint small">{items.length} shown</span>
          <button type="button" class="button small" disabled={loading} onClick={() => more?.()}>
            {loading ? 'Loading…' : 'Show more'}
          </button>
        </div>
      ) : null}
    </>
  );
}

const classOf = ({ wide, end, name }: { wide?: boolean; end?: boolean; name?: boolean }) =>
  [wide ? 'wide' : '', end ? 'end number' : '', name ? 'name' : ''].filter(Boolean).join(' ') || undefined;
