-- Counts the watches of each owner in `counters`. Triggers count, so that programs of an earlier version count too.
CREATE TRIGGER `watches_added` AFTER INSERT ON `watches` BEGIN
	INSERT INTO `counters` VALUES ('watch count of ' || NEW.`owner`, 1) ON CONFLICT (`name`) DO UPDATE SET `value` = `value` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `watches_deleted` AFTER DELETE ON `watches` BEGIN
	UPDATE `counters` SET `value` = `value` - 1 WHERE `name` = 'watch count of ' || OLD.`owner`;
	DELETE FROM `counters` WHERE `name` = 'watch count of ' || OLD.`owner` AND `value` <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER `watches_moved` AFTER UPDATE OF `owner` ON `watches` BEGIN
	UPDATE `counters` SET `value` = `value` - 1 WHERE `name` = 'watch count of ' || OLD.`owner`;
	DELETE FROM `counters` WHERE `name` = 'watch count of ' || OLD.`owner` AND `value` <= 0;
	INSERT INTO `counters` VALUES ('watch count of ' || NEW.`owner`, 1) ON CONFLICT (`name`) DO UPDATE SET `value` = `value` + 1;
END;
--> statement-breakpoint
INSERT INTO `counters` SELECT 'watch count of ' || `owner`, count(*) FROM `watches` GROUP BY `owner`;
