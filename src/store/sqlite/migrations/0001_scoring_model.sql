ALTER TABLE `calls` ADD `intent` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `scoring_model` integer;