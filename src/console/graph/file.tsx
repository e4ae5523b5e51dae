// View of an uploaded file: the recognised data, settings that correct it, and the result of the import.
import { useState } from 'preact/hooks';
import { ApiProblem } from '../app/api.ts';
import type { ImportColumn, ImportContents, ImportFile, ImportSettings } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote, Note, ProgressBar } from '../components/feedback.tsx';
import { Checkbox, Select, TextField, useFormValues } from '../components/form.tsx';
import { formatBytes, formatNumber, formatCount } from '../components/format.ts';
import { BidiIsolatedName } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import {
  analyzeFileAgain,
  describeEmptyFile,
  describeRejections,
  listSkippedRowDescriptions,
  COLUMN_FIELD_OPTIONS,
  isReadingOrImporting,
  replaceOptionNamesByLabels,
  needsNewAnalysis,
  startImport,
  formatColumnMapSetting,
  formatServerMessage,
  removeEmptySettings,
} from './imports.ts';

const DATE_ORDERS = {
  '': 'Detect',
  dmy: 'Day, month, year',
  mdy: 'Month, day, year',
  ymd: 'Year, month, day',
};

const NO_SETTINGS = {
  source: '',
  region: '',
  encoding: '',
  sheet: '',
  dates: '',
  replace: false,
  keep_companies: false,
  allow_nameless: false,
  allow_removal: false,
};

interface FileViewProps {
  file: ImportFile;
  isRunning: boolean;
  change(work: () => Promise<unknown>): Promise<boolean>;
  close(): void;
  canImport: boolean;
}

export function ImportFileView({ file, isRunning, change, close, canImport }: FileViewProps) {
  const [columns, setColumns] = useState<ImportColumn[] | null>(null);
  const { id, found: contents, state, failed } = file;
  const hasNoRecord = state === 'failed' && contents?.read === 0;
  const shownColumns = columns ?? contents?.columns ?? [];
  const corrected = columns ?? (hasNoRecord && shownColumns.length > 0 ? shownColumns : null);
  const { values, field } = useFormValues({ ...NO_SETTINGS, ...file.reading });
  const settings = removeEmptySettings({
    ...values,
    region: values.region.toUpperCase(),
    ...(corrected ? { map: formatColumnMapSetting(corrected) } : {}),
  } as ImportSettings);
  const analyze = () =>
    change(async () => {
      await analyzeFileAgain(id, settings);
      setColumns(null);
    });
  const isChanged = needsNewAnalysis(settings, file.reading);
  const isUnconfirmed = contents?.nameless === true && !values.allow_nameless;
  const isEditable = state === 'ready' || state === 'failed';
  return (
    <div class="stack">
      <FileHeader file={file} isRunning={isRunning} close={close} />
      {isReadingOrImporting(file) ? <Progress file={file} /> : null}
      {failed ? <ErrorNote problem={new ApiProblem(failed)} /> : null}
      {state === 'done' && contents ? <ImportResult contents={contents} /> : null}
      {isEditable && contents && !hasNoRecord ? <Preview contents={contents} bytes={file.bytes} /> : null}
      {isEditable && shownColumns.length > 0 ? (
        <Columns columns={shownColumns} onChange={setColumns} />
      ) : null}
      {isEditable ? (
        <>
          <details>
            <summary>Import settings</summary>
            <div class="stack details-body" style={{ maxWidth: '420px' }}>
              <TextField
                label="Source"
                {...field('source')}
                maxLength={100}
                hint="A later file of the same source replaces its records. By default the name of the file."
              />
              <TextField
                label="Default country"
                {...field('region')}
                maxLength={2}
                hint="Two letters, such as DE. Country of phones and addresses that name none."
              />
              <TextField
                label="Encoding"
                {...field('encoding')}
                maxLength={100}
                hint="Such as Shift_JIS or Windows-1253. By default it is detected."
              />
              <TextField
                label="Sheet"
                {...field('sheet')}
                maxLength={100}
                hint="Of a workbook. By default the first visible one."
              />
              <Select label="Date order" options={DATE_ORDERS} {...field('dates')} />
              <Checkbox
                label="Replace the whole source"
                hint="Records of the source that are not in the file are removed."
                {...field('replace')}
              />
              {values.replace ? (
                <Checkbox label="Allow removing most records of the source" {...field('allow_removal')} />
              ) : null}
              <Checkbox
                label="Import companies, couples, families, guests and test rows"
                {...field('keep_companies')}
              />
            </div>
          </details>
          {contents && contents.doubts.length > 0 ? <Doubts doubts={contents.doubts} /> : null}
          {contents?.nameless ? (
            <Checkbox
              label="Import records without names"
              hint="If a column holds names, choose its field above instead, and analyze the file again."
              {...field('allow_nameless')}
            />
          ) : null}
          <div class="row wrap">
            <Button
              primary
              disabled={
                isRunning || !canImport || isChanged || state === 'failed' || !contents?.read || isUnconfirmed
              }
              onClick={() => change(() => startImport(id, settings))}
            >
              Import {formatCount(contents?.read ?? 0, 'record')}
            </Button>
            <Button disabled={isRunning || !isChanged} onClick={analyze}>
              Analyze again
            </Button>
            {isChanged && state === 'ready' ? (
              <span class="hint">
                The settings have changed. Analyze the file again before you import it.
              </span>
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  );
}

interface FileHeaderProps {
  file: ImportFile;
  isRunning: boolean;
  close(): void;
}

const FileHeader = ({ file: { name, bytes, state, found }, isRunning, close }: FileHeaderProps) => (
  <div class="row apart wrap">
    <span>
      <BidiIsolatedName>{name}</BidiIsolatedName>{' '}
      <span class="soft">
        {[found?.form?.kind, found?.form?.packing, found?.form?.encoding, formatBytes(bytes)]
          .filter(Boolean)
          .join(', ')}
      </span>
    </span>
    <Button quiet small disabled={isRunning} onClick={close}>
      {state !== 'importing' ? 'Close file' : isRunning ? 'Stopping…' : 'Stop'}
    </Button>
  </div>
);

const PHASES = { reading: 'Reading', linking: 'Linking', publishing: 'Publishing' };

function Progress({ file: { state, progress } }: { file: ImportFile }) {
  const { phase = 'reading', records = 0, done = null } = progress ?? {};
  return (
    <ProgressBar label={state === 'reading' ? 'Analyzing the file' : 'Importing'} share={done}>
      {PHASES[phase]}: {formatNumber(records)} records
    </ProgressBar>
  );
}

/** Counts of the records that the server read from a file, shown before the import. */
const Preview = ({ contents, bytes }: { contents: ImportContents; bytes: number }) => (
  <div class="stack tight">
    <p>
      {describeEmptyFile(contents, bytes)}
      {formatCount(contents.read, 'valid record')}
      {contents.rejected > 0 ? `, ${formatNumber(contents.rejected)} rejected` : ''}.
      {contents.sources.length > 0 ? (
        <>
          {' '}
          {contents.sources.length === 1 ? 'Source' : 'Sources'}:{' '}
          <bdi>{contents.sources.map(({ source }) => source).join(', ')}</bdi>.
        </>
      ) : null}
    </p>
    <ul class="bullets small soft">
      {[...contents.learnt, ...listSkippedRowDescriptions(contents)].map((text) => (
        <li key={text}>{replaceOptionNamesByLabels(text)}</li>
      ))}
    </ul>
    <Rejections contents={contents} />
  </div>
);

const Doubts = ({ doubts }: { doubts: string[] }) => (
  <Note tone="care">
    {doubts.map((doubt) => (
      <div key={doubt}>{formatServerMessage(doubt)}</div>
    ))}
  </Note>
);

function Rejections({ contents }: { contents: ImportContents }) {
  const { title, hidden } = describeRejections(contents);
  if (title === '') return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul class="bullets small details-body">
        {contents.unusable.map(({ line, whole, reason }, i) => (
          <li key={i}>
            Line {line}, {whole ? 'record' : 'value'}: {reason}
          </li>
        ))}
        {hidden > 0 ? <li>and {formatNumber(hidden)} more</li> : null}
      </ul>
    </details>
  );
}

function ImportResult({ contents }: { contents: ImportContents }) {
  if (!contents.became) return null;
  const { added, replaced, removed, barred } = contents.became;
  return (
    <>
      <Note tone="good">
        {formatCount(added, 'record')} added, {formatNumber(replaced)} replaced, {formatNumber(removed)}{' '}
        removed. Checks use them now.
        {barred > 0 ? ` ${formatCount(barred, 'record')} of forgotten people left out.` : ''}
      </Note>
      <Rejections contents={contents} />
    </>
  );
}

interface ColumnsProps {
  columns: ImportColumn[];
  onChange(columns: ImportColumn[]): void;
}

/** Table of the file's columns, each with its recognised field and masked example values. */
const Columns = ({ columns, onChange }: ColumnsProps) => (
  <Table
    label="Columns"
    rows={columns}
    columns={[
      {
        head: 'Column',
        name: true,
        cell: ({ header, group, guessed }) => (
          <>
            <bdi>{header.slice(0, 60) || '(no header)'}</bdi>
            {group === '' ? null : <span class="faint small"> {group}</span>}
            {guessed ? <span class="faint small"> guessed from its values</span> : null}
          </>
        ),
      },
      {
        head: 'Field',
        cell: (column, i) => (
          <select
            class="input"
            aria-label={`Field of column ${column.header.slice(0, 60)}`}
            value={column.field ?? ''}
            onChange={(event) => {
              const field = event.currentTarget.value || null;
              onChange(columns.with(i, { ...column, field, group: '', guessed: false }));
            }}
          >
            {COLUMN_FIELD_OPTIONS.map(([field, label]) => (
              <option key={field} value={field} selected={field === (column.field ?? '')}>
                {label}
              </option>
            ))}
          </select>
        ),
      },
      {
        head: 'Masked values',
        name: true,
        cell: ({ examples }) => (
          <span class="small soft">
            {examples.map((example, i) => (
              <div key={i}>
                <bdi>{example}</bdi>
              </div>
            ))}
          </span>
        ),
      },
    ]}
  />
);
