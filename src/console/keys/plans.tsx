// Plans: quota, price and rate limit. A change adds a version, earlier versions stay as they are.
import { patchJson, postJson } from '../app/api.ts';
import { useFirstPageItems, usePagedList } from '../app/hooks.ts';
import type { Plan } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import {
  Checkboxes,
  RadioGroup,
  Select,
  TextField,
  toSelectOptionLabelsById,
  useFormValues,
} from '../components/form.tsx';
import { formatNumber, formatCount } from '../components/format.ts';
import { Badge, Card, RelativeTime } from '../components/layout.tsx';
import { PagedTable, RowButton } from '../components/table.tsx';

const PATH = '/admin/v1/plans';

export const PLAN_START_OPTIONS = { now: 'Now', 'next-month': 'Next month' };

/** Returns the options of a select field for plans: none, and every plan that is not retired. */
export function usePlanOptions(): Record<string, string> {
  const plans = useFirstPageItems<Plan>(PATH).filter(({ retired }) => retired === null);
  return { '': 'None', ...toSelectOptionLabelsById(plans.map(({ id }) => ({ id, name: id }))) };
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
          { head: 'Allowed', wide: true, cell: (plan) => describeAllowed(latestTerms(plan)) },
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

function describeRate(terms: Terms | undefined): string {
  const limits = [
    terms?.rate
      ? `${formatCount(terms.rate.calls, 'call')} per ${terms.rate.seconds === 1 ? 'second' : formatCount(terms.rate.seconds, 'second')}, burst ${formatNumber(terms.rate.burst)}`
      : '',
    terms?.concurrency ? `${formatNumber(terms.concurrency)} at once` : '',
    terms && terms.probes !== null ? `${formatCount(terms.probes, 'probe')} per hour` : '',
  ];
  return limits.filter(Boolean).join('; ') || 'none';
}

const OPERATION_LABELS = { validate: 'Check', enhanced: 'Enhanced check' };
const FEATURE_LABELS = {
  trust_enhancement: 'Narrative',
  fraud_detection: 'Fraud detection',
  name_matching: 'Name matching',
};

/** Describes the operations and AI features that a plan allows; `all` if they are not restricted. */
function describeAllowed(terms: Terms | undefined): string {
  if (!terms) return '';
  const { operations, features } = terms;
  const count = Object.keys({ ...OPERATION_LABELS, ...FEATURE_LABELS }).length;
  if (operations.length + features.length === count) return 'all';
  const labels = [
    ...operations.map((name) => OPERATION_LABELS[name]),
    ...features.map((name) => FEATURE_LABELS[name]),
  ];
  return labels.join(', ');
}

function PlanDialog({ plan }: { plan: Plan | null }) {
  const terms = plan ? latestTerms(plan) : undefined;
  const { values, field } = useFormValues({
    id: '',
    included: String(terms?.included ?? 1000),
    price: terms?.price ?? '0.02',
    currency: terms?.currency ?? 'USD',
    overage: terms?.overage ?? 'bill',
    rate: String(terms?.rate?.calls ?? ''),
    seconds: String(terms?.rate?.seconds ?? 1),
    burst: String(terms?.rate?.burst ?? ''),
    concurrency: String(terms?.concurrency ?? ''),
    probes: String(terms?.probes ?? ''),
    operations: terms?.operations ?? keysOf(OPERATION_LABELS),
    features: terms?.features ?? keysOf(FEATURE_LABELS),
    from: 'now',
  });
  const id = values.id.trim();
  const body = {
    included: Number(values.included),
    price: values.price.trim(),
    currency: values.currency.trim(),
    overage: values.overage,
    rate: toRate(values),
    concurrency: toLimit(values.concurrency),
    probes: toLimit(values.probes),
    operations: values.operations,
    features: values.features,
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
      <div class="grid-3">
        <TextField label="Rate limit in calls" {...field('rate')} placeholder="No limit" />
        <Select label="Per" options={toPeriodOptions(values.seconds)} {...field('seconds')} />
        <TextField label="Burst" {...field('burst')} placeholder={values.rate || 'No limit'} />
      </div>
      <div class="grid-2">
        <TextField
          label="Concurrent calls of a key"
          {...field('concurrency')}
          placeholder="Limit of the server"
        />
        <TextField
          label="Probes per hour"
          {...field('probes')}
          placeholder="No limit"
          hint="Checks that may test who is on record."
        />
      </div>
      <Checkboxes label="Operations" options={OPERATION_LABELS} {...field('operations')} />
      <Checkboxes label="AI features" options={FEATURE_LABELS} {...field('features')} />
      {plan ? <RadioGroup label="Starts" options={PLAN_START_OPTIONS} {...field('from')} /> : null}
    </FormDialog>
  );
}

const keysOf = <K extends string>(options: Record<K, string>): K[] => Object.keys(options) as K[];

const PERIODS: Record<string, string> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };

/** Returns the options for the period of a rate limit, including the plan's present period. */
const toPeriodOptions = (seconds: string): Record<string, string> => ({
  ...PERIODS,
  ...(seconds in PERIODS ? {} : { [seconds]: formatCount(Number(seconds), 'second') }),
});

/** Reads the rate limit from the form; null (no limit) if the number of calls is empty. Default burst: the number of calls. */
function toRate({ rate, seconds, burst }: Record<'rate' | 'seconds' | 'burst', string>): Terms['rate'] {
  if (rate.trim() === '') return null;
  return { calls: Number(rate), seconds: Number(seconds), burst: Number(burst.trim() || rate) };
}

/** Parses a limit in the form; an empty text becomes null (no limit). */
const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text));
