// Search for people by a value of their records. Values are sent in a body and never appear in the address bar.
import { useState } from 'preact/hooks';
import { useResource } from '../app/hooks.ts';
import { setQueryParameters } from '../app/router.ts';
import type { IdentityRecord, PeopleSearchResponse } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote, Note } from '../components/feedback.tsx';
import { Select, TextField, useFormValues } from '../components/form.tsx';
import { capitalize, formatNumber, formatCount, codeToWords } from '../components/format.ts';
import { Badge, Card } from '../components/layout.tsx';
import { RowButton, Table } from '../components/table.tsx';

const SEARCH_FIELDS = {
  emails: 'E-mail',
  phones: 'Phone',
  names: 'Name',
  addresses: 'Address',
  number: 'Identity number',
};

const PATH = '/admin/v1/graph/find';
const MAX_SHOWN = 50;

export const navigateToIdentity = (identity: number) => setQueryParameters({ identity: String(identity) });

/** Formats a reference to a record for requests: `SOURCE:ID`. */
export const formatRecordReference = ({ source, record_id: id }: IdentityRecord): string => `${source}:${id}`;

/** Parses an identity number; null if the text is none. */
export const toIdentityNumber = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;

export function SearchCard() {
  const { values, field } = useFormValues({ kind: 'emails', text: '' });
  const [query, setSearchQuery] = useState<Record<string, string[]> | undefined>();
  const { data, problem, isLoading, reload } = useResource<PeopleSearchResponse>(query ? PATH : null, query);
  const text = values.text.trim();
  const isNumber = values.kind === 'number';
  const isInvalid = isNumber && text !== '' && toIdentityNumber(text) === null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isNumber) return navigateToIdentity(Number(text));
    setSearchQuery({ [values.kind]: [text] });
    reload();
  };
  return (
    <Card title="Find a person" about="Finds people with a value in one of their records.">
      <form class="find" aria-label="Search for a person" noValidate onSubmit={submit}>
        <Select label="Search by" options={SEARCH_FIELDS} {...field('kind')} />
        <TextField
          label={isNumber ? 'Identity number' : 'Value'}
          {...field('text')}
          maxLength={300}
          error={isInvalid ? 'Enter a number, such as 12 in “Different Identity Match (ID 12)”.' : undefined}
        />
        <Button primary disabled={isLoading || text === '' || isInvalid}>
          {isLoading ? 'Searching…' : 'Search'}
        </Button>
      </form>
      <ErrorNote problem={problem} retry={reload} />
      {data ? <SearchResults result={data} /> : null}
    </Card>
  );
}

function SearchResults({ result: { people, more } }: { result: PeopleSearchResponse }) {
  const hidden = Math.max(0, people.length - MAX_SHOWN) + more;
  return (
    <>
      <Table
        label="People found"
        rows={people.slice(0, MAX_SHOWN)}
        keyOf={({ identity }) => identity}
        empty={['No person found', 'No record has this value.']}
        columns={[
          { head: 'Identity', end: true, cell: ({ identity }) => identity },
          { head: 'Names', name: true, cell: ({ names }) => <PersonNames names={names} /> },
          {
            head: 'Matched by',
            wide: true,
            cell: ({ has }) =>
              [...new Set(has.map(({ how }) => how))].map((how) => (
                <Badge key={how}>{capitalize(codeToWords(how))}</Badge>
              )),
          },
          { head: 'Records', wide: true, end: true, cell: ({ records }) => formatNumber(records.length) },
        ]}
        actions={({ identity }) => (
          <RowButton
            text="Details"
            label={`Details of identity ${identity}`}
            onClick={() => navigateToIdentity(identity)}
          />
        )}
      />
      {hidden > 0 ? (
        <Note tone="care">
          {formatCount(hidden, 'more person', 'more people')} found. Search for a value that fewer people
          share.
        </Note>
      ) : null}
    </>
  );
}

const MAX_NAMES = 4;

export function PersonNames({ names }: { names: string[] }) {
  const lines = names.map((name) => (
    <div key={name}>
      <bdi>{name}</bdi>
    </div>
  ));
  if (names.length === 0) return <span class="faint">no name</span>;
  if (names.length <= MAX_NAMES) return <>{lines}</>;
  return (
    <details>
      <summary>
        <bdi>{names[0]}</bdi> and {formatNumber(names.length - 1)} more
      </summary>
      {lines.slice(1)}
    </details>
  );
}
