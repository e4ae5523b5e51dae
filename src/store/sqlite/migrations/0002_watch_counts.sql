-- Number of watches of each owner in `counters`. Triggers count, so that every program that changes watches counts them, also an earlier version.
CREATE TRIGGER `watches_added` AFTER INSERT ON `watches` BEGIN
	INSERT INTO `counters` SELECT 'watch count of ' || NEW.`owner`, 0
		WHERE NOT EXISTS (SELECT 1 FROM `counters` WHERE `name` = 'watch count of ' || NEW.`owner`);
	UPDATE `counters` SET `value` = `value` + 1 WHERE `name` = 'watch count of ' || NEW.`owner`;
END;
--> statement-breakpoint
CREATE TRIGGER `watches_deleted` AFTER DELETE ON `watches` BEGIN
	UPDATE `counters` SET `value` = `value` - 1 WHERE `name` = 'watch count of ' || OLD.`owner`;
	DELETE FROM `counters` WHERE `name` = 'watch count of ' || OLD.`owner` AND `value` <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER `watches_moved` AFTER UPDATE OF `owner` ON `watches` WHEN NEW.`owner` <> OLD.`owner` BEGIN
	UPDATE `counters` SET `value` = `value` - 1 WHERE `name` = 'watch count of ' || OLD.`owner`;
	DELETE FROM `counters` WHERE `name` = 'watch count of ' || OLD.`owner` AND `value` <= 0;
	INSERT INTO `counters` SELECT 'watch count of ' || NEW.`owner`, 0
		WHERE NOT EXISTS (SELECT 1 FROM `counters` WHERE `name` = 'watch count of ' || NEW.`owner`);
	UPDATE `counters` SET `value` = `value` + 1 WHERE `name` = 'watch count of ' || NEW.`owner`;
END;
--> statement-breakpoint
DELETE FROM `counters` WHERE `name` >= 'watches of ' AND `name` < 'watches of!';
--> statement-breakpoint
INSERT INTO `counters` SELECT 'watch count of ' || `owner`, count(*) FROM `watches` GROUP BY `owner`;
