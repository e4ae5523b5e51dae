// The columns of a file, each with what it is taken for and three values of it, masked.
import { FIELDS } from './imports.ts';
import type { Column } from './imports.ts';

export const Columns = ({ columns, change }: { columns: Column[]; change(columns: Column[]): void }) => (
  <div class="scroll" role="region" aria-label="Columns" tabIndex={0}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Is</th>
          <th scope="col">Values, masked</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ header, field, group, examples }, i) => (
          <tr key={i}>
            <td class="name">
              <bdi>{header.slice(0, 60)}</bdi>
              {group === '' ? null : <span class="faint small"> {group}</span>}
            </td>
            <td>
              <select
                class="input"
                aria-label={`Column ${header.slice(0, 60)} is`}
                value={field ?? ''}
                onChange={(event) => {
                  const chosen = event.currentTarget.value || null;
                  change(columns.map((one, at) => (at === i ? { ...one, field: chosen, group: '' } : one)));
                }}
              >
                {FIELDS.map(([name, text]) => (
                  <option key={name} value={name} selected={name === (field ?? '')}>
                    {text}
                  </option>
                ))}
              </select>
            </td>
            <td class="name small soft">
              {examples.map((example, at) => (
                <div key={at}>
                  <bdi>{example}</bdi>
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
