// The pages in the order of the menu. Each page is loaded when it is first shown, except the first one, which is part of the first load.
import type { ComponentType } from 'preact';
import { CheckPage } from '../check/page.tsx';
import type { IconName } from '../components/icons.tsx';

export interface PageEntry {
  /** Path below `/console/`, empty for the first page. */
  path: string;
  title: string;
  icon: IconName;
  /** Heading of the menu section. */
  group?: string;
  load(): Promise<ComponentType>;
}

export const PAGES: PageEntry[] = [
  { path: '', title: 'Check', icon: 'check', load: async () => CheckPage },
  {
    path: 'overview',
    title: 'Overview',
    icon: 'chart',
    group: 'Operate',
    load: async () => (await import('../operate/overview.tsx')).OverviewPage,
  },
  {
    path: 'requests',
    title: 'Requests',
    icon: 'list',
    group: 'Operate',
    load: async () => (await import('../operate/requests.tsx')).RequestsPage,
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
    load: async () => (await import('../operate/features.tsx')).FeaturesPage,
  },
  {
    path: 'audit',
    title: 'Audit log',
    icon: 'audit',
    group: 'Operate',
    load: async () => (await import('../operate/audit.tsx')).AuditPage,
  },
  {
    path: 'graph',
    title: 'Identity graph',
    icon: 'graph',
    group: 'Data',
    load: async () => (await import('../graph/page.tsx')).GraphPage,
  },
  {
    path: 'quality',
    title: 'Evaluation',
    icon: 'target',
    group: 'Data',
    load: async () => (await import('../quality/page.tsx')).EvaluationPage,
  },
];
