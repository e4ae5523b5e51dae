-- Functions on the path of a call: one round trip each. A function whose arguments or result change gets another number, so that servers of
-- the earlier version keep running beside new ones. Times are milliseconds since 1970; tests give the time, otherwise this server's clock applies.
CREATE FUNCTION clock_ms() RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision
$$;
--> statement-breakpoint
CREATE FUNCTION month_of(at double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')
$$;
--> statement-breakpoint
-- Returns the current plan of an account, as `findAccountState` in src/store/serving/current-plan.ts.
CREATE FUNCTION in_force_1(of_account text, at bigint)
RETURNS TABLE (closed bigint, plan text, version integer, terms text) LANGUAGE sql STABLE AS $$
  SELECT a.closed, v.plan, v.version, v.terms FROM accounts a
    LEFT JOIN account_plans p ON p.account = a.id AND p.since = coalesce(
      (SELECT max(since) FROM account_plans WHERE account = a.id AND since <= at),
      (SELECT min(since) FROM account_plans WHERE account = a.id))
    LEFT JOIN plan_versions v ON v.plan = p.plan AND v.version = coalesce(
      (SELECT w.version FROM plan_versions w WHERE w.plan = p.plan AND w.since <= at
         ORDER BY w.since DESC, w.version DESC LIMIT 1), 1)
    WHERE a.id = of_account
$$;
--> statement-breakpoint
-- Returns the usage of an account in a month and in later months (if a clock was ahead), the latest month first, as `getMonthUsage` in
-- src/store/serving/current-plan.ts.
CREATE FUNCTION months_1(of_account text, from_month text)
RETURNS TABLE (month text, used bigint, beyond bigint) LANGUAGE sql STABLE AS $$
  SELECT u.month, sum(CASE WHEN u.plan <> '' THEN u.calls ELSE 0 END)::bigint,
         sum(CASE WHEN u.plan <> '' THEN u.overage ELSE 0 END)::bigint
    FROM account_usage u WHERE u.account = of_account AND u.month >= from_month GROUP BY u.month ORDER BY u.month DESC
$$;
--> statement-breakpoint
-- Takes one token of a bucket, or only reads the bucket, as `takeToken` in src/accounts/limits.ts. `was` is the stored state before.
CREATE FUNCTION take_1(
  bucket text, every double precision, burst double precision, taking boolean, at double precision,
  OUT allowed boolean, OUT was double precision
) LANGUAGE plpgsql AS $$
DECLARE
  whole double precision;
BEGIN
  SELECT full_at INTO was FROM buckets WHERE name = bucket FOR UPDATE;
  IF NOT FOUND AND taking THEN
    INSERT INTO buckets (name, full_at) VALUES (bucket, 0) ON CONFLICT DO NOTHING;
    SELECT full_at INTO was FROM buckets WHERE name = bucket FOR UPDATE;
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
-- Checks the rate and the calls in flight of a key; with `taking`, also takes a token and counts the call. The result is `StoredCallLimitState` in
-- src/store/serving/limiter.ts.
CREATE FUNCTION enter_1(of_key text, terms json, server text, taking boolean, given double precision)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  at double precision := coalesce(given, clock_ms());
  rate json := CASE json_typeof(terms -> 'rate') WHEN 'object' THEN terms -> 'rate' END;
  most bigint := (terms ->> 'concurrency')::bigint;
  worked bigint;
  is_full boolean := false;
  token record;
  counts boolean;
BEGIN
  IF rate IS NULL AND most IS NULL THEN
    RETURN json_build_object('at', at);
  END IF;
  IF most IS NOT NULL THEN
    IF taking THEN
      -- One transaction at a time counts the calls in flight of a key.
      PERFORM pg_advisory_xact_lock(hashtextextended(of_key, 7));
    END IF;
    SELECT coalesce(sum(f.calls), 0)::bigint INTO worked
      FROM flights f JOIN processes p ON p.id = f.process WHERE f.key = of_key AND p.seen > at - 10000;
    is_full := worked >= most;
  END IF;
  IF rate IS NOT NULL THEN
    SELECT * INTO token FROM take_1(
      of_key, 1000 / ((rate ->> 'calls')::double precision / (rate ->> 'seconds')::double precision),
      (rate ->> 'burst')::double precision, taking AND NOT is_full, at);
  END IF;
  counts := taking AND most IS NOT NULL AND NOT is_full;
  IF rate IS NOT NULL THEN
    counts := counts AND token.allowed;
  END IF;
  IF counts THEN
    INSERT INTO flights (key, process, calls) VALUES (of_key, server, 1)
      ON CONFLICT (key, process) DO UPDATE SET calls = flights.calls + 1;
  END IF;
  IF rate IS NULL THEN
    RETURN json_build_object('at', at, 'worked', worked, 'full', is_full, 'counts', counts);
  END IF;
  RETURN json_build_object('at', at, 'worked', worked, 'full', is_full, 'counts', counts,
    'allowed', token.allowed, 'was', token.was);
END $$;
--> statement-breakpoint
-- Removes calls of keys from the calls in flight of a server.
CREATE FUNCTION leave_1(of_keys text[], by_counts bigint[], server text) RETURNS void LANGUAGE sql AS $$
  UPDATE flights f SET calls = greatest(0, f.calls - l.calls)
    FROM (SELECT key, calls FROM unnest(of_keys, by_counts) AS u (key, calls)) l WHERE f.key = l.key AND f.process = server
$$;
--> statement-breakpoint
-- Returns the caller of a key, by the hash of its text or by its id, with the usage of its account and the limits of its plan; with `taking`,
-- also starts the call. The result is `AdmitReply` in src/store/postgres/admit.ts.
CREATE FUNCTION admit_1(
  by_hash bytea, by_id text, at bigint, server text, taking boolean, given double precision
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  k keys%ROWTYPE;
  own record;
  months json;
  entered json;
BEGIN
  IF by_hash IS NOT NULL THEN
    SELECT * INTO k FROM keys WHERE hash = by_hash;
  ELSE
    SELECT * INTO k FROM keys WHERE id = by_id;
  END IF;
  IF NOT FOUND OR k.revoked IS NOT NULL OR k.expires <= at THEN
    RETURN NULL;
  END IF;
  IF k.account IS NOT NULL THEN
    SELECT * INTO own FROM in_force_1(k.account, at);
    IF own.closed IS NOT NULL THEN
      RETURN NULL;
    END IF;
    IF own.terms IS NOT NULL THEN
      SELECT json_agg(json_build_array(m.month, m.used, m.beyond)) INTO months FROM months_1(k.account, month_of(at)) m;
      -- If the key is restricted to networks, nothing is taken before the address of the caller was checked.
      entered := enter_1(k.chain, own.terms::json, server, taking AND k.allowed_addresses IS NULL, given);
      RETURN json_build_object('id', k.id, 'chain', k.chain, 'account', k.account, 'prefix', k.prefix, 'scopes', k.scopes,
        'allowed', k.allowed_addresses, 'region', k.region, 'plan', own.plan, 'version', own.version, 'terms', own.terms,
        'months', months, 'taken', taking AND k.allowed_addresses IS NULL, 'entered', entered);
    END IF;
  END IF;
  RETURN json_build_object('id', k.id, 'chain', k.chain, 'account', k.account, 'prefix', k.prefix, 'scopes', k.scopes,
    'allowed', k.allowed_addresses, 'region', k.region);
END $$;
--> statement-breakpoint
-- Begins an attempt of a call with an Idempotency-Key. The result is `IdempotentAttemptReply` in src/store/serving/idempotency.ts.
CREATE FUNCTION begin_1(print bytea, of_request bytea, id text, at bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent record;
  clock bigint := clock_ms();
BEGIN
  SELECT s.request, s.request_id INTO spent FROM idempotency s WHERE s.fingerprint = print AND s.expires > at;
  IF FOUND THEN
    RETURN json_build_object('counted', spent.request_id, 'same', spent.request = of_request, 'begun', false);
  END IF;
  INSERT INTO work AS w (fingerprint, request, request_id, until) VALUES (print, of_request, id, clock + 15000)
    ON CONFLICT (fingerprint) DO UPDATE
      SET request = excluded.request, request_id = excluded.request_id, until = excluded.until
      WHERE w.until <= clock OR w.until > clock + 15000;
  IF NOT FOUND THEN
    SELECT w.request INTO spent FROM work w WHERE w.fingerprint = print;
    RETURN json_build_object('same', spent.request = of_request, 'begun', false);
  END IF;
  -- The attempt that was in progress may have been counted between the two look-ups.
  SELECT s.request, s.request_id INTO spent FROM idempotency s WHERE s.fingerprint = print AND s.expires > at;
  IF FOUND THEN
    RETURN json_build_object('counted', spent.request_id, 'same', spent.request = of_request, 'begun', true);
  END IF;
  RETURN json_build_object('begun', true);
END $$;
--> statement-breakpoint
CREATE FUNCTION end_1(print bytea, id text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM work WHERE fingerprint = print AND request_id = id
$$;
--> statement-breakpoint
-- Takes one token of a bucket of probes.
CREATE FUNCTION probe_1(bucket text, every double precision, burst double precision, given double precision)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  at double precision := coalesce(given, clock_ms());
  token record;
BEGIN
  SELECT * INTO token FROM take_1(bucket, every, burst, true, at);
  RETURN json_build_object('at', at, 'allowed', token.allowed, 'was', token.was);
END $$;
--> statement-breakpoint
-- Records the heartbeat of a server, and removes servers that ended, their calls in flight and expired attempts.
CREATE FUNCTION alive_1(server text, given double precision) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  at bigint := coalesce(given, clock_ms());
BEGIN
  INSERT INTO processes (id, seen) VALUES (server, at) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen;
  DELETE FROM flights WHERE ctid IN (SELECT f.ctid FROM flights f
    WHERE f.calls = 0 OR NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = f.process AND p.seen > at - 10000)
    FOR UPDATE SKIP LOCKED);
  DELETE FROM processes WHERE ctid IN (SELECT p.ctid FROM processes p WHERE p.seen <= at - 60000 FOR UPDATE SKIP LOCKED);
  DELETE FROM work WHERE ctid IN (SELECT w.ctid FROM work w WHERE w.until < at - 15000 FOR UPDATE SKIP LOCKED);
END $$;
--> statement-breakpoint
-- Commits a batch of calls: what each call is charged, its row in the call log, and the counts, as src/store/serving/ledger.ts. Locks are taken
-- in one order (Idempotency-Keys, accounts, months of keys), so that two servers never wait for each other.
--   rows    calls: [[index, the columns of `toCallLogRow` in src/store/serving/writer-statements.ts …] …]
--   spends  Idempotency-Keys: [[index, fingerprint, request (both in hexadecimal), expires, request id] …]
--   told    outcomes: [[1 for a genuine person or 0, request id, key] …]
--   again   true if some of the calls may be committed already, because an answer was lost
-- The result is `CommitFunctionResult` in src/store/postgres/writer.ts: `before`, [[index, the id that the call was counted under, or null for another
-- request] …]; `charged`, [[index, account, used, overage, true if refused] …]; and `plans`, [[account, month, plan, version, terms] …].
CREATE FUNCTION commit_1(batch jsonb, notify boolean, given double precision) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  at bigint := coalesce(given, clock_ms());
  this_month text := month_of(at);
  left_out integer[] := '{}';
  refused_ids text[] := '{}';
  before json[] := '{}';
  charged json[] := '{}';
  plans json[] := '{}';
  s record;
  a record;
  own record;
  terms json;
  c record;
  had record;
  counted_in text;
  included bigint;
  blocks boolean;
  used_before bigint;
  used bigint;
  beyond bigint;
  add_calls bigint;
  add_overage bigint;
  add_test bigint;
  near bigint;
  what text;
BEGIN
  IF (batch ->> 'again')::boolean THEN
    SELECT coalesce(array_agg((r ->> 0)::integer), '{}') INTO left_out
      FROM jsonb_array_elements(batch -> 'rows') r JOIN calls k ON k.request_id = r ->> 1;
  END IF;

  FOR s IN
    SELECT (e ->> 0)::integer AS place, decode(e ->> 1, 'hex') AS print, decode(e ->> 2, 'hex') AS request,
           (e ->> 3)::bigint AS expires, e ->> 4 AS id
      FROM jsonb_array_elements(batch -> 'spends') e ORDER BY 2, 1
  LOOP
    CONTINUE WHEN s.place = ANY (left_out);
    INSERT INTO idempotency AS i (fingerprint, request, request_id, expires) VALUES (s.print, s.request, s.id, s.expires)
      ON CONFLICT (fingerprint) DO UPDATE
        SET request = excluded.request, request_id = excluded.request_id, expires = excluded.expires WHERE i.expires <= at;
    CONTINUE WHEN FOUND;
    SELECT i.request, i.request_id INTO had FROM idempotency i WHERE i.fingerprint = s.print;
    before := before || json_build_array(s.place, CASE WHEN had.request = s.request THEN had.request_id END);
    left_out := left_out || s.place;
  END LOOP;

  FOR a IN
    SELECT r ->> 19 AS id FROM jsonb_array_elements(batch -> 'rows') r
      WHERE r ->> 19 IS NOT NULL AND (r ->> 0)::integer <> ALL (left_out) GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM 1 FROM accounts WHERE id = a.id FOR NO KEY UPDATE;
    SELECT * INTO own FROM in_force_1(a.id, at);
    terms := own.terms::json;
    SELECT * INTO had FROM months_1(a.id, this_month) LIMIT 1;
    counted_in := this_month;
    -- As `getCommitMonth` in src/accounts/time.ts: a clock that steps back by less than a day does not open the month before again.
    IF had.month > this_month
       AND extract(epoch FROM (had.month || '-01')::timestamp AT TIME ZONE 'UTC') * 1000 - at < 86400000 THEN
      counted_in := had.month;
    END IF;
    SELECT m.used, m.beyond INTO used, beyond FROM months_1(a.id, counted_in) m WHERE m.month = counted_in;
    used := coalesce(used, 0);
    beyond := coalesce(beyond, 0);
    used_before := used;
    included := (terms ->> 'included')::bigint;
    blocks := terms ->> 'overage' = 'block';
    add_calls := 0;
    add_overage := 0;
    add_test := 0;
    FOR c IN
      SELECT (r ->> 0)::integer AS place, r ->> 1 AS id, (r ->> 18)::integer = 1 AS test
        FROM jsonb_array_elements(batch -> 'rows') r
        WHERE r ->> 19 = a.id AND (r ->> 0)::integer <> ALL (left_out) ORDER BY 1
    LOOP
      IF c.test THEN
        add_test := add_test + 1;
      ELSIF terms IS NULL THEN
        add_calls := add_calls + 1;
      ELSIF used >= included AND blocks THEN
        left_out := left_out || c.place;
        refused_ids := refused_ids || c.id;
        charged := charged || json_build_array(c.place, a.id, used, beyond, true);
        CONTINUE;
      ELSE
        add_calls := add_calls + 1;
        IF used >= included THEN
          beyond := beyond + 1;
          add_overage := add_overage + 1;
        END IF;
        used := used + 1;
      END IF;
      charged := charged || json_build_array(c.place, a.id, used, beyond, false);
    END LOOP;
    plans := plans || json_build_array(a.id, counted_in, own.plan, own.version, own.terms);
    CONTINUE WHEN add_calls + add_test = 0;
    INSERT INTO account_usage AS u (account, month, plan, version, calls, overage, test)
      VALUES (a.id, counted_in, coalesce(own.plan, ''), coalesce(own.version, 0), add_calls, add_overage, add_test)
      ON CONFLICT (account, month, plan, version) DO UPDATE SET
        calls = u.calls + excluded.calls, overage = u.overage + excluded.overage, test = u.test + excluded.test;
    CONTINUE WHEN NOT notify OR terms IS NULL;
    -- As `findQuotaNotices` in src/accounts/billing/quota.ts.
    near := included - included / 5;
    FOREACH what IN ARRAY ARRAY['near', 'reached'] LOOP
      CONTINUE WHEN what = 'near' AND NOT (near < included AND used_before < near AND used >= near);
      CONTINUE WHEN what = 'reached' AND NOT (used_before < included AND used >= included);
      INSERT INTO webhooks (id, about, body, created, attempts, next) VALUES (
        'msg_' || gen_random_uuid(), format('quota.%s %s %s %s', what, a.id, counted_in, included),
        json_build_object('type', 'quota.' || what,
          'timestamp', to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'data', json_build_object('account', a.id, 'month', counted_in, 'plan', own.plan, 'included', included,
            'calls', used, 'overage', beyond, 'blocks', blocks)),
        at, 0, at) ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;

  IF array_length(refused_ids, 1) > 0 THEN
    DELETE FROM idempotency WHERE request_id = ANY (refused_ids) AND fingerprint IN (
      SELECT decode(e ->> 1, 'hex') FROM jsonb_array_elements(batch -> 'spends') e);
  END IF;

  INSERT INTO calls (request_id, key, time, endpoint, response_version, intent, emails, phones, addresses, score, band, confidence,
      catfish, different, unverified, scoring_model, latency_ms, test, account)
    SELECT r ->> 1, r ->> 2, (r ->> 3)::bigint, r ->> 4, r ->> 5, r ->> 6, (r ->> 7)::integer, (r ->> 8)::integer,
           (r ->> 9)::integer, (r ->> 10)::integer, r ->> 11, r ->> 12, (r ->> 13)::smallint, (r ->> 14)::integer,
           (r ->> 15)::integer, (r ->> 16)::integer, (r ->> 17)::integer, (r ->> 18)::smallint, r ->> 19
      FROM jsonb_array_elements(batch -> 'rows') r WHERE (r ->> 0)::integer <> ALL (left_out);

  INSERT INTO usage AS u (key, month, calls)
    SELECT r ->> 2, this_month, count(*) FROM jsonb_array_elements(batch -> 'rows') r
      WHERE (r ->> 0)::integer <> ALL (left_out) AND (r ->> 18)::integer = 0 GROUP BY 1 ORDER BY 1
    ON CONFLICT (key, month) DO UPDATE SET calls = u.calls + excluded.calls;

  UPDATE calls k SET outcome = (t ->> 0)::smallint
    FROM jsonb_array_elements(batch -> 'told') t WHERE k.request_id = t ->> 1 AND k.key = t ->> 2;

  RETURN json_build_object('before', array_to_json(before), 'charged', array_to_json(charged), 'plans', array_to_json(plans));
END $$;
