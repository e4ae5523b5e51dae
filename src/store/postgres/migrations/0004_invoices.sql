CREATE TABLE "invoices" (
	"issuer" text COLLATE "C" NOT NULL,
	"seq" integer NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"issued" bigint NOT NULL,
	"invoice" text COLLATE "C" NOT NULL,
	CONSTRAINT "invoices_issuer_seq_pk" PRIMARY KEY("issuer","seq")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "billing_name" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "billing_address" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_month_account" ON "invoices" USING btree ("month","account");