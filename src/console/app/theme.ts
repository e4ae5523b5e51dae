// Light or dark: as the system has it, or as somebody chose. The choice is the one thing that the console keeps in a browser.
const NAME = 'bonafide-theme';
export type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');

function chosen(): Theme | null {
  try {
    const kept = localStorage.getItem(NAME);
    return kept === 'light' || kept === 'dark' ? kept : null;
  } catch {
    return null;
  }
}

export const themeNow = (): Theme => chosen() ?? (system.matches ? 'dark' : 'light');

export const CHANGED = 'bonafide:theme';

function show(): void {
  document.documentElement.dataset.theme = themeNow();
  dispatchEvent(new Event(CHANGED));
}

export function followTheme(): void {
  show();
  system.addEventListener('change', show);
}

export function switchTheme(): void {
  try {
    localStorage.setItem(NAME, themeNow() === 'dark' ? 'light' : 'dark');
  } catch {
    // A browser that keeps nothing shows what its system has.
  }
  show();
}
