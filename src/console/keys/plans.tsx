// Plans: quota, price and rate limit. A change adds a version, earlier versions stay as they are.
import { patchJson, postJson } from '../app/api.ts';
import { useListItems, usePagedList } from '../app/hooks.ts';
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
import {
  FEATURE_LABELS,
  findPlanTermsAt,
  getNextMonthStart,
  OPERATION_LABELS,
  type PlanTerms,
  type PlanTermsForm,
  toChangedPlanTerms,
  toPlanTermsBody,
  toPlanTermsForm,
} from './terms.ts';

const PATH = '/admin/v1/plans';

export const PLAN_START_OPTIONS = { now: 'Now', 'next-month': 'Next month' };

/** Returns the options of a select field for plans: none, and every plan that is not retired. */
export function usePlanOptions(): Record<string, string> {
  const plans = useListItems<Plan>(PATH).items.filter(({ retired }) => retired === null);
  return { '': 'None', ...toSelectOptionLabelsById(plans.map(({ id }) => ({ id, name: id }))) };
}

const findCurrentTerms = (plan: Plan): PlanTerms | undefined => findPlanTermsAt(plan, Date.now());

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
            cell: (plan) => formatNumber(findCurrentTerms(plan)?.included ?? 0),
          },
          { head: 'Overage', wide: true, cell: (plan) => describeOverage(findCurrentTerms(plan)) },
          { head: 'Rate limit', wide: true, cell: (plan) => describeRate(findCurrentTerms(plan)) },
          { head: 'Allowed', wide: true, cell: (plan) => describeAllowed(findCurrentTerms(plan)) },
          {
            head: 'Version',
            wide: true,
            cell: (plan) => (
              <>
                {findCurrentTerms(plan)?.version}{' '}
                <span class="faint">
                  since <RelativeTime at={findCurrentTerms(plan)?.since} />
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

const describeOverage = (terms: PlanTerms | undefined): string =>
  !terms ? '' : terms.overage === 'block' ? 'rejected' : `${terms.price} ${terms.currency} per call`;

function describeRate(terms: PlanTerms | undefined): string {
  const limits = [
    terms?.rate
      ? `${formatCount(terms.rate.calls, 'call')} per ${terms.rate.seconds === 1 ? 'second' : formatCount(terms.rate.seconds, 'second')}, burst ${formatNumber(terms.rate.burst)}`
      : '',
    terms?.concurrency ? `${formatNumber(terms.concurrency)} at once` : '',
    terms && terms.probes !== null ? `${formatCount(terms.probes, 'probe')} per hour` : '',
  ];
  return limits.filter(Boolean).join('; ') || 'none';
}

/** Describes the operations and AI features that a plan allows; `all` if they are not restricted. */
function describeAllowed(terms: PlanTerms | undefined): string {
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
  const { values: start, field: startField } = useFormValues({ id: '', from: 'now' });
  const { values, terms, field } = useTermsForm(plan, start.from);
  const id = start.id.trim();
  const changes = toChangedPlanTerms(values, terms);
  const save = () =>
    plan
      ? patchJson(`${PATH}/${plan.id}`, { ...changes, ...(start.from === 'now' ? {} : { from: start.from }) })
      : postJson(PATH, { id, ...toPlanTermsBody(values) });
  return (
    <FormDialog
      title={plan ? `Edit plan ${plan.id}` : 'Create plan'}
      submitLabel={plan ? 'Save as new version' : 'Create plan'}
      isReady={plan ? Object.keys(changes).length > 0 : id !== ''}
      submit={save}
    >
      {plan ? null : (
        <TextField label="Plan ID" {...startField('id')} placeholder="starter" maxLength={40} required />
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
      {plan ? <RadioGroup label="Starts" options={PLAN_START_OPTIONS} {...startField('from')} /> : null}
    </FormDialog>
  );
}

/** Values of the form: the terms in force at the chosen start, with the edits of the user. */
function useTermsForm(plan: Plan | null, from: string) {
  const now = Date.now();
  const terms = plan ? findPlanTermsAt(plan, from === 'now' ? now : getNextMonthStart(now)) : undefined;
  const edits = useFormValues<Partial<PlanTermsForm>>({});
  const values: PlanTermsForm = { ...toPlanTermsForm(terms), ...edits.values };
  const field = <K extends keyof PlanTermsForm>(name: K) => ({ ...edits.field(name), value: values[name] });
  return { values, terms, field };
}

const PERIODS: Record<string, string> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };

/** Returns the options for the period of a rate limit, including the plan's present period. */
const toPeriodOptions = (seconds: string): Record<string, string> => ({
  ...PERIODS,
  ...(seconds in PERIODS ? {} : { [seconds]: formatCount(Number(seconds), 'second') }),
});
