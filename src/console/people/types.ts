// What the routes about people on record answer, as far as the pages use it.
export interface RecordName {
  source: string;
  record_id: string;
}

export interface Found {
  people: {
    identity: number;
    names: string[];
    has: { kind: string; index: number; how: string }[];
    records: (RecordName & { holds: boolean })[];
  }[];
  more: number;
}

export interface Card {
  identity: number;
  merged_from: number | null;
  names: string[];
  first_seen: string | null;
  last_seen: string | null;
  records: RecordName[];
}

export interface Why {
  /** Null where the two can never be one. */
  bits: number | null;
  conflict: boolean;
  together: boolean;
  needed: number;
  evidence: { bits: number | null; what: string }[];
}

export interface Judged {
  id: number;
  kind: 'split' | 'join';
  records: number;
  identities: number[];
}

export interface Judgement {
  id: number;
  kind: 'split' | 'join';
  who: string;
  why: string;
  time: string;
  undone: string | null;
  records: number[];
}

export interface Receipt {
  finished: boolean;
  time: string;
  records: number;
  sources: Record<string, number>;
  identities: number[];
  searched: number;
  traces: string[];
  /** What could not be searched. */
  unsearched?: string[];
  rewritten: boolean;
  logs_empty: boolean;
  /** Where bytes of them may be for a while that no command takes out. */
  beyond?: string;
  marks: string[];
}

export interface Forgotten {
  records: number;
  people: { identity: number | null; names: string[]; records: RecordName[]; others: number }[];
  receipt: Receipt | null;
}

/** How a record is named in a request. */
export const referenceOf = ({ source, record_id: id }: RecordName): string => `${source}:${id}`;
