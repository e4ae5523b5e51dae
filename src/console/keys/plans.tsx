// Plans: quota, price and rate limit. A change adds a version, earlier versions stay as they are.
import { patchJson, postJson } from '../app/api.ts';
import { useListItems, usePagedList } from '../app/hooks.ts';
import type { Plan } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { RadioGroup, TextField, toOptions, useForm } from '../components/form.tsx';
import { formatNumber, formatCount } from '../components/format.ts';
import { Badge, Card, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';

const PATH = '/admin/v1/plans';

/** Times at which a change of a plan can take effect, with their labels. */
export const PLAN_START_OPTIONS = { now: 'Now', 'next-month': 'Next month' };

/** Returns the options of a select field for a plan: none, and every plan that is not retired. */
export function usePlanOptions(): Record<string, string> {
  const plans = useListItems<Plan>(PATH).filter(({ retired }) => retired === null);
  return { '': 'None', ...toOptions(plans.map(({ id }) => ({ id, name: id }))) };
}

type Terms = Plan['versions'][number];

const latestTerms = ({ versions }: Plan): Terms | undefined => versions.at(-1);

export function PlansTab() {
  const list = usePagedList<Plan>(PATH);
  const { dialog, open } = useDialog();
  return (
    <Card
      flush
      title="Plans"
      end={
        <Button primary icon="plus" onClick={() => open(<PlanDialog plan={null} />)}>
          Create plan
        </Button>
      }
    >
      <PagedTable
        label="Plans"
        list={list}
        keyOf={({ id }) => id}
        empty={[
          'No plans yet',
          'A plan sets the calls included per month, the price of further calls, and the rate limit.',
        ]}
        columns={[
          {
            head: 'Plan',
            name: true,
            cell: ({ id, retired }) => (
              <>
                {id} {retired === null ? null : <Badge>Retired</Badge>}
              </>
            ),
          },
          {
            head: 'Included calls',
            end: true,
            cell: (plan) => formatNumber(latestTerms(plan)?.included ?? 0),
          },
          { head: 'Overage', wide: true, cell: (plan) => describeOverage(latestTerms(plan)) },
          { head: 'Rate limit', wide: true, cell: (plan) => describeRate(latestTerms(plan)) },
          {
            head: 'Version',
            wide: true,
            cell: (plan) => (
              <>
                {latestTerms(plan)?.version}{' '}
                <span class="faint">
                  since <RelativeTime at={latestTerms(plan)?.since} />
                </span>
              </>
            ),
          },
        ]}
        actions={(plan) =>
          plan.retired === null ? (
            <RowButton
              text="Edit"
              label={`Edit ${plan.id}`}
              onClick={() => open(<PlanDialog plan={plan} />)}
            />
          ) : null
        }
      />
      {dialog}
    </Card>
  );
}

const describeOverage = (terms: Terms | undefined): string =>
  !terms ? '' : terms.overage === 'block' ? 'rejected' : `${terms.price} ${terms.currency} per call`;

const describeRate = (terms: Terms | undefined): string =>
  terms?.rate
    ? `${formatCount(terms.rate.calls, 'call')} per ${formatCount(terms.rate.seconds, 'second')}`
    : 'none';

/** Dialog that edits a plan, or creates one if `plan` is null. */
function PlanDialog({ plan }: { plan: Plan | null }) {
  const terms = plan ? latestTerms(plan) : undefined;
  const { values, field } = useForm({
    id: '',
    included: String(terms?.included ?? 1000),
    price: terms?.price ?? '0.02',
    currency: terms?.currency ?? 'USD',
    overage: terms?.overage ?? 'bill',
    rate: String(terms?.rate?.calls ?? ''),
    from: 'now',
  });
  const id = values.id.trim();
  const body = {
    included: Number(values.included),
    price: values.price.trim(),
    currency: values.currency.trim(),
    overage: values.overage,
    rate: toRate(values.rate, terms),
  };
  const save = () =>
    plan
      ? patchJson(`${PATH}/${plan.id}`, { ...body, ...(values.from === 'now' ? {} : { from: values.from }) })
      : postJson(PATH, { id, ...body });
  return (
    <FormDialog
      title={plan ? `Edit plan ${plan.id}` : 'Create plan'}
      submitLabel={plan ? 'Save as new version' : 'Create plan'}
      isReady={plan !== null || id !== ''}
      submit={save}
    >
      {plan ? null : (
        <TextField label="Plan ID" {...field('id')} placeholder="starter" maxLength={40} required />
      )}
      <TextField label="Included calls per month" {...field('included')} />
      <RadioGroup
        label="Further calls"
        options={{ bill: 'Billed', block: 'Rejected' }}
        {...field('overage')}
      />
      {values.overage === 'bill' ? (
        <div class="grid-2">
          <TextField label="Price per call" {...field('price')} />
          <TextField label="Currency" {...field('currency')} maxLength={3} />
        </div>
      ) : null}
      <TextField label="Rate limit in calls per second" {...field('rate')} placeholder="No limit" />
      {plan ? <RadioGroup label="Starts" options={PLAN_START_OPTIONS} {...field('from')} /> : null}
    </FormDialog>
  );
}

/** Returns the rate limit for a number of calls per second, null for an empty text. Keeps the current limit if its number of calls is the same. */
function toRate(text: string, terms: Terms | undefined): Terms['rate'] {
  if (text.trim() === '') return null;
  const calls = Number(text);
  return terms?.rate?.calls === calls ? terms.rate : { calls, seconds: 1, burst: calls * 2 };
}
