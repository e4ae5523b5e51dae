// Search for people by a value of their records. Values are sent in a body and never appear in the address bar.
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../app/api.ts';
import { useAction } from '../app/hooks.ts';
import { setQuery } from '../app/router.ts';
import type { RecordName, SearchResult } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { Empty, ErrorNote, Note } from '../components/feedback.tsx';
import { Select, TextField } from '../components/form.tsx';
import { capitalize, formatNumber, plural, toWords } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import { RowButton, Table } from '../components/table.tsx';

const KINDS = [
  ['emails', 'E-mail'],
  ['phones', 'Phone'],
  ['names', 'Name'],
  ['addresses', 'Address'],
  ['number', 'Identity number'],
] as const;
type Kind = (typeof KINDS)[number][0];

const MOST_SHOWN = 50;

export const showIdentity = (identity: number) => setQuery({ identity: String(identity) });

/** Returns the name of a record in requests: `SOURCE:ID`. */
export const toReference = ({ source, record_id: id }: RecordName): string => `${source}:${id}`;

/** Returns the number of an identity that a text is, null if it is none. */
export const toIdentityNumber = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;

/** `version` changes when people may have been linked in another way: the search is repeated then. */
export function SearchCard({ version }: { version: number }) {
  const [kind, setKind] = useState<Kind>('emails');
  const [text, setText] = useState('');
  const [result, setResult] = useState<SearchResult | null>(null);
  const sent = useRef<Partial<Record<Kind, string[]>> | null>(null);
  const { isRunning, problem, run } = useAction();
  const value = text.trim();
  const isInvalid = kind === 'number' && value !== '' && toIdentityNumber(value) === null;
  const search = () =>
    run(async () => {
      setResult(null);
      setResult(await post<SearchResult>('/admin/v1/graph/find', sent.current));
    });
  const submit = (event: Event) => {
    event.preventDefault();
    if (kind === 'number') return showIdentity(Number(value));
    sent.current = { [kind]: [value] };
    void search();
  };
  useEffect(() => {
    if (version > 0 && sent.current) void search();
  }, [version]);
  return (
    <Card title="Find a person" about="Finds people with a value in one of their records.">
      <form class="find" aria-label="Search for a person" noValidate onSubmit={submit}>
        <Select label="Search by" value={kind} options={KINDS} onChange={setKind} />
        <TextField
          label={kind === 'number' ? 'Identity number' : 'Value'}
          value={text}
          onChange={setText}
          maxLength={300}
          error={isInvalid ? 'Enter a number, such as 12 in “Different Identity Match (ID 12)”.' : undefined}
        />
        <Button primary disabled={isRunning || value === '' || isInvalid}>
          {isRunning ? 'Searching…' : 'Search'}
        </Button>
      </form>
      <ErrorNote problem={problem} />
      {result ? <SearchResults result={result} /> : null}
    </Card>
  );
}

function SearchResults({ result: { people, more } }: { result: SearchResult }) {
  const hidden = Math.max(0, people.length - MOST_SHOWN) + more;
  if (people.length === 0)
    return (
      <Empty title="No person found">
        <p>No record has this value.</p>
      </Empty>
    );
  return (
    <>
      <Table
        label="People found"
        rows={people.slice(0, MOST_SHOWN)}
        keyOf={({ identity }) => identity}
        columns={[
          { head: 'Identity', end: true, cell: ({ identity }) => identity },
          { head: 'Names', name: true, cell: ({ names }) => <Names names={names} /> },
          {
            head: 'Matched by',
            wide: true,
            cell: ({ has }) =>
              [...new Set(has.map(({ how }) => how))].map((how) => (
                <Badge key={how}>{capitalize(toWords(how))}</Badge>
              )),
          },
          { head: 'Records', wide: true, end: true, cell: ({ records }) => formatNumber(records.length) },
        ]}
        actions={({ identity }) => (
          <RowButton
            text="Details"
            label={`Details of identity ${identity}`}
            onClick={() => showIdentity(identity)}
          />
        )}
      />
      {hidden > 0 ? (
        <Note tone="care">
          {plural(hidden, 'more person', 'more people')} found. Search for a value that fewer people share.
        </Note>
      ) : null}
    </>
  );
}

const MOST_NAMES = 4;

/** Names of an identity: the first four, the others on demand. */
export const Names = ({ names }: { names: string[] }) => (
  <>
    {names.length === 0 ? <span class="faint">no name</span> : null}
    <NameLines names={names.slice(0, MOST_NAMES)} />
    {names.length > MOST_NAMES ? (
      <details>
        <summary>{formatNumber(names.length - MOST_NAMES)} more</summary>
        <NameLines names={names.slice(MOST_NAMES)} />
      </details>
    ) : null}
  </>
);

const NameLines = ({ names }: { names: string[] }) => (
  <>
    {names.map((name) => (
      <div key={name}>
        <bdi>{name}</bdi>
      </div>
    ))}
  </>
);
