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
ALTER TABLE "webhooks" ADD COLUMN "attempted" bigint;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failure" text COLLATE "C";