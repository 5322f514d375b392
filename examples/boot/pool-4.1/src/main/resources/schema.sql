CREATE TABLE article (id INT PRIMARY KEY, name VARCHAR(40), price INT);
INSERT INTO article SELECT x, 'article ' || x, 100 + MOD(x * 37, 900) FROM SYSTEM_RANGE(1, 1000);
CREATE ALIAS pause FOR 'dev.fettle.examples.pool.Pause.millis';
