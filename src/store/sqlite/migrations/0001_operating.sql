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
ALTER TABLE `accounts` ADD `billing_name` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `billing_address` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `verdict` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `attempted` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failure` text;