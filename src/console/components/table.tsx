import type { ComponentChildren } from 'preact';
import type { PagedList } from '../app/hooks.ts';
import { Button, type ButtonProps } from './button.tsx';
import { EmptyState, ErrorNote, Skeleton } from './feedback.tsx';

export interface TableColumn<T> {
  head: ComponentChildren;
  wide?: boolean;
  end?: boolean;
  name?: boolean;
  isRowHead?: boolean;
  cell(row: T, index: number): ComponentChildren;
}

interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: TableColumn<T>[];
  /** Returns the text or number that identifies a row when the table is rendered again; by default the row's index. */
  keyOf?(row: T): string | number;
  actions?(row: T): ComponentChildren;
  /** `open` shows the details of a row, after a click anywhere in the row or on its button. `nameOf` returns the row's name for screen readers. */
  details?: { nameOf(row: NoInfer<T>): string; open(row: NoInfer<T>): void };
  /** Heading and sentence that the table shows if it has no rows. */
  empty?: [title: string, text: string];
}

export function Table<T>({ label, rows, columns, keyOf, actions, details, empty }: TableProps<T>) {
  if (rows.length === 0 && empty)
    return (
      <EmptyState title={empty[0]}>
        <p>{empty[1]}</p>
      </EmptyState>
    );
  return (
    <div class="scroll" role="region" aria-label={`${label} table`} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={i} scope="col" class={classOf(column)}>
                {column.head}
              </th>
            ))}
            {actions || details ? (
              <th scope="col" class="actions">
                <span class="visually-hidden">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf ? keyOf(row) : index}
              class={details ? 'opens' : undefined}
              onClick={details && ((event) => isPlainClick(event) && details.open(row))}
            >
              {columns.map((column, i) =>
                column.isRowHead ? (
                  <th key={i} scope="row" class={classOf(column)}>
                    {column.cell(row, index)}
                  </th>
                ) : (
                  <td key={i} class={classOf(column)}>
                    {column.cell(row, index)}
                  </td>
                ),
              )}
              {actions || details ? (
                <td class="actions">
                  {details ? (
                    <RowButton
                      text="Details"
                      label={`Details of ${details.nameOf(row)}`}
                      onClick={() => details.open(row)}
                    />
                  ) : null}
                  {actions?.(row)}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns true for a click that is not on a button or link, and does not end the selection of a text. */
const isPlainClick = ({ target }: Event): boolean =>
  !(target as Element).closest('a, button') && getSelection()?.isCollapsed !== false;

const classOf = ({ wide, end, name }: Pick<TableColumn<never>, 'wide' | 'end' | 'name'>) =>
  [wide ? 'wide' : '', end ? 'end number' : '', name ? 'name' : ''].filter(Boolean).join(' ') || undefined;

interface PagedTableProps<T> extends Omit<TableProps<T>, 'rows'> {
  list: PagedList<T>;
}

/** Table of a list that is loaded page by page, with a button that loads the next page. */
export function PagedTable<T>({ list, ...table }: PagedTableProps<T>) {
  const { data, problem, isLoading, loadMore, reload } = list;
  const error = problem ? (
    <div class="below-table">
      <ErrorNote problem={problem} retry={reload} />
    </div>
  ) : null;
  if (!data) return error ?? <Skeleton lines={6} />;
  return (
    <>
      <Table rows={data} {...table} />
      {error}
      {loadMore ? (
        <div class="more">
          <span class="faint small">{data.length} shown</span>
          <Button small disabled={isLoading} onClick={loadMore}>
            {isLoading ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface RowButtonProps extends Omit<ButtonProps, 'children'> {
  text: string;
  /** Text of the button followed by the name of the row, for screen readers. */
  label: string;
}

export const RowButton = ({ text, ...button }: RowButtonProps) => (
  <Button quiet small {...button}>
    {text}
  </Button>
);
