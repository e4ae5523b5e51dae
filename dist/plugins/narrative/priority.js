/**
 * The hint to a review queue, from score, confidence and catfish flag alone; the intent never changes it.
 * - AUTO_APPROVE: 85 and above, high confidence, no catfish flag.
 * - AUTO_REJECT: below 40 with the catfish flag, on evidence that is not of low confidence. A low score without the flag
 *   is mostly missing evidence, which is no reason to reject anybody.
 * - MANUAL_REVIEW: everything else.
 */
export function priorityOf({ score, confidence, possible_catfish: catfish }) {
    if (score >= 85 && confidence === 'HIGH' && !catfish)
        return 'AUTO_APPROVE';
    if (score < 40 && catfish && confidence !== 'LOW')
        return 'AUTO_REJECT';
    return 'MANUAL_REVIEW';
}
