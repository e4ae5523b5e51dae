// Types of an answer in version 1, written from the specification alone.

export type Kind = 'email' | 'phone' | 'address';
export type Field = 'name' | Kind;
export const KINDS: readonly Kind[] = ['email', 'phone', 'address'];
export const FIELDS: readonly Field[] = ['name', ...KINDS];

export interface Place {
  street?: string;
  street2?: string;
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
}

/** A request body in the current shape. */
export interface Body {
  name: string;
  emails?: string[];
  phones?: string[];
  addresses?: Place[];
  intent?: string;
  operation?: 'validate' | 'raw';
  include_trust_enhancement?: boolean;
  include_fraud_detection?: boolean;
  include_name_matching?: boolean;
}

export interface Row {
  input: unknown;
  standardized: unknown;
  match_status: string;
  matched_identity: number | null;
  is_primary: string;
  validated: boolean;
}

export interface Block {
  input: unknown;
  match_status: string | null;
  matched_identity: number | null;
  is_primary: string;
  match_message: string | null;
  inputs: Row[];
}

export interface FieldSummary {
  status: string | null;
  matched_identity: number | null;
  total: number;
  validated: number;
  primary_for_dominant: number;
  validated_for_dominant: number;
  validated_other_identities: Record<string, number>;
  unverified: number;
}

/** One weighed piece of evidence, as `operation: raw` shows it. */
export interface Explained {
  code: string;
  field: string | null;
  index: number | null;
  key: string | null;
  weight: number;
  score_without: number;
}

export interface Feature {
  ai_enabled: boolean;
  feature?: string;
  model?: string;
  reason?: string;
  error?: unknown;
}
export interface Narrative extends Feature {
  intent?: string;
  ai_trust_analysis?: {
    summary: string;
    key_factors: string[];
    red_flags: string[];
    recommendations: string[];
  };
}
export interface Overview {
  overview: string;
  key_findings: string[];
  positive_signals: string[];
  risk_factors: string[];
  recommended_actions: string[];
  review_priority: string;
}
export interface Fraud extends Feature {
  fraud_analysis?: {
    risk_level: string;
    confidence: number;
    patterns_detected: string[];
    velocity_concerns: boolean;
    consistency_issues: string[];
    stream_observations: string[];
    recommendation: string;
  };
  history_analyzed?: number;
  request_stream?: {
    records_in_window: number;
    catfish_flag_count: number;
    earliest_timestamp: string | null;
    latest_timestamp: string | null;
  };
  scope_note?: string;
}
export interface NameMatching extends Feature {
  provided_name?: string;
  matched_name?: string | null;
  name_analysis?: {
    match_confidence: number;
    variation_type: string;
    same_person_likely: boolean;
    concerns: string[];
    explanation: string;
  };
  skipped?: boolean;
}
export interface Insights {
  ai_enabled: boolean;
  trust_enhancement: Narrative | null;
  overview: Overview | null;
  fraud_detection: Fraud | null;
  name_matching: NameMatching | null;
}

export interface Answer {
  success: boolean;
  request_id: string;
  trustworthiness_score: number;
  status: string;
  confidence_level: string;
  possible_catfish: boolean;
  summary: string;
  message: string;
  input_validation: { name: Block; email: Block; phone: Block; address?: Block } & {
    overall_match: { all_components_match_same_identity: boolean; matched_identity: number | null };
  };
  identity_score: {
    final: number;
    raw: number;
    adjusted: number;
    penalties: number;
    bonuses: number;
    fraud_risk_penalty: number;
    submitted_fields: string[];
    match_flags: Record<string, string>;
  };
  trust_score: { final: number; raw: number; reasons: string[] };
  combined_trust_score: {
    final: number;
    pre_capped: number;
    confidence_level_label: string;
    explanation: string;
  };
  verification_flags: unknown[];
  insights: string[];
  dominant_identity: number | null;
  field_summary: Partial<Record<Field, FieldSummary>>;
  history: {
    first_seen: string | null;
    last_seen: string | null;
    days_since_first_seen: number | null;
    days_since_last_seen: number | null;
  };
  ai_insights: Insights | null;
  raw?: { graph?: unknown; scoring_model?: unknown; explanation?: Explained[] };
}
