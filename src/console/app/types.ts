// Types of the bodies that the server answers, derived from the schemas that describe them. Only types are imported: no schema is in the bundle.
import type { InferInput, InferOutput } from 'valibot';
import type { accountSchema } from '../../http/admin/accounts.ts';
import type { evaluationSchema } from '../../http/admin/evaluations.ts';
import type * as features from '../../http/admin/features.ts';
import type { forgetResultSchema } from '../../http/admin/graph/forget.ts';
import type * as imports from '../../http/admin/graph/imports.ts';
import type { manualLinkListSchema, manualLinkSchema } from '../../http/admin/graph/manual-links.ts';
import type {
  graphStatsSchema,
  graphSurveySchema,
  sourceListSchema,
} from '../../http/admin/graph/overview.ts';
import type * as people from '../../http/admin/graph/people.ts';
import type { undoResultSchema } from '../../http/admin/graph/maintenance.ts';
import type * as keys from '../../http/admin/keys.ts';
import type * as logs from '../../http/admin/logs.ts';
import type { doctorReportSchema } from '../../http/admin/maintenance.ts';
import type { planSchema } from '../../http/admin/plans.ts';
import type { invoicePageSchema, usagePageSchema } from '../../http/admin/usage.ts';
import type { watchEventWithOwnerSchema, watchesWithOwnersPageSchema } from '../../http/admin/watches.ts';
import type { webhookEndpointSchema, webhookMessagePageSchema } from '../../http/admin/webhooks.ts';
import type { consoleSessionSchema } from '../../http/console/sign-in.ts';
import type { readinessSchema } from '../../http/health.ts';
import type { checkAnswerSchema, enhancedCheckAnswerSchema } from '../../http/schema/check.ts';
import type { jobListSchema, jobResultSchema, jobSchema } from '../../http/schema/jobs.ts';
import type { checkRequestSchema } from '../../http/schema/request.ts';
import type { problemSchema } from '../../http/schema/builders.ts';

/** Page of a list. `next` is the cursor of the next page; null on the last page. */
export interface ListPage<T> {
  items: T[];
  next: string | null;
}

type ItemOf<P extends { items: unknown[] }> = P['items'][number];

export type ConsoleSession = InferOutput<typeof consoleSessionSchema>;
export type ProblemDocument = InferOutput<typeof problemSchema>;
export type CheckRequest = InferInput<typeof checkRequestSchema>;
export type CheckAnswer =
  | InferOutput<typeof checkAnswerSchema>
  | InferOutput<typeof enhancedCheckAnswerSchema>;

export type Job = InferOutput<typeof jobSchema>;
export type JobList = InferOutput<typeof jobListSchema>;
export type JobResult = InferOutput<typeof jobResultSchema>;

export type Account = InferOutput<typeof accountSchema>;
export type ApiKey = InferOutput<typeof keys.apiKeySchema>;
export type CreatedApiKey = InferOutput<typeof keys.createdApiKeySchema>;
export type ApiKeyRotation = InferOutput<typeof keys.rotatedApiKeySchema>;
export type HarvestingAssessments = InferOutput<typeof keys.apiKeyHarvestingAssessmentsSchema>;
export type Plan = InferOutput<typeof planSchema>;
export type AccountUsage = ItemOf<InferOutput<typeof usagePageSchema>>;
export type Invoice = ItemOf<InferOutput<typeof invoicePageSchema>>;

export type CallsOverTime = InferOutput<typeof logs.callsOverTimeSchema>;
export type Readiness = InferOutput<typeof readinessSchema>;
export type LoggedCall = InferOutput<typeof logs.loggedCallSchema>;
export type RefusedCall = ItemOf<InferOutput<typeof logs.refusalPageSchema>>;
export type RefusedCallDetails = InferOutput<typeof logs.refusalDetailsSchema>;
export type WebhookMessage = ItemOf<InferOutput<typeof webhookMessagePageSchema>>;
export type WebhookEndpoint = InferOutput<typeof webhookEndpointSchema>;
export type WatchPage = InferOutput<typeof watchesWithOwnersPageSchema>;
export type Watch = ItemOf<WatchPage>;
export type WatchEvent = InferOutput<typeof watchEventWithOwnerSchema>;
export type AuditEntry = ItemOf<InferOutput<typeof logs.auditEntryPageSchema>>;
export type AuditVerification = InferOutput<typeof logs.auditVerificationSchema>;
export type Diagnostics = InferOutput<typeof doctorReportSchema>;
export type FeatureSettings = InferOutput<typeof features.featuresSchema>;
export type AiFeature = FeatureSettings['features'][number];
export type FeatureTestResults = InferOutput<typeof features.featureTestResultsSchema>;
export type FeatureFailures = InferOutput<typeof features.featureFailuresSchema>;

export type GraphStatistics = InferOutput<typeof graphStatsSchema>;
export type RecordSourceSummary = ItemOf<InferOutput<typeof sourceListSchema>>;
export type GraphSurvey = InferOutput<typeof graphSurveySchema>;
export type ImportList = InferOutput<typeof imports.importListSchema>;
export type ImportFile = InferOutput<typeof imports.importSchema>;
export type ImportSettings = InferOutput<typeof imports.importReadOptionsSchema>;
export type ImportContents = NonNullable<ImportFile['found']>;
export type ImportColumn = ImportContents['columns'][number];
export type UndoableImport = NonNullable<ImportList['undo']>;
export type UndoneImport = InferOutput<typeof undoResultSchema>;

export type PeopleSearchResponse = InferOutput<typeof people.peopleSearchResultSchema>;
export type IdentityDetails = InferOutput<typeof people.identityCardSchema>;
export type PersonExport = InferOutput<typeof people.personExportSchema>;
export type ExportedRecord = PersonExport['records'][number];
export type IdentityRecord = IdentityDetails['records'][number];
export type IdentityLinks = InferOutput<typeof people.identityLinksSchema>;
export type ErasurePlanOrResult = InferOutput<typeof forgetResultSchema>;
export type ErasureReceipt = NonNullable<ErasurePlanOrResult['receipt']>;
export type CreatedManualLink = InferOutput<typeof manualLinkSchema>;
export type ManualLink = ItemOf<InferOutput<typeof manualLinkListSchema>>;

export type EvaluationRun = InferOutput<typeof evaluationSchema>;
export type Evaluation = NonNullable<EvaluationRun['evaluation']>;
export type EvaluationComparison = NonNullable<EvaluationRun['comparison']>;
