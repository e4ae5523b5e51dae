CREATE TABLE "account_plans" (
	"account" text COLLATE "C" NOT NULL,
	"since" bigint NOT NULL,
	"plan" text COLLATE "C",
	CONSTRAINT "account_plans_account_since_pk" PRIMARY KEY("account","since")
);
--> statement-breakpoint
CREATE TABLE "account_usage" (
	"account" text COLLATE "C" NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"calls" bigint NOT NULL,
	"overage" bigint NOT NULL,
	"test" bigint NOT NULL,
	"rowid" bigint GENERATED ALWAYS AS IDENTITY (sequence name "account_usage_rowid_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "account_usage_account_month_plan_version_pk" PRIMARY KEY("account","month","plan","version")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created" bigint NOT NULL,
	"closed" bigint
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"time" bigint NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"act" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"previous" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_last" (
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "buckets" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"full_at" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"request_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"time" bigint NOT NULL,
	"endpoint" text COLLATE "C" NOT NULL,
	"response_version" text COLLATE "C" NOT NULL,
	"intent" text COLLATE "C",
	"emails" integer NOT NULL,
	"phones" integer NOT NULL,
	"addresses" integer NOT NULL,
	"score" integer NOT NULL,
	"band" text COLLATE "C" NOT NULL,
	"confidence" text COLLATE "C" NOT NULL,
	"catfish" smallint NOT NULL,
	"different" integer NOT NULL,
	"unverified" integer NOT NULL,
	"scoring_model" integer,
	"latency_ms" integer NOT NULL,
	"test" smallint DEFAULT 0 NOT NULL,
	"account" text COLLATE "C",
	"outcome" smallint
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "flights" (
	"key" text COLLATE "C" NOT NULL,
	"process" text COLLATE "C" NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "flights_key_process_pk" PRIMARY KEY("key","process")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"fingerprint" "bytea" PRIMARY KEY NOT NULL,
	"request" "bytea" NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"chain" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"hash" "bytea" NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"created" bigint NOT NULL,
	"expires" bigint,
	"revoked" bigint,
	"rotated_to" text COLLATE "C",
	"allowed_addresses" text COLLATE "C",
	"region" text COLLATE "C",
	"last_used" bigint
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_versions" (
	"plan" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"since" bigint NOT NULL,
	"terms" text COLLATE "C" NOT NULL,
	CONSTRAINT "plan_versions_plan_version_pk" PRIMARY KEY("plan","version")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"created" bigint NOT NULL,
	"retired" bigint
);
--> statement-breakpoint
CREATE TABLE "probes" (
	"key" text COLLATE "C" NOT NULL,
	"hour" bigint NOT NULL,
	"checks" bigint NOT NULL,
	"name_only" bigint NOT NULL,
	"one_value" bigint NOT NULL,
	"without_record" bigint NOT NULL,
	"runs" bigint NOT NULL,
	"fresh" bigint NOT NULL,
	CONSTRAINT "probes_key_hour_pk" PRIMARY KEY("key","hour")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "processes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "sessions" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C",
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"key" text COLLATE "C" NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "usage_key_month_pk" PRIMARY KEY("key","month")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"about" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"created" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"next" bigint,
	"delivered" bigint
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "work" (
	"fingerprint" "bytea" PRIMARY KEY NOT NULL,
	"request" "bytea" NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "calls_key_time" ON "calls" USING btree ("key","time");--> statement-breakpoint
CREATE INDEX "idempotency_expires" ON "idempotency" USING btree ("expires");--> statement-breakpoint
CREATE UNIQUE INDEX "keys_hash" ON "keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "keys_chain" ON "keys" USING btree ("chain");--> statement-breakpoint
CREATE INDEX "keys_account" ON "keys" USING btree ("account");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_about" ON "webhooks" USING btree ("about");--> statement-breakpoint
CREATE INDEX "webhooks_next" ON "webhooks" USING btree ("next");
--> statement-breakpoint
INSERT INTO audit_last VALUES (0);
--> statement-breakpoint
CREATE FUNCTION audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_kept();
--> statement-breakpoint
CREATE FUNCTION audit_numbered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_last SET seq = greatest(seq, NEW.seq);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_numbered AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_numbered();
--> statement-breakpoint
ALTER TABLE buckets SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE flights SET (fillfactor = 50);
