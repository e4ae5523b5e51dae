-- Finds the callers of several keys: all look-ups of one turn of a server's event loop. For each key it returns what `admit_1` returns, with the
-- limits of each of its calls. Keys are locked in one order, so that two servers never wait for each other.
--   lookups   [[hash of the key's text in hexadecimal or null, id of the key or null, time, number of calls to start] …]; 0 calls only reads the limits
-- The result is `KeyLookupReply` in src/store/postgres/admit.ts for each look-up, in the same order; null for a key that may not be used.
CREATE FUNCTION admit_2(batch jsonb, server text, given double precision) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  replies json[] := array_fill(NULL::json, ARRAY[jsonb_array_length(batch -> 'lookups')]);
  q record;
  own record;
  months json;
  entered json[];
  taking boolean;
BEGIN
  FOR q IN
    SELECT a.place, (a.e ->> 2)::bigint AS at, (a.e ->> 3)::integer AS calls, k.*
      FROM jsonb_array_elements(batch -> 'lookups') WITH ORDINALITY AS a (e, place)
      JOIN keys k ON k.id = coalesce(a.e ->> 1, (SELECT h.id FROM keys h WHERE h.hash = decode(a.e ->> 0, 'hex')))
      WHERE k.revoked IS NULL AND coalesce(k.expires > (a.e ->> 2)::bigint, true)
      ORDER BY k.chain, a.place
  LOOP
    IF q.account IS NOT NULL THEN
      SELECT * INTO own FROM in_force_1(q.account, q.at);
      CONTINUE WHEN own.closed IS NOT NULL;
      IF own.terms IS NOT NULL THEN
        SELECT json_agg(json_build_array(m.month, m.used, m.beyond)) INTO months FROM months_1(q.account, month_of(q.at)) m;
        -- If the key is restricted to networks, nothing is taken before the address of the caller was checked.
        taking := q.calls > 0 AND q.allowed_addresses IS NULL;
        entered := '{}';
        FOR i IN 1 .. CASE WHEN taking THEN q.calls ELSE 1 END LOOP
          entered := entered || enter_1(q.chain, own.terms::json, server, taking, given);
        END LOOP;
        replies[q.place] := json_build_object('id', q.id, 'chain', q.chain, 'account', q.account, 'prefix', q.prefix,
          'scopes', q.scopes, 'allowed', q.allowed_addresses, 'region', q.region, 'plan', own.plan, 'version', own.version,
          'terms', own.terms, 'months', months, 'taken', taking, 'entered', array_to_json(entered));
        CONTINUE;
      END IF;
    END IF;
    replies[q.place] := json_build_object('id', q.id, 'chain', q.chain, 'account', q.account, 'prefix', q.prefix,
      'scopes', q.scopes, 'allowed', q.allowed_addresses, 'region', q.region);
  END LOOP;
  RETURN array_to_json(replies);
END $$;
