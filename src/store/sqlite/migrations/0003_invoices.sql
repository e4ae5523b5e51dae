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
ALTER TABLE `accounts` ADD `billing_name` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `billing_address` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `tax_id` text;