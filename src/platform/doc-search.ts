// Search in the pages of documentation, section by section.
import { listDocPages, readDocPage, README_PAGE, type DocPage } from './assets.ts';

export interface DocSearchResult {
  page: string;
  title: string;
  heading: string;
  /** First line of the section with a word of the search; empty if only the heading contains one. */
  excerpt: string;
}

interface Section extends Omit<DocSearchResult, 'excerpt'> {
  lines: string[];
  text: string;
}

let sections: Section[] | undefined;
const MAX_RESULTS = 30;
const MAX_WORDS = 8;

/** Returns the sections that contain all words of a search. Sections with the words in a heading come first. */
export function searchDocPages(search: string): DocSearchResult[] {
  const words = (search.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  sections ??= [{ page: README_PAGE, title: 'Bonafide' }, ...listDocPages()].flatMap(toSections);
  const countIn = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  return sections
    .filter(({ title, text }) =>
      words.every((word) => text.includes(word) || title.toLowerCase().includes(word)),
    )
    .map((section) => ({ section, rank: 3 * countIn(section.heading) + countIn(section.title) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_RESULTS)
    .map(({ section: { page, title, heading, lines } }) => ({
      page,
      title,
      heading,
      excerpt: lines.find((line) => countIn(line) > 0) ?? '',
    }));
}

function toSections({ page, title }: Pick<DocPage, 'page' | 'title'>): Section[] {
  const parts = (readDocPage(page) ?? '').split(/^(?=#{1,3} )/m);
  return parts.map((part) => {
    const [head = '', ...lines] = part.split('\n');
    const heading = head.replace(/^#+ /, '');
    return { page, title, heading, lines: lines.filter((line) => line !== ''), text: part.toLowerCase() };
  });
}
