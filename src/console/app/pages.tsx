// The pages, in the order of the menu. Each is loaded when it is first shown, but for the first: one file less to wait for.
import type { ComponentType } from 'preact';
import { CheckPage } from '../check/page.tsx';
import type { IconName } from '../parts/icons.tsx';

export interface PageInfo {
  path: string;
  title: string;
  icon: IconName;
  group?: string;
  load(): Promise<ComponentType>;
}

export const PAGES: PageInfo[] = [
  {
    path: '',
    title: 'Check',
    icon: 'check',
    load: async () => CheckPage,
  },
  {
    path: 'overview',
    title: 'Overview',
    icon: 'chart',
    group: 'Operate',
    load: async () => (await import('../overview/page.tsx')).OverviewPage,
  },
  {
    path: 'requests',
    title: 'Requests',
    icon: 'list',
    group: 'Operate',
    load: async () => (await import('../requests/page.tsx')).RequestsPage,
  },
  {
    path: 'keys',
    title: 'Accounts & keys',
    icon: 'key',
    group: 'Operate',
    load: async () => (await import('../keys/page.tsx')).KeysPage,
  },
  {
    path: 'features',
    title: 'AI features',
    icon: 'spark',
    group: 'Operate',
    load: async () => (await import('../features/page.tsx')).FeaturesPage,
  },
  {
    path: 'audit',
    title: 'Audit log',
    icon: 'audit',
    group: 'Operate',
    load: async () => (await import('../requests/audit.tsx')).AuditPage,
  },
  {
    path: 'graph',
    title: 'Graph',
    icon: 'graph',
    group: 'Data',
    load: async () => (await import('../graph/page.tsx')).GraphPage,
  },
  {
    path: 'quality',
    title: 'Quality',
    icon: 'target',
    group: 'Data',
    load: async () => (await import('../quality/page.tsx')).QualityPage,
  },
];
