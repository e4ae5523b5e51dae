-- Number of watches of each owner in `counters`. Triggers count, so that every server that changes watches counts them, also one of the version before.
CREATE FUNCTION count_watches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE counters SET value = value - 1 WHERE name = 'watch count of ' || OLD.owner;
    DELETE FROM counters WHERE name = 'watch count of ' || OLD.owner AND value <= 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO counters VALUES ('watch count of ' || NEW.owner, 1)
      ON CONFLICT (name) DO UPDATE SET value = counters.value + 1;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- These triggers lock `watches` against changes until the count below is committed.
CREATE TRIGGER watches_counted AFTER INSERT OR DELETE ON watches FOR EACH ROW EXECUTE FUNCTION count_watches();
--> statement-breakpoint
CREATE TRIGGER watches_moved AFTER UPDATE OF owner ON watches FOR EACH ROW WHEN (NEW.owner <> OLD.owner)
  EXECUTE FUNCTION count_watches();
--> statement-breakpoint
DELETE FROM counters WHERE name LIKE 'watches of %';
--> statement-breakpoint
INSERT INTO counters SELECT 'watch count of ' || owner, count(*) FROM watches GROUP BY owner;
