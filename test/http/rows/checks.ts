// Tests of successful checks, for several programs: `open` returns a server together with a program that
// calls it.
import { describe, expect, it } from 'vitest';
import { JANE, json } from '../../kit/app.ts';
import type { TestApp } from '../../kit/app.ts';
import { counted, loggedCalls } from './counted.ts';

export function checkRows(open: () => Promise<TestApp>): void {
  describe('a check', () => {
    it('is answered from the graph, and recorded before the answer', async () => {
      const test = await open();
      const response = await test.post('/v1/validate', JANE);
      const body = await json(response);
      expect(response.status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        request_id: response.headers.get('x-request-id'),
        status: 'HIGH',
        possible_catfish: false,
        dominant_identity: 1,
        ai_insights: null,
        input_validation: {
          overall_match: { all_components_match_same_identity: true, matched_identity: 1 },
        },
      });
      expect(body.trustworthiness_score).toBe(body.combined_trust_score.final);
      expect([counted(test), loggedCalls(test)]).toEqual([1, 1]);
      expect(response.headers.get('vary')).toBe('Accept-Version');
    });

    it('has its verdict word in a header and in the call log: nobody on record is not suspicious', async () => {
      const test = await open();
      const stranger = { name: 'Nobody Known', emails: ['nobody.known@example.com'] };
      const words: (string | null)[] = [];
      for (const path of [
        '/v1/validate',
        '/v1/validate?ai=true',
        '/v1/validate/enhanced',
        '/v1/validate?response=v2',
      ])
        for (const body of [JANE, stranger, { name: 'Jane Doe' }]) {
          const response = await test.post(path, body);
          const { message, request_id } = await json(response);
          const word = response.headers.get('bonafide-verdict');
          expect(message.split(':')[0]).toBe(word?.toUpperCase().replace('-', ' '));
          expect((await json(test.send(`/v1/requests/${request_id}`))).verdict).toBe(word);
          words.push(word);
        }
      expect(words.slice(0, 3)).toEqual(['verified', 'no-record', 'name-only']);
      const refused = await test.post('/v1/validate', {});
      expect(refused.headers.has('bonafide-verdict')).toBe(false);
    });

    it('gives the same answer in either request shape and on either route, except for the id', async () => {
      const test = await open();
      const legacy = {
        nameAddresses: [
          {
            fullName: JANE.name,
            address: { line1: '12 Larch Street', city: 'Springfield', region: 'IL', postalCode: '62701' },
          },
        ],
        emailAddresses: JANE.emails,
        phoneNumbers: JANE.phones,
      };
      const answers = await Promise.all(
        [
          test.post('/v1/validate', JANE),
          test.post('/v1/validate', legacy),
          test.post('/v1/validate?ai=true', JANE),
          test.post('/v1/validate/enhanced', JANE),
        ].map(async (response) => {
          const { request_id: _, ai_insights: __, ...base } = await json(response);
          return JSON.stringify(base);
        }),
      );
      expect(new Set(answers).size).toBe(1);
      expect(counted(test)).toBe(4);
    });

    it('is answered in version 2 on request; the query overrides the header', async () => {
      const { post } = await open();
      const version = async (path: string, header?: string) => {
        const response = await post(path, JANE, header ? { 'accept-version': header } : {});
        return (await json(response)).response_version ?? 'v1';
      };
      expect(await version('/v1/validate')).toBe('v1');
      expect(await version('/v1/validate?response=v2')).toBe('v2');
      expect(await version('/v1/validate', 'v2')).toBe('v2');
      expect(await version('/v1/validate/enhanced?response=v2')).toBe('v2');
      expect(await version('/v1/validate?response=v1', 'v2')).toBe('v1');
    });

    it('takes ai as true, false, 1 or 0 in any letter case, and nothing else', async () => {
      const { post } = await open();
      const status = async (ai: string) => {
        const body = await json(post(`/v1/validate?ai=${ai}`, JANE));
        return body.status === 422 ? 422 : body.ai_insights !== null;
      };
      const asked = ['true', 'TRUE', '1', 'false', 'False', '0', 'yes', '', 'constructor'];
      expect(await Promise.all(asked.map(status))).toEqual([
        true,
        true,
        true,
        false,
        false,
        false,
        422,
        422,
        422,
      ]);
    });

    it('with raw shows the answer of the graph to a key with the scope', async () => {
      const test = await open();
      const body = { ...JANE, operation: 'raw' };
      const { raw } = await json(test.post('/v1/validate', body));
      expect(raw).toMatchObject({ graph: { total: 2, values: expect.any(Array) }, scoring_model: 23 });
      const refused = await test.post('/v1/validate', body, { 'x-api-key': test.key(['validate']) });
      expect([refused.status, (await json(refused)).code]).toEqual([403, 'forbidden']);
      expect(counted(test)).toBe(1);
    });

    it('with AI has the blocks of its operation', async () => {
      const { post } = await open();
      const ai = (await json(post('/v1/validate?ai=true', JANE))).ai_insights;
      expect(Object.keys(ai)).toEqual([
        'ai_enabled',
        'trust_enhancement',
        'overview',
        'fraud_detection',
        'name_matching',
      ]);
      expect([ai.fraud_detection, ai.name_matching]).toEqual([null, null]);
      const body = { ...JANE, include_trust_enhancement: false, include_fraud_detection: false };
      const enhanced = (await json(post('/v1/validate/enhanced', body))).ai_insights;
      const notRequested = { ai_enabled: false, reason: 'Not requested' };
      expect(enhanced).toMatchObject({ trust_enhancement: notRequested, fraud_detection: notRequested });
      expect(enhanced.name_matching).toMatchObject({ name_analysis: { variation_type: 'exact' } });
    });
  });
}
