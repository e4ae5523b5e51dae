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