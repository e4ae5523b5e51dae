CREATE TABLE `calls` (
	`request_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`time` integer NOT NULL,
	`endpoint` text NOT NULL,
	`response_version` text NOT NULL,
	`emails` integer NOT NULL,
	`phones` integer NOT NULL,
	`addresses` integer NOT NULL,
	`score` integer NOT NULL,
	`band` text NOT NULL,
	`confidence` text NOT NULL,
	`catfish` integer NOT NULL,
	`different` integer NOT NULL,
	`unverified` integer NOT NULL,
	`latency_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calls_key_time` ON `calls` (`key`,`time`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`prefix` text NOT NULL,
	`scopes` text NOT NULL,
	`created` integer NOT NULL,
	`expires` integer,
	`revoked` integer,
	`rotated_to` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_account` ON `keys` (`account`);--> statement-breakpoint
CREATE TABLE `usage` (
	`key` text NOT NULL,
	`month` text NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`key`, `month`)
);
