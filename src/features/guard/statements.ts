// Check of the statements that a text makes about the facts. The patterns read English, clause by clause. A doubtful clause is rejected: a
// rejected answer is requested again, but a false answer would be believed.
import type { Facts, FieldFacts } from '../plugin/facts.ts';

type Known = Partial<Facts>;

const FIELDS = {
  name: /\bnames?\b/i,
  email: /\be-?mails?\b/i,
  phone: /\bphones?\b/i,
  address: /\baddress(es)?\b/i,
};
type FieldName = keyof typeof FIELDS;

// "submitted" counts as a statement only as a verb: "the submitted name" states nothing.
const NOT_SENT =
  /\bno (\w+ ){1,4}?((was|were|has been|have been) )?(sent|submitted|provided|given|supplied)\b(?! (name|e-?mail|phone|address|contact))|\b(was|were|been) not (sent|submitted|provided|given|supplied)\b/i;
const NO_RECORD =
  /\b(no (matching |identity )?records?|unverified|no match(es)?|not on record|not found|without (a |any )?(matching )?records?)\b/i;
const OTHER =
  /\b(different|another|other|separate) (identit(y|ies)|person|people|individuals?)\b|\bsomeone else\b|\bpointing elsewhere\b/i;
const POSITIVE =
  /\b(?:match(?:es|ed)?|verified|confirm(?:s|ed)|belongs? to|linked to|resolves? to|leads? to|agrees?|on record for)\b|\bcorroborat\w/i;
const DENIED =
  /\b(?:does|do|did|is|are|was|were)(?: not|n['’]t) (?:match(?:ed|ing)?|agree|belong|verified|confirmed|linked)\b|\bmismatch/i;
const EVERY = /\b(all|every|each|both)\b/i;

/** Finds the statements in a text that contradict the facts of the check. Returns one sentence per statement. */
export function listFalseStatementProblems(text: string, facts: Known): string[] {
  const problems = [...scoreProblems(text, facts), ...countProblems(text, facts)];
  if (!facts.matches) return problems;
  for (const clause of splitClauses(text)) {
    if (UNSURE.test(clause)) continue;
    const named = (Object.keys(FIELDS) as FieldName[]).filter((field) => FIELDS[field].test(clause));
    const isAlternative = /\bor\b/i.test(clause);
    const wrong = named
      .map((field) => findClauseProblem(clause, field, facts))
      .filter((found) => found !== undefined);
    if (isAlternative ? wrong.length === named.length && wrong.length > 0 : wrong.length > 0)
      problems.push(...wrong);
  }
  return problems;
}

/** Splits a text into clauses. "and" separates two clauses only if both sides have a verb. */
function splitClauses(text: string): string[] {
  const parts = text.split(/[.;:,!?]|\b(?:but|while|although|though|whereas|yet|however)\b/);
  const hasVerb = (part: string): boolean =>
    [POSITIVE, NO_RECORD, OTHER, DENIED].some((verb) => verb.test(part));
  return parts.flatMap((part) => {
    const halves = part.split(/\band\b/).filter((half) => half.trim() !== '');
    return halves.length > 1 && halves.every(hasVerb) ? halves : [part];
  });
}

function nameFacts(status: string): FieldFacts {
  const is = (...among: string[]): number => (among.includes(status) ? 1 : 0);
  return {
    submitted: 1,
    matched: is('primary', 'secondary'),
    primary: is('primary'),
    secondary: is('secondary'),
    different: is('different'),
    unverified: is('unverified'),
  };
}

function findClauseProblem(clause: string, field: FieldName, { matches }: Known): string | undefined {
  if (!matches) return undefined;
  const fieldFacts = field === 'name' ? nameFacts(matches.name) : matches[field];
  if (NOT_SENT.test(clause)) return fieldFacts.submitted === 0 ? undefined : `the ${field} was sent`;
  // A clause about several fields may assign a different result to each field, so only a clause about a single field is checked.
  const lone = Object.values(FIELDS).filter((pattern) => pattern.test(clause)).length === 1;
  const held = lone && field !== 'name';
  if (OTHER.test(clause)) {
    const negated = /\b(no|none|not|never)\b/i.test(clause);
    return held && !negated && fieldFacts.different === 0
      ? `no ${field} belongs to another identity`
      : undefined;
  }
  if (NO_RECORD.test(clause))
    return held && fieldFacts.unverified === 0 ? `every ${field} sent has a record` : undefined;
  const { matched, submitted } = fieldFacts;
  if (held && submitted > 0 && matched === submitted && DENIED.test(clause)) return `every ${field} matched`;
  if (!POSITIVE.test(clause) || NEGATION.test(clause)) return undefined;
  if (matched === 0) return `the ${field} did not match`;
  if (lone && EVERY.test(clause) && matched !== submitted) return `not every ${field} matched`;
  return held ? findCountProblem(clause, fieldFacts) : undefined;
}

function findCountProblem(clause: string, { matched, submitted }: FieldFacts): string | undefined {
  const [, said = ''] = new RegExp(COUNTED.source, 'i').exec(clause) ?? [];
  const count = parseCount(said);
  return count === undefined || count === matched ? undefined : `${matched} of ${submitted} matched`;
}

// Numerals in a text, such as "2 of 3 phones" or "four identities". A number next to a noun must be a count of that noun in the facts.
const NUMERALS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
];
/** Pattern of a number and the noun that it counts. In "2 of 3", it captures both numbers. */
const COUNTED =
  /\b(\d+|zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|both)(?: (?:of|out of)(?: the)? (\d+|\w+))?(?: (?:submitted|sent|different|other|separate|matching|matched|unverified|contact))* (e-?mails?|phones?|addresses|address|identit(?:y|ies)|people|contacts?)\b/gi;

/** Parses a number in digits, or a number word up to fifteen; undefined for other text. */
function parseCount(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  if (word.toLowerCase() === 'both') return 2;
  const at = NUMERALS.indexOf(word.toLowerCase());
  return at < 0 ? undefined : at;
}

function countProblems(text: string, { matches }: Partial<Facts>): string[] {
  if (!matches) return [];
  const problems: string[] = [];
  for (const [, first = '', second = '', noun = ''] of text.matchAll(COUNTED)) {
    const allowed = listTrueCounts(noun.toLowerCase(), matches);
    const statedCounts = [first, second]
      .map((word) => parseCount(word))
      .filter((number) => number !== undefined);
    if (statedCounts.some((number) => !allowed.has(number)))
      problems.push(`the facts hold no such count of ${noun}`);
  }
  return problems;
}

/** Returns the numbers of people that a text may mention without contradicting the facts. */
function countPeople({ identities, contacts, name, no_person: nonPerson }: Facts['matches']): Set<number> {
  const further = [...(name === 'different' ? [identities + 1] : []), ...(nonPerson === 'couple' ? [2] : [])];
  return new Set([identities, contacts.different, ...further]);
}

function listTrueCounts(noun: string, matches: Facts['matches']): Set<number> {
  if (/^(identit|people)/.test(noun)) return countPeople(matches);
  if (/^e-?mail/.test(noun)) return new Set(Object.values(matches.email));
  if (noun.startsWith('phone')) return new Set(Object.values(matches.phone));
  if (noun.startsWith('address')) return new Set(Object.values(matches.address));
  const { contacts, of_bearers: own, nameless } = matches;
  const resolved = contacts.submitted - contacts.unverified;
  const others = resolved - own;
  return new Set([...Object.values(contacts), resolved, own, others, nameless, others - nameless]);
}

// Check of the claims that a text makes about the score, the confidence and the verdict.
type Score = Facts['score'];

/** Matches words that make a clause conditional or an advice. Such a clause states no fact. */
const UNSURE = /\b(if|whether|when|unless|should|would|may|might|could|ask|check|compare|confirm that)\b/i;
const NEGATION =
  /\b(?:no|not|none|never|neither|nor|without|nothing|missing|unverified|another|other|separate|elsewhere|few|cannot)\b|\b(?:mismatch|differ)|\wn't\b/i;

const FIGURES = [
  /\bscor(?:e|es|ed|ing)\b(?: (?:of|is|at|was|stands at|comes to))?:? (\d+)/gi,
  /\b(\d+) ?(?:\/|out of|of) ?100\b/gi,
];
const STOLEN_IDENTITY =
  /\b(?:catfish|impersonat|pretend)|\b(?:posing as|(?:stolen|borrowed|false) (?:identity|name)|identity theft)\b/i;

function figureProblems(text: string, { score }: Score): string[] {
  const statedNumbers = FIGURES.flatMap((figure) =>
    Array.from(text.matchAll(figure), (match) => Number(match[1])),
  );
  return statedNumbers.some((number) => number !== score) ? [`the score is ${score}`] : [];
}

function riskProblems(text: string, { verdict, score, possible_catfish: catfish }: Score): string[] {
  const problems: string[] = [];
  if (/\bhigh[- ]risk\b/i.test(text) && verdict !== 'HIGH RISK' && !catfish)
    problems.push(`the verdict is ${verdict}, not high risk`);
  if (/\blow[- ]risk\b/i.test(text) && (score < 65 || catfish))
    problems.push(`the verdict is ${verdict}, not low risk`);
  return problems;
}

function claimsStolenIdentity(text: string): boolean {
  const sentences = text.split(/[.;!?]/);
  return sentences.some((one) => STOLEN_IDENTITY.test(one) && !NEGATION.test(one) && !UNSURE.test(one));
}

/** Finds the statements about score, confidence and verdict that contradict the facts. Returns one sentence per statement. */
function scoreProblems(text: string, { score }: Partial<Facts>): string[] {
  if (!score) return [];
  const problems = figureProblems(text, score);
  const confidence = /\b(high|medium|low)[- ]confidence\b/i.exec(text)?.[1]?.toUpperCase();
  if (confidence && confidence !== score.confidence) problems.push(`the confidence is ${score.confidence}`);
  problems.push(...riskProblems(text, score));
  if (!score.possible_catfish && claimsStolenIdentity(text)) problems.push('the catfish flag is not set');
  return problems;
}
