// Search for people on record, and the page of one identity with its names, records, links and the actions of an operator.
import { useState } from 'preact/hooks';
import { getJson } from '../app/api.ts';
import { useAction, useResource } from '../app/hooks.ts';
import { setQueryParameters, useLocation } from '../app/router.ts';
import type {
  ErasureReceipt,
  IdentityDetails,
  CreatedManualLink,
  PersonExport,
  IdentityRecord,
} from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { useDialog } from '../components/dialog.tsx';
import { saveJson } from '../components/download.ts';
import { ErrorNote, LoadedResource, Note } from '../components/feedback.tsx';
import { Checkbox } from '../components/form.tsx';
import { formatCount, formatDate, formatNumber } from '../components/format.ts';
import { Badge, Card, DefinitionList } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import { ForgetPersonDialog, ErasureReceiptDialog } from './forget.tsx';
import { LinksCard } from './links.tsx';
import { JoinIdentitiesDialog, SplitIdentityDialog } from './manual-links.tsx';
import { PersonNames, SearchCard, navigateToIdentity, formatRecordReference } from './search.tsx';
import { listRecordValues } from './values.ts';

/** Search for people. Below it, the identity in the query parameter `identity`. */
export function PeopleTab() {
  const identity = Number(useLocation().query.get('identity') ?? 0);
  const { dialog, open } = useDialog();
  const [receipt, setReceipt] = useState<ErasureReceipt | null>(null);
  const showReceipt = (next: ErasureReceipt) => {
    setReceipt(next);
    setQueryParameters({ identity: null });
    open(<ErasureReceiptDialog receipt={next} />);
  };
  return (
    <div class="stack loose">
      {/* A new component key clears the search form, which may contain the name of the forgotten person. */}
      <SearchCard key={receipt?.time} />
      {Number.isSafeInteger(identity) && identity > 0 ? (
        <IdentityView identity={identity} onForgotten={showReceipt} />
      ) : null}
      {dialog}
    </div>
  );
}

interface IdentityViewProps {
  identity: number;
  onForgotten(receipt: ErasureReceipt): void;
}

function IdentityView({ identity, onForgotten }: IdentityViewProps) {
  const resource = useResource<IdentityDetails>(`/admin/v1/graph/identities/${identity}`);
  const [link, setLink] = useState<CreatedManualLink | null>(null);
  const handleLink = (next: CreatedManualLink) => {
    setLink(next);
    const [first] = next.identities;
    if (first !== undefined && !next.identities.includes(identity)) navigateToIdentity(first);
  };
  return (
    <LoadedResource resource={resource}>
      {(data) => {
        const key = data.records.map(formatRecordReference).join('\n');
        return (
          <>
            {link?.identities.includes(data.identity) ? <NewLinkNote link={link} /> : null}
            {data.merged_from === null ? null : (
              <Note>
                Identity {data.merged_from} was merged into identity {data.identity}.
              </Note>
            )}
            <IdentityCard data={data} onLinked={handleLink} onForgotten={onForgotten} />
            <RecordsCard key={key} identity={data.identity} records={data.records} onLinked={handleLink} />
            <LinksCard key={`links ${key}`} identity={data.identity} records={data.records} />
          </>
        );
      }}
    </LoadedResource>
  );
}

const NewLinkNote = ({ link: { id, identities } }: { link: CreatedManualLink }) => (
  <Note tone="good">
    Manual link {id} saved. The records belong to{' '}
    {identities.map((identity, i) => (
      <span key={identity}>
        {i > 0 ? ', ' : ''}
        <a href={`/console/graph?tab=people&identity=${identity}`}>identity {identity}</a>
      </span>
    ))}
    . You can undo it under Manual links.
  </Note>
);

interface IdentityCardProps {
  data: IdentityDetails;
  onLinked(link: CreatedManualLink): void;
  onForgotten(receipt: ErasureReceipt): void;
}

function IdentityCard({ data, onLinked, onForgotten }: IdentityCardProps) {
  const { dialog, open } = useDialog();
  const { isRunning, problem, run } = useAction();
  const { identity, names, first_seen: first, last_seen: last } = data;
  const exportData = () =>
    run(async () => {
      const personExport = await getJson(`/admin/v1/graph/identities/${identity}/export`);
      saveJson(`identity-${identity}.json`, personExport);
    });
  return (
    <Card
      title={`Identity ${identity}`}
      end={
        <>
          <Button small disabled={isRunning} onClick={exportData}>
            Export
          </Button>
          <Button small onClick={() => open(<JoinIdentitiesDialog identity={identity} onDone={onLinked} />)}>
            Join with…
          </Button>
          <Button
            small
            danger
            onClick={() => open(<ForgetPersonDialog identity={identity} onForgotten={onForgotten} />)}
          >
            Forget…
          </Button>
        </>
      }
    >
      <ErrorNote problem={problem} />
      <DefinitionList
        items={[
          ['Names', <PersonNames names={names} />],
          ['First seen', first ? formatDate(first) : '–'],
          ['Last seen', last ? formatDate(last) : '–'],
        ]}
      />
      {dialog}
    </Card>
  );
}

const MAX_SHOWN = 200;

interface RecordsCardProps {
  identity: number;
  records: IdentityRecord[];
  onLinked(link: CreatedManualLink): void;
}

/** Records of an identity, for selecting those that belong to another person. Their values are loaded on demand. */
function RecordsCard({ identity, records, onLinked }: RecordsCardProps) {
  const [values, setValues] = useState<ReadonlyMap<string, string[]> | null>(null);
  const { isRunning, problem, run } = useAction();
  const showValues = () =>
    run(async () => {
      const personExport = await getJson<PersonExport>(`/admin/v1/graph/identities/${identity}/export`);
      setValues(
        new Map(
          personExport.records.map((record) => [formatRecordReference(record), listRecordValues(record)]),
        ),
      );
    });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { dialog, open } = useDialog();
  const toggle = (reference: string) =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(reference)) next.add(reference);
      return next;
    });
  const split = () => {
    const chosen = records.filter((record) => selected.has(formatRecordReference(record)));
    open(<SplitIdentityDialog records={chosen} onDone={onLinked} />);
  };
  return (
    <Card
      flush
      title="Records"
      about={
        records.length > 1 ? 'Select records that belong to another person, and split them off.' : undefined
      }
      end={
        <>
          {values === null ? (
            <Button small disabled={isRunning} onClick={showValues}>
              Show values
            </Button>
          ) : null}
          <Button small disabled={selected.size === 0 || selected.size === records.length} onClick={split}>
            Split off {selected.size > 0 ? formatCount(selected.size, 'record') : '…'}
          </Button>
        </>
      }
    >
      <ErrorNote problem={problem} />
      <Table
        label="Records"
        rows={records.slice(0, MAX_SHOWN)}
        keyOf={formatRecordReference}
        columns={[
          {
            head: 'Record',
            cell: (record, i) => (
              <Checkbox
                label={`Record ${i + 1}`}
                value={selected.has(formatRecordReference(record))}
                onChange={() => toggle(formatRecordReference(record))}
              />
            ),
          },
          {
            head: 'Record ID',
            name: true,
            cell: ({ record_id: id, source }) => (
              <>
                <bdi>{id}</bdi>{' '}
                <Badge>
                  <bdi>{source}</bdi>
                </Badge>
              </>
            ),
          },
          ...(values === null
            ? []
            : [
                {
                  head: 'Values',
                  name: true,
                  cell: (record: IdentityRecord) =>
                    values.get(formatRecordReference(record))?.map((value, i) => (
                      <div key={i} class="small">
                        <bdi>{value}</bdi>
                      </div>
                    )),
                },
              ]),
        ]}
      />
      {records.length > MAX_SHOWN ? (
        <p class="more small soft">{formatNumber(records.length - MAX_SHOWN)} more records</p>
      ) : null}
      {dialog}
    </Card>
  );
}
