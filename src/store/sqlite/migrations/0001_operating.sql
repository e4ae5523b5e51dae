CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`url` text NOT NULL,
	`secret` blob NOT NULL,
	`previous` blob,
	`previous_until` integer,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`owner` text NOT NULL,
	`subject` text NOT NULL,
	`type` text NOT NULL,
	`created` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_owner` ON `events` (`owner`,`seq`);--> statement-breakpoint
CREATE INDEX `events_subject` ON `events` (`subject`,`seq`);--> statement-breakpoint
CREATE INDEX `events_created` ON `events` (`created`);--> statement-breakpoint
CREATE TABLE `invoices` (
	`issuer` text NOT NULL,
	`seq` integer NOT NULL,
	`account` text NOT NULL,
	`month` text NOT NULL,
	`issued` integer NOT NULL,
	`invoice` text NOT NULL,
	PRIMARY KEY(`issuer`, `seq`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_month_account` ON `invoices` (`month`,`account`);--> statement-breakpoint
CREATE TABLE `job_parts` (
	`job` text NOT NULL,
	`kind` text NOT NULL,
	`first` integer NOT NULL,
	`lines` integer NOT NULL,
	`sealed` blob NOT NULL,
	PRIMARY KEY(`job`, `kind`, `first`)
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`key` text,
	`endpoint` text NOT NULL,
	`state` text NOT NULL,
	`details` blob NOT NULL,
	`total` integer NOT NULL,
	`done` integer NOT NULL,
	`failed` integer NOT NULL,
	`created` integer NOT NULL,
	`started` integer,
	`ended` integer,
	`problem` text,
	`next` integer,
	`lease` text,
	`expires` integer NOT NULL,
	`fingerprint` blob,
	`request` blob
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_fingerprint` ON `jobs` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `jobs_owner` ON `jobs` (`owner`,`created`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_next` ON `jobs` (`next`);--> statement-breakpoint
CREATE INDEX `jobs_expires` ON `jobs` (`expires`);--> statement-breakpoint
CREATE TABLE `refusals` (
	`request_id` text PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`endpoint` text NOT NULL,
	`status` integer NOT NULL,
	`code` text NOT NULL,
	`rule` text,
	`key` text,
	`account` text,
	`test` integer DEFAULT false NOT NULL,
	`more` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `watch_keys` (
	`key` integer NOT NULL,
	`watch` integer NOT NULL,
	PRIMARY KEY(`key`, `watch`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `watch_progress` (
	`graph` text PRIMARY KEY NOT NULL,
	`position` text,
	`sweep` integer,
	`swept` integer,
	`worker` text,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `watch_reservations` (
	`request` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `watch_reservations_owner` ON `watch_reservations` (`owner`);--> statement-breakpoint
CREATE TABLE `watches` (
	`id` integer PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`owner` text NOT NULL,
	`reference` text,
	`created` integer NOT NULL,
	`expires` integer NOT NULL,
	`notify_on` text NOT NULL,
	`min_change` integer NOT NULL,
	`claim` blob NOT NULL,
	`keys` blob NOT NULL,
	`digest` blob NOT NULL,
	`state` text NOT NULL,
	`reported` text,
	`version` integer NOT NULL,
	`due` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watches_number` ON `watches` (`number`);--> statement-breakpoint
CREATE INDEX `watches_owner` ON `watches` (`owner`,`id`);--> statement-breakpoint
CREATE INDEX `watches_expires` ON `watches` (`expires`);--> statement-breakpoint
CREATE INDEX `watches_due` ON `watches` (`due`) WHERE "watches"."due" is not null;--> statement-breakpoint
ALTER TABLE `accounts` ADD `billing_name` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `billing_address` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `verdict` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `attempted` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `endpoint` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `subject` text;--> statement-breakpoint
CREATE INDEX `webhooks_created` ON `webhooks` (`created`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_subject` ON `webhooks` (`subject`);