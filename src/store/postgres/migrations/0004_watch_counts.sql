-- Counts the watches of each owner in `counters`. A trigger counts, so that servers of an earlier version count too.
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
-- Until the commit, the new trigger locks `watches` against changes, so that the count below is complete.
CREATE TRIGGER watches_counted AFTER INSERT OR DELETE OR UPDATE OF owner ON watches
  FOR EACH ROW EXECUTE FUNCTION count_watches();
--> statement-breakpoint
INSERT INTO counters SELECT 'watch count of ' || owner, count(*) FROM watches GROUP BY owner;
