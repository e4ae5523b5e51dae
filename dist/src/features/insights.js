import { runFeature } from './feature.js';
const NOT_REQUESTED = { ai_enabled: false, reason: 'Not requested' };
/** The whole value. Never rejects. The narrative always runs, since `overview` cannot be left out; the others only where they are asked for. */
export async function insightsOf(request, setup, tools) {
    const run = (slot) => runFeature(setup.features[slot], request, tools);
    if (request.endpoint === 'validate_ai') {
        const { failed, blocks } = await run('trust_enhancement');
        return {
            ai_enabled: !failed,
            trust_enhancement: failed ? null : blocks.trust_enhancement,
            overview: failed ? null : blocks.overview,
            fraud_detection: null,
            name_matching: null,
        };
    }
    const { include } = request;
    const [narrative, fraud, names] = await Promise.all([
        run('trust_enhancement'),
        include.fraud_detection ? run('fraud_detection') : undefined,
        include.name_matching ? run('name_matching') : undefined,
    ]);
    const asked = [narrative, fraud, names].filter((result) => result !== undefined);
    return {
        ai_enabled: asked.some((result) => !result.failed),
        trust_enhancement: include.trust_enhancement ? narrative.blocks.trust_enhancement : NOT_REQUESTED,
        overview: narrative.blocks.overview,
        fraud_detection: fraud?.blocks.fraud_detection ?? NOT_REQUESTED,
        name_matching: names?.blocks.name_matching ?? NOT_REQUESTED,
    };
}
