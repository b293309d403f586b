-- Lessons that have ended, with everybody who took part.
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room TEXT NOT NULL,
    title TEXT NOT NULL,
    teacher TEXT NOT NULL,
    moves INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    sgf TEXT NOT NULL
) STRICT;

CREATE TABLE lesson_people (
    account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    lesson INTEGER NOT NULL REFERENCES lessons ON DELETE CASCADE,
    PRIMARY KEY (account, lesson)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_of_lesson ON lesson_people (lesson);
