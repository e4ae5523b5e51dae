-- Finds the callers of several keys: all look-ups of one turn of a server's event loop. For each key it returns what `admit_1` returns, with the
-- limits of each of its calls. Keys are locked in one order, and the calls that are started come first, because they take a lock of the key before
-- that of its bucket: so two servers never wait for each other.
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
      ORDER BY k.chain, ((a.e ->> 3)::integer > 0 AND k.allowed_addresses IS NULL) DESC, a.place
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
--> statement-breakpoint
-- Takes one token of a bucket, or only reads the bucket, which locks nothing; see `takeToken` in src/accounts/limits.ts. `was` is the stored state before.
CREATE OR REPLACE FUNCTION take_1(
  bucket text, every double precision, burst double precision, taking boolean, at double precision,
  OUT allowed boolean, OUT was double precision
) LANGUAGE plpgsql AS $$
DECLARE
  whole double precision;
BEGIN
  IF taking THEN
    INSERT INTO buckets (name, full_at) SELECT bucket, 0 WHERE NOT EXISTS (SELECT 1 FROM buckets WHERE name = bucket)
      ON CONFLICT DO NOTHING;
    SELECT full_at INTO was FROM buckets WHERE name = bucket FOR UPDATE;
  ELSE
    SELECT full_at INTO was FROM buckets WHERE name = bucket;
  END IF;
  whole := least(greatest(coalesce(was, at), at), at + burst * every);
  allowed := floor(burst - (whole - at) / every + 1e-6) >= 1;
  IF taking AND allowed THEN
    UPDATE buckets SET full_at = least(whole + every, at + burst * every) WHERE name = bucket;
  -- After the clock was set back the bucket is empty, and fills from then on.
  ELSIF taking AND whole < was THEN
    UPDATE buckets SET full_at = whole WHERE name = bucket;
  END IF;
END $$;
--> statement-breakpoint
-- Removes calls of keys from the calls in flight of a server. Rows are locked in the order of `admit_2`.
CREATE OR REPLACE FUNCTION leave_1(of_keys text[], by_counts bigint[], server text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM flights f WHERE f.key = ANY (of_keys) AND f.process = server ORDER BY f.key FOR UPDATE;
  UPDATE flights f SET calls = greatest(0, f.calls - l.calls)
    FROM (SELECT key, calls FROM unnest(of_keys, by_counts) AS u (key, calls)) l WHERE f.key = l.key AND f.process = server;
END $$;
