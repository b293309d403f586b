//! When a game was played, as people and servers write it.

/// A date of which the month and the day may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameDate {
    /// Year of the common era, 1 to 9999.
    pub year: u16,
    /// Month from 1 to 12; 0 when unknown.
    pub month: u8,
    /// Day from 1 to 31; 0 when unknown.
    pub day: u8,
}

/// Characters of a list of dates that are read.
const MAX_LIST: usize = 400;

impl GameDate {
    /// Reads the first date of a text: `2003-09-25`, `2003-09-25,26`, `2008- 5- 1`, `2016/03/09`, `20160309`,
    /// `2016年3月9日`, `9 Mar 2016`, `March 9, 2016`, `1846`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // A date stands at the beginning; a long comment is not searched.
        let text: String = text.chars().take(80).collect();
        let numbers = numbers_of(&text);
        if let Some(&(_, length, value)) = numbers.iter().find(|(_, length, _)| *length == 8) {
            debug_assert_eq!(length, 8);
            let (year, month, day) = (value / 10_000, value / 100 % 100, value % 100);
            if let Some(date) = Self::checked(year, month, day).filter(|date| date.month > 0) {
                return Some(date);
            }
        }
        let at = numbers.iter().position(|&(_, length, value)| length == 4 && value > 0)?;
        let (start, _, year) = numbers[at];
        if let Some(month) = month_name(&text) {
            let day = numbers.iter().find(|&&(_, length, value)| length <= 2 && (1..=31).contains(&value));
            return Self::checked(year, month, day.map_or(0, |&(_, _, day)| day));
        }
        let mut parts = [0, 0];
        let mut end = start + 4;
        for (part, &(next, length, value)) in parts.iter_mut().zip(&numbers[at + 1..]) {
            let separator = &text[end..next];
            let joins = separator.chars().all(|c| " -/.\u{5e74}\u{6708}\u{b144}\u{c6d4}".contains(c));
            if !joins || length > 2 || separator.chars().count() > 3 {
                break;
            }
            *part = value;
            end = next + length;
        }
        Self::checked(year, parts[0], parts[1])
    }

    /// Reads the dates of a text that names several, by the rule of SGF: `1996-05-06,07` are two days, `1996-05,06` two
    /// months, `1996-12-27,28,1997-01-03` three days. Each part behind a comma takes from the date before it what it leaves
    /// out, and has as much of a date as that; the first that makes no sense ends the list. A text that is no such list is
    /// one date, as [`GameDate::parse`] reads it.
    #[must_use]
    pub fn parse_all(text: &str) -> Vec<Self> {
        let list: String = text.chars().take(MAX_LIST).collect();
        let mut parts = list.split([',', '\u{ff0c}', '\u{3001}']);
        let mut dates: Vec<Self> = parts.next().and_then(Self::parse).into_iter().collect();
        let Some(&first) = dates.first() else { return Self::parse(text).into_iter().collect() };
        let mut last = first;
        for part in parts {
            let Some(next) = last.shortened(part.trim()) else { break };
            dates.push(next);
            last = next;
        }
        dates
    }

    /// The date that a shortcut means behind this one: `2003-09-25` and, in as far as this one has such parts, `09-25`, `25`,
    /// or the month `09`.
    fn shortened(self, part: &str) -> Option<Self> {
        let numbers = part.split('-').map(|number| {
            let is_number = !number.is_empty() && number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| Some((number.len(), number.parse::<u32>().ok()?))).flatten()
        });
        let numbers: Vec<(usize, u32)> = numbers.collect::<Option<_>>()?;
        let own_year = u32::from(self.year);
        let (year, month, day) = match numbers[..] {
            [(4, year)] => (year, 0, 0),
            [(4, year), (1..=2, month)] => (year, month, 0),
            [(4, year), (1..=2, month), (1..=2, day)] => (year, month, day),
            [(1..=2, month), (1..=2, day)] if self.day > 0 => (own_year, month, day),
            [(1..=2, day)] if self.day > 0 => (own_year, self.month.into(), day),
            [(1..=2, month)] if self.month > 0 => (own_year, month, 0),
            _ => return None,
        };
        let date = Self::checked(year, month, day)?;
        let is_in_range = numbers.iter().all(|&(_, number)| number > 0);
        (is_in_range && u32::from(date.month) == month && u32::from(date.day) == day).then_some(date)
    }

    /// Reads a date that is written as [`Display`](std::fmt::Display) writes it, and nothing else: `2003`, `2003-09` or
    /// `2003-09-25`.
    #[must_use]
    pub fn parse_exact(text: &str) -> Option<Self> {
        Self::parse(text).filter(|date| date.to_string() == text)
    }

    /// The day at a moment, in seconds since 1970, where clocks are so many minutes ahead of UTC; `None` outside the years
    /// that a date can have.
    ///
    /// Source: the calendar's cycle of 400 years with years that begin in March, H. Hinnant, "chrono-compatible low-level
    /// date algorithms".
    #[must_use]
    pub fn at(unix_seconds: u64, minutes_ahead: i16) -> Option<Self> {
        let local = i64::try_from(unix_seconds).ok()? + i64::from(minutes_ahead) * 60;
        let days = local.div_euclid(86_400) + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        let [year, month, day] = [year, month, day].map(|part| u32::try_from(part).ok());
        Self::checked(year?, month?, day?)
    }

    /// Parts out of range are dropped rather than the whole date.
    fn checked(year: u32, month: u32, day: u32) -> Option<Self> {
        let year = u16::try_from(year).ok().filter(|year| (1..=9999).contains(year))?;
        let month = u8::try_from(month).ok().filter(|month| *month <= 12).unwrap_or(0);
        let day = u8::try_from(day).ok().filter(|day| *day <= 31 && month > 0).unwrap_or(0);
        Some(Self { year, month, day })
    }

    /// The date of a [`GameDate::sort_key`]; `None` for numbers that are none, such as 0.
    #[must_use]
    pub fn of_sort_key(key: u32) -> Option<Self> {
        Self::checked(key / 10_000, key / 100 % 100, key % 100)
    }

    /// `year * 10000 + month * 100 + day`: dates in order, unknown parts first.
    #[must_use]
    pub fn sort_key(self) -> u32 {
        u32::from(self.year) * 10_000 + u32::from(self.month) * 100 + u32::from(self.day)
    }
}

impl std::fmt::Display for GameDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.year)?;
        if self.month > 0 {
            write!(f, "-{:02}", self.month)?;
        }
        if self.day > 0 {
            write!(f, "-{:02}", self.day)?;
        }
        Ok(())
    }
}

/// Offset, length and value of each run of ASCII digits.
fn numbers_of(text: &str) -> Vec<(usize, usize, u32)> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length > 0 {
            if let Ok(value) = text[at..at + length].parse() {
                numbers.push((at, length, value));
            }
            at += length;
        } else {
            at += 1;
        }
    }
    numbers
}

fn month_name(text: &str) -> Option<u32> {
    const NAMES: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() >= 3).find_map(|word| {
        let word = word.to_ascii_lowercase();
        let month = NAMES.iter().position(|name| word.starts_with(name))?;
        u32::try_from(month + 1).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_of_a_moment_is_that_of_the_place() {
        let day = |seconds, ahead| GameDate::at(seconds, ahead).unwrap().to_string();
        assert_eq!(
            [day(0, 0), day(0, -1), day(86_399, 0), day(86_399, 1)],
            ["1970-01-01", "1969-12-31", "1970-01-01", "1970-01-02"]
        );
        // 22:13 in Greenwich.
        let moment = 1_700_000_000;
        assert_eq!(
            [-600, 0, 60, 120, 840].map(|ahead| day(moment, ahead)),
            ["2023-11-14", "2023-11-14", "2023-11-14", "2023-11-15", "2023-11-15"]
        );
        let noon = 43_200;
        assert_eq!(day(951_782_400 + noon, 0), "2000-02-29");
        assert_eq!(day(4_107_542_400 + noon, 0), "2100-03-01", "no leap year");
        assert_eq!(GameDate::at(u64::MAX, 0), None);
        assert_eq!(GameDate::at(u64::MAX / 4, 0), None);
    }

    #[test]
    fn dates_as_servers_write_them() {
        for (text, expected) in [
            ("2003-09-25", "2003-09-25"),
            ("2003-09-25,26", "2003-09-25"),
            ("2008- 5- 1-15-21- 3", "2008-05-01"),
            ("2016/03/09", "2016-03-09"),
            ("20160309", "2016-03-09"),
            ("2016年3月9日", "2016-03-09"),
            ("9 Mar 2016", "2016-03-09"),
            ("March 9, 2016", "2016-03-09"),
            ("Played on Sat, 12 March 2016", "2016-03-12"),
            ("1846-09", "1846-09"),
            ("1846", "1846"),
            ("1846-13-40", "1846"),
            ("Edo, 1670 (Kanbun 10)", "1670"),
        ] {
            assert_eq!(GameDate::parse(text).map(|date| date.to_string()).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(GameDate::parse("unknown"), None);
        assert_eq!(GameDate::parse(""), None);
        assert_eq!(GameDate::parse("99999999999999999999"), None);
    }

    #[test]
    fn several_dates_are_read_by_the_rule_of_sgf() {
        for (text, expected) in [
            ("1996-05-06,07", "1996-05-06 1996-05-07"),
            ("1846-09-11,14,15", "1846-09-11 1846-09-14 1846-09-15"),
            ("1996-05,06", "1996-05 1996-06"),
            ("1996,1997", "1996 1997"),
            ("1996-05-06,07,08", "1996-05-06 1996-05-07 1996-05-08"),
            ("1996-12-27,28,1997-01-03,04", "1996-12-27 1996-12-28 1997-01-03 1997-01-04"),
            ("1996-04-30,05-01,02", "1996-04-30 1996-05-01 1996-05-02"),
            ("1996-05-06, 07", "1996-05-06 1996-05-07"),
            ("2003-09-25", "2003-09-25"),
            ("March 9, 2016", "2016-03-09"),
            ("2016-03-09, Seoul", "2016-03-09"),
            ("Edo, 1670 (Kanbun 10)", "1670"),
            // What has no meaning behind the date before it.
            ("1996,05", "1996"),
            ("1996-05,06-07", "1996-05"),
            ("1996-05-06,32", "1996-05-06"),
            ("1996-05-06,00", "1996-05-06"),
            ("1996-05-06,13-01", "1996-05-06"),
            ("1996-05-06,,07", "1996-05-06"),
            ("1996-05-06,99999999999", "1996-05-06"),
        ] {
            let dates: Vec<String> = GameDate::parse_all(text).iter().map(ToString::to_string).collect();
            assert_eq!(dates.join(" "), expected, "{text}");
        }
        assert_eq!(GameDate::parse_all(""), []);
        assert_eq!(GameDate::parse_all(", ,"), []);
    }

    #[test]
    fn an_exact_date_has_no_part_out_of_range_and_no_other_form() {
        for text in ["2017", "2017-05", "2017-05-23", "0794"] {
            assert_eq!(GameDate::parse_exact(text).map(|date| date.to_string()).as_deref(), Some(text));
        }
        for text in ["", "foo", "2017-13-45", "2017-05-32", "2017/05/23", "2017-5-23", "23 May 2017", "2017-05-23 "] {
            assert_eq!(GameDate::parse_exact(text), None, "{text}");
        }
    }
}
