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
ALTER TABLE `webhooks` ADD `attempted` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failure` text;