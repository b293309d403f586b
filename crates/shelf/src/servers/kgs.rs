//! The archives of the KGS Go Server.
//!
//! * `GET /gameArchives.jsp?user=NAME`: a page whose calendar links to each month with games,
//!   `gameArchives.jsp?user=NAME&year=2013&month=7`.
//! * `GET /servlet/archives/en_US/NAME-2013-7.zip`: the records of a month.
//!
//! A month is one request. The server asks programs that wander about to leave its archives alone (`robots.txt`), so
//! nothing but the months of the person who asks is fetched, far apart, and a month that is over only once, or for thirty
//! days where its archive is not there.
//!
//! Source: the documentation of `WWW::GoKGS` 0.21 and public programs that read these pages, read in November 2026. Some
//! of them say that the page has lately been shown only after a log-in; that is said to the person.

use super::asking::{Asker, Question, Reply, encoded};
use super::{Delivery, Receiver, Visit, VisitError, VisitProgress};
use std::collections::BTreeSet;
use ureq::http::StatusCode;

const MAX_PAGE_BYTES: u64 = 8 << 20;
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// KGS began in 2000, and no page lists more months than a person lives.
const MAX_MONTHS: usize = 1_200;
/// The mark of a month that is over and was fetched.
const WHOLE: &str = "whole";
/// What the mark of a month begins with that is over and whose archive was not there, before the time when that was seen
/// first.
const MISSING: &str = "missing ";
/// An archive that is not there is asked for at every look for so long, as the server may just be at work on it.
const MISSING_SECONDS: u64 = 30 * 24 * 60 * 60;
/// Games of a month's last evening, anywhere on earth, are in its archive after two days.
const SETTLING_SECONDS: u64 = 2 * 24 * 60 * 60;

pub(super) fn visit(
    visit: &Visit<'_>,
    asker: &mut Asker<'_>,
    receiver: &mut dyn Receiver,
) -> Result<String, VisitError> {
    let mut progress = VisitProgress::default();
    let path = format!("/gameArchives.jsp?user={}", encoded(visit.name));
    let question = Question { path: &path, limit: MAX_PAGE_BYTES, accept: "text/html", mark: "" };
    let reply = asker.ask(&question, &mut |pause| receiver.hear(VisitProgress { pause, ..progress }))?;
    let Reply::Page { bytes, .. } = reply else {
        return Err(VisitError::LogInAsked { server: visit.server.label(), name: visit.name.to_owned() });
    };
    let page = String::from_utf8_lossy(&bytes);
    let this_month = month_of(visit.unix_seconds);
    let months = months(&page, visit, this_month).map_err(|reason| match reason {
        NoMonths::LogIn => VisitError::LogInAsked { server: visit.server.label(), name: visit.name.to_owned() },
        NoMonths::Nobody => VisitError::NoSuchPlayer { server: visit.server.label(), name: visit.name.to_owned() },
        NoMonths::OtherPage => {
            VisitError::Unexpected { address: asker.address(&path), reason: "it is no page of archives".to_owned() }
        }
    })?;
    let settled = month_of(visit.unix_seconds.saturating_sub(SETTLING_SECONDS));
    // A month that is refused holds no older ones back; a server that refuses the next one too shows none without a log-in.
    let (mut refused, mut in_a_row) = (None, false);
    for month in months.into_iter().rev() {
        match fetch(visit, asker, month, month < settled, &mut progress, receiver) {
            Err(error @ VisitError::LogInAsked { .. }) if !in_a_row => (refused, in_a_row) = (Some(error), true),
            Err(error) => return Err(error),
            Ok(was_asked) => in_a_row &= !was_asked,
        }
    }
    refused.map_or_else(|| Ok(visit.name.to_owned()), Err)
}

type Month = (u32, u32);

/// Whether the server was asked.
fn fetch(
    visit: &Visit<'_>,
    asker: &mut Asker<'_>,
    month: Month,
    is_over: bool,
    progress: &mut VisitProgress,
    receiver: &mut dyn Receiver,
) -> Result<bool, VisitError> {
    let key = format!("{}-{}", month.0, month.1);
    let mark = receiver.mark(&key).map_err(VisitError::NotKept)?;
    if mark == WHOLE {
        return Ok(false);
    }
    let path = format!("/servlet/archives/en_US/{}-{key}.zip", encoded(visit.name));
    let question = Question { path: &path, limit: MAX_ARCHIVE_BYTES, accept: "application/zip", mark: &mark };
    let reply = asker.ask(&question, &mut |pause| receiver.hear(VisitProgress { pause, ..*progress }))?;
    let kept = match reply {
        Reply::Page { bytes, mark: given } => {
            if !bytes.starts_with(b"PK") {
                let reason = "it is no archive".to_owned();
                return Err(VisitError::Unexpected { address: asker.address(&path), reason });
            }
            receiver.take(Delivery::Archive { key: key.clone(), bytes }).map_err(VisitError::NotKept)?;
            progress.fetched += 1;
            receiver.hear(*progress);
            if is_over { WHOLE.to_owned() } else { given }
        }
        Reply::Unchanged if is_over => WHOLE.to_owned(),
        Reply::Unchanged => mark,
        Reply::Refused(status) if status != StatusCode::GONE => {
            return Err(VisitError::LogInAsked { server: visit.server.label(), name: visit.name.to_owned() });
        }
        Reply::Nothing | Reply::Refused(_) if is_over => {
            let since = mark.strip_prefix(MISSING).and_then(|since| since.parse().ok()).unwrap_or(visit.unix_seconds);
            let is_given_up = visit.unix_seconds.saturating_sub(since) >= MISSING_SECONDS;
            if is_given_up { WHOLE.to_owned() } else { format!("{MISSING}{since}") }
        }
        Reply::Nothing | Reply::Refused(_) => String::new(),
    };
    receiver.keep_mark(&key, &kept).map_err(VisitError::NotKept)?;
    Ok(true)
}

#[derive(Debug, PartialEq, Eq)]
enum NoMonths {
    LogIn,
    Nobody,
    OtherPage,
}

/// The months that a page of archives links to, with this one, whose games it shows itself.
fn months(page: &str, visit: &Visit<'_>, this_month: Month) -> Result<BTreeSet<Month>, NoMonths> {
    let mut months = BTreeSet::new();
    let mut of_archives = false;
    for link in links(page) {
        let Some((before, query)) = link.split_once('?') else {
            of_archives |= link.ends_with(".zip") || link.ends_with(".tar.gz");
            continue;
        };
        if !before.ends_with("gameArchives.jsp") {
            continue;
        }
        let value = |name: &str| {
            query
                .split('&')
                .filter_map(|part| part.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value)
        };
        // Players beside the person have links to their own archives.
        let is_own = value("user").is_some_and(|user| user.eq_ignore_ascii_case(&encoded(visit.name)));
        let number = |name: &str| value(name).and_then(|value| value.parse::<u32>().ok());
        if let (true, Some(year), Some(month)) = (is_own, number("year"), number("month")) {
            of_archives = true;
            if (2000..=this_month.0).contains(&year) && (1..=12).contains(&month) && months.len() < MAX_MONTHS {
                months.insert((year, month));
            }
        }
    }
    let lower = page.to_lowercase();
    if !of_archives && lower.contains("type=\"password\"") {
        return Err(NoMonths::LogIn);
    }
    if !of_archives && !lower.contains("gamearchives.jsp") {
        return Err(NoMonths::OtherPage);
    }
    if !of_archives {
        return Err(NoMonths::Nobody);
    }
    months.insert(this_month);
    Ok(months.into_iter().filter(|month| *month <= this_month).collect())
}

/// Where the links of a page lead, entities read. A page is searched, not understood: nothing of it is shown or run.
fn links(page: &str) -> impl Iterator<Item = String> + '_ {
    page.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
        let (link, _) = rest[1..].split_once(quote)?;
        (link.len() <= 500).then(|| link.trim().replace("&amp;", "&"))
    })
}

/// Year and month in the calendar, at Greenwich.
///
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
fn month_of(unix_seconds: u64) -> Month {
    let days = unix_seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March here.
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (u32::try_from(year).unwrap_or(u32::MAX), u32::try_from(month).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_the_calendar() {
        assert_eq!(month_of(0), (1970, 1));
        assert_eq!(month_of(951_782_400), (2000, 2), "the 29th of February");
        assert_eq!(month_of(951_868_800), (2000, 3));
        assert_eq!(month_of(1_798_761_599), (2026, 12));
        assert_eq!(month_of(1_798_761_600), (2027, 1));
    }
}
