-- Which views users keep is theirs alone; the audit log, which others read, says only that they did.
UPDATE pruefprotokoll SET objekt_name = NULL, vorher = NULL, nachher = NULL WHERE objekt_art = 'ansicht';
