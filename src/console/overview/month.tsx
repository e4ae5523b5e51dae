// The month against what plans include.
import { withQuery } from '../api/ask.ts';
import { useLoad } from '../api/use.ts';
import type { Page, Plan, UsageLine } from '../keys/types.ts';
import { Card } from '../parts/parts.tsx';
import { count, percent } from '../parts/text.ts';

export function Month({ account }: { account: string }) {
  const usage = useLoad<Page<UsageLine & { name: string }>>(
    withQuery('/admin/v1/usage', { account, limit: 200 }),
  );
  const plans = useLoad<Page<Plan>>('/admin/v1/plans?limit=200');
  const lines = (usage.data?.items ?? []).filter(({ plan }) => plan !== null);
  if (lines.length === 0) return null;
  const includedIn = (id: string | null) =>
    plans.data?.items.find((plan) => plan.id === id)?.versions.at(-1)?.included ?? 0;
  return (
    <Card
      title="This month against the plans"
      about="By UTC. Beyond what is included a call is billed or refused, as the plan says."
    >
      <ul class="quota">
        {lines.map(({ account: id, name, plan, calls, overage }) => {
          const included = includedIn(plan);
          const share = included === 0 ? 1 : Math.min(1, calls / included);
          return (
            <li key={`${id} ${plan}`}>
              <span class="row apart">
                <bdi class="cut">{name}</bdi>
                <span class="small soft number">
                  {count(calls)} of {count(included)}
                  {overage > 0 ? `, ${count(overage)} beyond` : ''}
                </span>
              </span>
              <span class="meter" role="img" aria-label={`${percent(share, 0)} used`}>
                <i class={overage > 0 ? 'care' : ''} style={{ width: `${share * 100}%` }} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
