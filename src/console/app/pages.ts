// The pages in the order of the menu. The first page is part of the first load, each other page is loaded when it is first shown.
import type { ComponentType } from 'preact';
import CheckPage from '../check/page.tsx';
import type { IconName } from '../components/icons.tsx';

export interface MenuPage {
  /** Path of the page below `/console/`; empty for the first page. */
  path: string;
  title: string;
  icon: IconName;
  load(): Promise<{ default: ComponentType }>;
}

export const MENU_SECTIONS: { heading: string; pages: MenuPage[] }[] = [
  {
    heading: '',
    pages: [{ path: '', title: 'Check', icon: 'check', load: async () => ({ default: CheckPage }) }],
  },
  {
    heading: 'Operate',
    pages: [
      { path: 'overview', title: 'Overview', icon: 'chart', load: () => import('../operate/overview.tsx') },
      { path: 'requests', title: 'Requests', icon: 'list', load: () => import('../operate/requests.tsx') },
      { path: 'keys', title: 'Accounts & keys', icon: 'key', load: () => import('../keys/page.tsx') },
      {
        path: 'features',
        title: 'AI features',
        icon: 'spark',
        load: () => import('../operate/features.tsx'),
      },
      { path: 'watches', title: 'Watches', icon: 'eye', load: () => import('../watches/page.tsx') },
      { path: 'webhook', title: 'Webhook', icon: 'send', load: () => import('../operate/webhook.tsx') },
      { path: 'audit', title: 'Audit log', icon: 'audit', load: () => import('../operate/audit.tsx') },
    ],
  },
  {
    heading: 'Data',
    pages: [
      { path: 'graph', title: 'Identity graph', icon: 'graph', load: () => import('../graph/page.tsx') },
      { path: 'quality', title: 'Evaluation', icon: 'target', load: () => import('../quality/page.tsx') },
    ],
  },
];

export const findPage = (path: string): MenuPage | undefined =>
  MENU_SECTIONS.flatMap(({ pages }) => pages).find((page) => page.path === path);
