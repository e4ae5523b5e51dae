// Watches of all accounts: the list with its filters, and one watch with its events and deliveries.
import { appendQueryParameters } from '../app/api.ts';
import { useListItems, usePagedList, useResource } from '../app/hooks.ts';
import { setQueryParameters, useQueryParameterFieldBinder } from '../app/router.ts';
import type { Account, ApiKey, Watch, WatchPage } from '../app/types.ts';
import { RefreshButton } from '../components/button.tsx';
import { EmptyState, ErrorNote, Note } from '../components/feedback.tsx';
import { Select, TextField, toSelectOptionLabelsById } from '../components/form.tsx';
import { formatCount, SCORE_BANDS } from '../components/format.ts';
import { Card, NoneText, PageHeader, RelativeTime } from '../components/layout.tsx';
import { PagedTable } from '../components/table.tsx';
import { WatchedScore, WatchDetails } from './details.tsx';

const BAND_OPTIONS = {
  '': 'All',
  ...Object.fromEntries(SCORE_BANDS.map(({ band, label }) => [band, label])),
};

export default function WatchesPage() {
  const { value: id } = useQueryParameterFieldBinder()('id');
  return id ? <WatchDetails id={id} /> : <Watches />;
}

function Watches() {
  const field = useQueryParameterFieldBinder();
  const { items: accounts } = useListItems<Account>('/admin/v1/accounts');
  const keys = useListItems<ApiKey>('/admin/v1/keys').items.filter(
    ({ id, chain, account }) => account === null && id === chain,
  );
  const names = toSelectOptionLabelsById([...accounts, ...keys]);
  const filters = {
    owner: field('owner').value,
    status: field('status').value,
    reference: field('reference').value.trim(),
  };
  const path = appendQueryParameters('/admin/v1/watches', filters);
  const list = usePagedList<Watch>(path);
  const figures = useResource<WatchPage>('/admin/v1/watches?limit=1');
  const { on: isOn, total, due } = figures.data ?? { on: true, total: 0, due: 0 };
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageHeader
        title="Watches"
        about="Claims that are checked again when records behind their verdict change. Submitted values are stored encrypted and never shown."
      />
      <ErrorNote problem={figures.problem} retry={figures.reload} />
      {isOn ? null : <OffNote hasWatches={total > 0} />}
      {!isOn && total === 0 ? null : (
        <Card
          flush
          title="All watches"
          about={`${formatCount(total, 'watch', 'watches')}, ${due === 0 ? 'none waits' : `${formatCount(due, 'waits', 'wait')}`} for a re-check.`}
          end={<RefreshButton onClick={() => (list.reload(), figures.reload())} />}
        >
          <div class="filters">
            <Select label="Account or key" options={{ '': 'All', ...names }} {...field('owner')} />
            <Select label="Band" options={BAND_OPTIONS} {...field('status')} />
            <TextField label="Reference" {...field('reference')} placeholder="seller-17" maxLength={200} />
          </div>
          <PagedTable
            label="Watches"
            list={list}
            keyOf={(watch) => watch.watch_id}
            empty={
              isFiltered
                ? ['No watches', 'No watch matches these filters.']
                : ['No watches', 'Callers create watches with POST /v1/watches.']
            }
            details={{
              nameOf: (watch) => watch.watch_id,
              open: ({ watch_id: id }) => setQueryParameters({ id }),
            }}
            columns={[
              {
                head: 'Reference',
                isRowHead: true,
                name: true,
                cell: ({ reference }) => (reference === null ? <NoneText /> : <bdi>{reference}</bdi>),
              },
              {
                head: 'Account or key',
                wide: true,
                cell: ({ owner }) => <OwnerName owner={owner} names={names} />,
              },
              { head: 'Score', cell: (watch) => <WatchedScore state={watch} /> },
              { head: 'Created', wide: true, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
              { head: 'Expires', cell: ({ expires_at: at }) => <RelativeTime at={at} /> },
            ]}
          />
        </Card>
      )}
    </>
  );
}

const OffNote = ({ hasWatches }: { hasWatches: boolean }) =>
  hasWatches ? (
    <Note tone="care">
      Watches are off, so these are not checked again. To turn them on, set <code>watches: true</code> in the
      settings (or <code>BONAFIDE_WATCHES=true</code>) and restart the server.
    </Note>
  ) : (
    <Card flat>
      <EmptyState title="Watches are off">
        <p>
          To turn them on, set <code>watches: true</code> in the settings (or{' '}
          <code>BONAFIDE_WATCHES=true</code>) and restart the server. Then callers create watches with{' '}
          <code>POST /v1/watches</code>; see <a href="/docs/watches">Re-certify your sellers</a>.
        </p>
      </EmptyState>
    </Card>
  );

/** Name of the watch's account or API key; its id if it has no name. Watches of test keys are marked. */
function OwnerName({ owner, names }: { owner: string; names: Record<string, string> }) {
  const [id = '', test] = owner.split(':');
  return (
    <>
      {names[id] === undefined ? <code>{id}</code> : <bdi>{names[id]}</bdi>}
      {test === undefined ? null : <span class="faint"> (test)</span>}
    </>
  );
}
