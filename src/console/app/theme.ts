// Light or dark theme: the system's, unless the user chose one. The choice is all that the console stores in the browser.
const STORAGE_KEY = 'bonafide-theme';

export type Theme = 'light' | 'dark';

export const THEME_CHANGED_EVENT = 'bonafide:theme';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function chosenTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}

export const getCurrentTheme = (): Theme => chosenTheme() ?? (systemIsDark.matches ? 'dark' : 'light');

function applyTheme(): void {
  document.documentElement.dataset.theme = getCurrentTheme();
  dispatchEvent(new Event(THEME_CHANGED_EVENT));
}

export function applyAndFollowSystemTheme(): void {
  applyTheme();
  systemIsDark.addEventListener('change', applyTheme);
}

export function toggleTheme(): void {
  try {
    localStorage.setItem(STORAGE_KEY, getCurrentTheme() === 'dark' ? 'light' : 'dark');
  } catch {
    // A browser without storage keeps the system's theme.
  }
  applyTheme();
}
