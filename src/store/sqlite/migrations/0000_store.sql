CREATE TABLE `account_plans` (
	`account` text NOT NULL,
	`since` integer NOT NULL,
	`plan` text,
	PRIMARY KEY(`account`, `since`)
);
--> statement-breakpoint
CREATE TABLE `account_usage` (
	`account` text NOT NULL,
	`month` text NOT NULL,
	`plan` text NOT NULL,
	`version` integer NOT NULL,
	`calls` integer NOT NULL,
	`overage` integer NOT NULL,
	`test` integer NOT NULL,
	PRIMARY KEY(`account`, `month`, `plan`, `version`)
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created` integer NOT NULL,
	`closed` integer
);
--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`time` integer NOT NULL,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`target` text NOT NULL,
	`detail` text NOT NULL,
	`previous` blob NOT NULL,
	`hash` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `calls` (
	`request_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`time` integer NOT NULL,
	`endpoint` text NOT NULL,
	`response_version` text NOT NULL,
	`intent` text,
	`emails` integer NOT NULL,
	`phones` integer NOT NULL,
	`addresses` integer NOT NULL,
	`score` integer NOT NULL,
	`band` text NOT NULL,
	`confidence` text NOT NULL,
	`catfish` integer NOT NULL,
	`different` integer NOT NULL,
	`unverified` integer NOT NULL,
	`scoring_model` integer,
	`latency_ms` integer NOT NULL,
	`test` integer DEFAULT false NOT NULL,
	`account` text,
	`outcome` integer
);
--> statement-breakpoint
CREATE INDEX `calls_key_time` ON `calls` (`key`,`time`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`fingerprint` blob PRIMARY KEY NOT NULL,
	`request` blob NOT NULL,
	`request_id` text NOT NULL,
	`expires` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_expires` ON `idempotency` (`expires`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`chain` text NOT NULL,
	`account` text,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`prefix` text NOT NULL,
	`scopes` text NOT NULL,
	`created` integer NOT NULL,
	`expires` integer,
	`revoked` integer,
	`rotated_to` text,
	`allowed_addresses` text,
	`region` text,
	`last_used` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_chain` ON `keys` (`chain`);--> statement-breakpoint
CREATE TABLE `plan_versions` (
	`plan` text NOT NULL,
	`version` integer NOT NULL,
	`since` integer NOT NULL,
	`terms` text NOT NULL,
	PRIMARY KEY(`plan`, `version`)
);
--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`retired` integer
);
--> statement-breakpoint
CREATE TABLE `probes` (
	`key` text NOT NULL,
	`hour` integer NOT NULL,
	`checks` integer NOT NULL,
	`name_only` integer NOT NULL,
	`one_value` integer NOT NULL,
	`without_record` integer NOT NULL,
	`runs` integer NOT NULL,
	`fresh` integer NOT NULL,
	PRIMARY KEY(`key`, `hour`)
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`key` text NOT NULL,
	`month` text NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`key`, `month`)
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`about` text NOT NULL,
	`body` text NOT NULL,
	`created` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next` integer,
	`delivered` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_about` ON `webhooks` (`about`);--> statement-breakpoint
CREATE INDEX `webhooks_next` ON `webhooks` (`next`);
--> statement-breakpoint
CREATE TRIGGER `audit_unchanged` BEFORE UPDATE ON `audit` BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_unremoved` BEFORE DELETE ON `audit` BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
