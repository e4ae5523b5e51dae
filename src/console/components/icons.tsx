// Icons as SVG paths, 16 units wide, stroked in the colour of the text around them.
const PATHS = {
  check: 'M3 8.5 6.4 12 13 4.5',
  chart: 'M2 13.5h12M4.5 11V7.5M8 11V3.5M11.5 11V6',
  key: 'M9.2 6.8 14 2M11.5 4.5l2 2M9.8 9.7a3.4 3.4 0 1 1-4.8-4.8 3.4 3.4 0 0 1 4.8 4.8Z',
  list: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.6M2 8h.6M2 12h.6',
  spark: 'M8 1.8 9.5 6.5 14.2 8 9.5 9.5 8 14.2 6.5 9.5 1.8 8 6.5 6.5Z',
  graph:
    'M4 5.6a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM12 7.4a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM6.6 14a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM5.8 4.2l4.5 1M4.5 5.5l1.5 5M10.9 7.1l-3.1 3.8',
  target: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 10.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z',
  send: 'M14 2 7.2 8.8M14 2 9.6 14 7.2 8.8 2 6.4Z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  audit: 'M4 2h6l3 3v9H4ZM10 2v3h3M6.5 8.5h4M6.5 11h4',
  book: 'M3 3h4a1.5 1.5 0 0 1 1 .6A1.5 1.5 0 0 1 9 3h4v9.5H9.3a1.6 1.6 0 0 0-1.3.7 1.6 1.6 0 0 0-1.3-.7H3ZM8 3.6v9.4',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13.3 9.7A5.8 5.8 0 0 1 6.3 2.7a5.8 5.8 0 1 0 7 7Z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5h8v8h-8ZM3.8 10.5H2.5v-8h8v1.3',
  signOut: 'M9.5 2.5h-6v11h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.4V11M8 5v.3',
  warning: 'M8 2.2 14.4 13.4H1.6ZM8 6.6v3M8 11.4v.3',
  people:
    'M6 7.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM1.5 13.6c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4M10.6 2.8a2.6 2.6 0 0 1 0 4.6M12 9.9c1.5.5 2.3 1.8 2.5 3.7',
  reload: 'M13 6.5A5.3 5.3 0 1 0 13.2 9M13.3 2.8v3.8H9.5',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
