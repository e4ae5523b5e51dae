// The pages, in the order of the menu. Each is loaded when it is first shown.
import type { ComponentType } from 'preact';
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
    load: async () => (await import('../check/page.tsx')).CheckPage,
  },
];
