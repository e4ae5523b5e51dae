// Subjects and words that are banned from every model answer, advice included.
import type { Facts } from '../plugin/facts.ts';

const BANNED_PATTERNS: readonly [pattern: RegExp, problem: string][] = [
  [
    /\b(?:crimes?|jail|prison|police record|court record|(?:arrest|search|outstanding) warrants?)\b|\b(?:criminal|arrest|convict|felon|misdemean|sex offender)/i,
    'it speaks of criminal records, which are not among the facts',
  ],
  [
    /\b(?:credit(?! card)|bankrupt|indebted|insolven|loan default|foreclos)|\bdebts?\b/i,
    'it speaks of credit, which is not among the facts',
  ],
  [
    /\b(employ\w*|unemploy\w*|salary|payroll|job history|occupation|hiring|hire)\b/i,
    'it speaks of employment, which is not among the facts',
  ],
  [
    /\b(?:tenan\w|evict|landlord|rental (?:history|record))|\b(?:renting|leases?)\b/i,
    'it speaks of tenancy, which is not among the facts',
  ],
  [
    /\b(fake|bogus|phony|invalid|counterfeit|unverifiable|made[- ]up)\b/i,
    'it calls a value fake or invalid; no matching record is not a negative finding',
  ],
  [
    /\b(could not|couldn['’]t|cannot|can['’]t|can not|unable to) (be )?(verif(y|ied)|validated?|confirm(ed)?)\b/i,
    'it says that a value could not be verified; say that there is no matching record',
  ],
  [/\bfail(s|ed|ing|ure)?\b/i, 'it speaks of a failure; Unverified means no matching record'],
  [
    /\b(?:definitely|certainly|undoubtedly|beyond (?:any )?doubt|100 ?% (?:safe|sure|certain|real))\b|\bguarantee/i,
    'it promises more than a score can',
  ],
  [
    /\b(scammers?|fraudsters?|impost[eo]rs?|con (artist|man|woman)|crooks?|thief|thieves|liars?|lying)\b|\bis an? (fraud|scam)\b/i,
    'it accuses somebody; say what the records show instead',
  ],
  [
    /https?:|www\.|<\/?[a-z][^<>]*>|\S@[^\s@]+\.\S|[\w-]\.(com|net|org|info|biz|io|co|ru|cn|xyz|top|online|site|app|shop|link|example)\b/i,
    'it holds a link, markup or an e-mail address',
  ],
  // Tabs and line feeds are harmless; characters that change the writing direction are not.
  [/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u, 'it holds control characters'],
];
const VERDICT_WORDS = /\b(VERIFIED|LIKELY REAL|SUSPICIOUS|HIGH RISK)\b/g;

/** Finds banned subjects and words in a text. Returns one sentence per problem, to be sent to the model when it is asked again. */
export function listBannedContentProblems(text: string, { score }: Partial<Facts>): string[] {
  const problems = BANNED_PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, problem]) => problem);
  const quoted = text.match(VERDICT_WORDS) ?? [];
  if (score && quoted.some((word) => word !== score.verdict))
    problems.push(`the verdict is ${score.verdict}`);
  if (/\bsuspicious\b/i.test(text.replaceAll('SUSPICIOUS', ''))) {
    problems.push('it calls something suspicious; say what the records show instead');
  }
  return problems;
}
