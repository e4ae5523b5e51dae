import { goQuery, useRoute } from '../app/route.ts';
import { PageHead, Tabs } from '../parts/parts.tsx';
import { Accounts } from './accounts.tsx';
import { Keys } from './keys.tsx';
import { Plans } from './plans.tsx';

const TABS = [
  ['keys', 'Keys'],
  ['accounts', 'Accounts'],
  ['plans', 'Plans'],
] as const;
type Tab = (typeof TABS)[number][0];

export function KeysPage() {
  const { query } = useRoute();
  const tab = (TABS.find(([name]) => name === query.get('tab'))?.[0] ?? 'keys') as Tab;
  return (
    <>
      <PageHead title="Accounts & keys" about="Who may call, whom it is billed to, and what a call costs." />
      <Tabs
        label="Accounts, keys and plans"
        tabs={TABS}
        chosen={tab}
        choose={(next) => goQuery({ tab: next === 'keys' ? null : next })}
      >
        {tab === 'keys' ? <Keys /> : tab === 'accounts' ? <Accounts /> : <Plans />}
      </Tabs>
    </>
  );
}
