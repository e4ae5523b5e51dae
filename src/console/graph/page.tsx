// Records that checks are matched against: size, imports, sources, people and manual links.
import { postJson } from '../app/api.ts';
import { reloadAllResources, useResource } from '../app/hooks.ts';
import type { GraphStatistics, RecordSourceSummary } from '../app/types.ts';
import { RefreshButton } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { LoadedResource, Note } from '../components/feedback.tsx';
import { formatCompact, formatDate, formatNumber, formatCount } from '../components/format.ts';
import {
  Card,
  ProportionBar,
  BidiIsolatedName,
  PageHeader,
  PageTabs,
  MetricTile,
  RelativeTime,
} from '../components/layout.tsx';
import { RowButton, Table } from '../components/table.tsx';
import { ManualLinksTab } from '../people/manual-links.tsx';
import { PeopleTab } from '../people/people.tsx';
import { ImportCard } from './import.tsx';
import { GraphStatisticsCard } from './survey.tsx';

export default function GraphPage() {
  return (
    <>
      <PageHeader
        title="Identity graph"
        about="Records that checks are matched against. E-mails, phones and addresses are stored as fingerprints. Their values are shown only if the server keeps whole records (setting graph.keep)."
      />
      <PageTabs
        label="Identity graph"
        tabs={[
          ['contents', 'Records', Contents],
          ['people', 'People', PeopleTab],
          ['judgements', 'Manual links', ManualLinksTab],
        ]}
      />
    </>
  );
}

function Contents() {
  const graph = useResource<GraphStatistics>('/admin/v1/graph');
  const sources = useResource<{ items: RecordSourceSummary[] }>('/admin/v1/graph/sources');
  return (
    <div class="stack loose">
      <LoadedResource resource={graph} lines={3}>
        {(data) => (
          <>
            {data.warnings.map((text) => (
              <Note key={text} tone="care">
                {text}
              </Note>
            ))}
            <Size graph={data} isLoading={graph.isLoading} />
          </>
        )}
      </LoadedResource>
      <ImportCard />
      <Card title="Sources" flush end={<RefreshButton onClick={reloadAllResources} />}>
        <LoadedResource resource={sources}>{({ items }) => <Sources sources={items} />}</LoadedResource>
      </Card>
      <GraphStatisticsCard />
    </div>
  );
}

/** Number of records and identities of the graph. It is hidden while it is loaded again. */
function Size({ graph, isLoading }: { graph: GraphStatistics; isLoading: boolean }) {
  const { records, identities, unlinked, linked_at: linked, settled, counted } = graph;
  const tiles = [
    ['Records', formatCompact(records)],
    ['Identities', formatCompact(identities)],
    ['Records per identity', identities === 0 ? '–' : (records / identities).toFixed(2)],
    ['Waiting to be linked', formatCompact(unlinked)],
  ] as const;
  return (
    <>
      <div class="tiles" aria-busy={isLoading}>
        {tiles.map(([label, value]) => (
          <MetricTile key={label} label={label} value={isLoading ? '…' : value} />
        ))}
      </div>
      <p class="small soft" hidden={isLoading}>
        Last linked <RelativeTime at={linked} />.{' '}
        {settled ? 'Identities are up to date.' : 'Relinking is pending.'} Counted{' '}
        <RelativeTime at={counted} />.
      </p>
    </>
  );
}

function Sources({ sources }: { sources: RecordSourceSummary[] }) {
  const { dialog, open } = useDialog();
  const total = sources.reduce((sum, { records }) => sum + records, 0);
  return (
    <>
      <Table
        label="Sources"
        rows={sources}
        keyOf={({ source }) => source}
        empty={['No records yet', 'Import a file on this page, or on the server with the command line.']}
        columns={[
          { head: 'Source', name: true, cell: ({ source }) => <bdi>{source}</bdi> },
          { head: 'Records', end: true, cell: ({ records }) => formatNumber(records) },
          { head: 'Share', wide: true, cell: ({ records }) => <ProportionBar share={records / total} /> },
          { head: 'Oldest date', wide: true, cell: ({ first_seen: first }) => formatDateOrNone(first) },
          { head: 'Newest date', wide: true, cell: ({ last_seen: last }) => formatDateOrNone(last) },
        ]}
        actions={(source) => (
          <RowButton
            text="Remove"
            label={`Remove ${source.source}`}
            onClick={() => open(<RemoveSourceDialog {...source} />)}
          />
        )}
      />
      {dialog}
    </>
  );
}

const formatDateOrNone = (iso: string | null) => (iso === null ? '–' : formatDate(iso));

const RemoveSourceDialog = ({ source, records }: RecordSourceSummary) => (
  <FormDialog
    title={
      <>
        Remove <bdi>{source}</bdi>?
      </>
    }
    submitLabel="Remove source"
    isDanger
    submit={() => postJson('/admin/v1/graph/sources/remove', { source })}
    message={
      <>
        <bdi>{source}</bdi> removed.
      </>
    }
  >
    <p>
      This removes {formatCount(records, 'record')} of <BidiIsolatedName>{source}</BidiIsolatedName> from the
      graph and cannot be undone. To restore them, import the file again. To delete a person for good, use{' '}
      <i>Forget</i> under <i>People</i>.
    </p>
  </FormDialog>
);
