CREATE TABLE "counters" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "endpoints" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous" "bytea",
	"previous_until" bigint,
	"created" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"created" bigint NOT NULL,
	"body" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"issuer" text COLLATE "C" NOT NULL,
	"seq" integer NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"issued" bigint NOT NULL,
	"invoice" text COLLATE "C" NOT NULL,
	CONSTRAINT "invoices_issuer_seq_pk" PRIMARY KEY("issuer","seq")
);
--> statement-breakpoint
CREATE TABLE "job_parts" (
	"job" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"first" integer NOT NULL,
	"lines" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "job_parts_job_kind_first_pk" PRIMARY KEY("job","kind","first")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C",
	"endpoint" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"details" "bytea" NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" integer NOT NULL,
	"created" bigint NOT NULL,
	"started" bigint,
	"ended" bigint,
	"problem" text COLLATE "C",
	"next" bigint,
	"lease" text COLLATE "C",
	"expires" bigint NOT NULL,
	"fingerprint" "bytea",
	"request" "bytea"
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"request_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"time" bigint NOT NULL,
	"endpoint" text COLLATE "C" NOT NULL,
	"status" integer NOT NULL,
	"code" text COLLATE "C" NOT NULL,
	"rule" text COLLATE "C",
	"key" text COLLATE "C",
	"account" text COLLATE "C",
	"test" smallint DEFAULT 0 NOT NULL,
	"more" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_keys" (
	"key" bigint NOT NULL,
	"watch" bigint NOT NULL,
	CONSTRAINT "watch_keys_key_watch_pk" PRIMARY KEY("key","watch")
);
--> statement-breakpoint
CREATE TABLE "watch_progress" (
	"graph" text COLLATE "C" PRIMARY KEY NOT NULL,
	"position" text COLLATE "C",
	"sweep" bigint,
	"swept" bigint,
	"worker" text COLLATE "C",
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_reservations" (
	"request" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"id" bigint PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"reference" text COLLATE "C",
	"created" bigint NOT NULL,
	"expires" bigint NOT NULL,
	"notify_on" text COLLATE "C" NOT NULL,
	"min_change" integer NOT NULL,
	"claim" "bytea" NOT NULL,
	"keys" "bytea" NOT NULL,
	"digest" "bytea" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reported" text COLLATE "C",
	"version" integer NOT NULL,
	"due" bigint
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "billing_name" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "billing_address" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "verdict" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "attempted" bigint;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failure" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "endpoint" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "subject" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "events_id" ON "events" USING btree ("id");--> statement-breakpoint
CREATE INDEX "events_owner" ON "events" USING btree ("owner","seq");--> statement-breakpoint
CREATE INDEX "events_subject" ON "events" USING btree ("subject","seq");--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("created");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_month_account" ON "invoices" USING btree ("month","account");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_fingerprint" ON "jobs" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" USING btree ("owner","created","id");--> statement-breakpoint
CREATE INDEX "jobs_next" ON "jobs" USING btree ("next");--> statement-breakpoint
CREATE INDEX "jobs_expires" ON "jobs" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "watch_reservations_owner" ON "watch_reservations" USING btree ("owner");--> statement-breakpoint
CREATE UNIQUE INDEX "watches_number" ON "watches" USING btree ("number");--> statement-breakpoint
CREATE INDEX "watches_owner" ON "watches" USING btree ("owner","id");--> statement-breakpoint
CREATE INDEX "watches_expires" ON "watches" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "watches_due" ON "watches" USING btree ("due") WHERE "watches"."due" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_created" ON "webhooks" USING btree ("created","id");--> statement-breakpoint
CREATE INDEX "webhooks_subject" ON "webhooks" USING btree ("subject");--> statement-breakpoint
-- Records the heartbeat of a server, and removes servers that ended, their calls in flight and expired attempts. A heartbeat of the future is
-- from before the clock was set back: its server ended, or records another one within a second.
CREATE OR REPLACE FUNCTION alive_1(server text, given double precision) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  at bigint := coalesce(given, clock_ms());
BEGIN
  INSERT INTO processes (id, seen) VALUES (server, at) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen;
  DELETE FROM processes WHERE ctid IN (SELECT p.ctid FROM processes p
    WHERE p.seen <= at - 60000 OR p.seen > at + 10000 FOR UPDATE SKIP LOCKED);
  DELETE FROM flights WHERE ctid IN (SELECT f.ctid FROM flights f
    WHERE f.calls = 0 OR NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = f.process AND p.seen > at - 10000)
    FOR UPDATE SKIP LOCKED);
  DELETE FROM work WHERE ctid IN (SELECT w.ctid FROM work w WHERE w.until < at - 15000 FOR UPDATE SKIP LOCKED);
END $$;
--> statement-breakpoint
-- Adds the verdict word to the row in the call log; a server of an older version sends rows without one.
-- Commits a batch of calls: what each call is charged, its row in the call log, and the counts, as src/store/serving/ledger.ts. Locks are taken
-- in one order (Idempotency-Keys, accounts, months of keys), so that two servers never wait for each other.
--   rows    calls: [[index, the columns of `toCallLogRow` in src/store/serving/writer-statements.ts …] …]
--   spends  Idempotency-Keys: [[index, fingerprint, request (both in hexadecimal), expires, request id] …]
--   told    outcomes: [[1 for a genuine person or 0, request id, key] …]
--   again   true if some of the calls may be committed already, because an answer was lost
-- The result is `CommitFunctionResult` in src/store/postgres/writer.ts: `before`, [[index, the id that the call was counted under, or null for another
-- request] …]; `charged`, [[index, account, used, overage, true if refused] …]; and `plans`, [[account, month, plan, version, terms] …].
CREATE OR REPLACE FUNCTION commit_1(batch jsonb, notify boolean, given double precision) RETURNS json LANGUAGE plpgsql AS $$
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
      catfish, different, unverified, scoring_model, latency_ms, test, account, verdict)
    SELECT r ->> 1, r ->> 2, (r ->> 3)::bigint, r ->> 4, r ->> 5, r ->> 6, (r ->> 7)::integer, (r ->> 8)::integer,
           (r ->> 9)::integer, (r ->> 10)::integer, r ->> 11, r ->> 12, (r ->> 13)::smallint, (r ->> 14)::integer,
           (r ->> 15)::integer, (r ->> 16)::integer, (r ->> 17)::integer, (r ->> 18)::smallint, r ->> 19, r ->> 20
      FROM jsonb_array_elements(batch -> 'rows') r WHERE (r ->> 0)::integer <> ALL (left_out);

  INSERT INTO usage AS u (key, month, calls)
    SELECT r ->> 2, this_month, count(*) FROM jsonb_array_elements(batch -> 'rows') r
      WHERE (r ->> 0)::integer <> ALL (left_out) AND (r ->> 18)::integer = 0 GROUP BY 1 ORDER BY 1
    ON CONFLICT (key, month) DO UPDATE SET calls = u.calls + excluded.calls;

  UPDATE calls k SET outcome = (t ->> 0)::smallint
    FROM jsonb_array_elements(batch -> 'told') t WHERE k.request_id = t ->> 1 AND k.key = t ->> 2;

  RETURN json_build_object('before', array_to_json(before), 'charged', array_to_json(charged), 'plans', array_to_json(plans));
END $$;
