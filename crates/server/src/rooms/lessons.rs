//! Giving a lesson, and the records of those that were given.

use super::error::OpenError;
use super::lesson::{LessonRoom, LessonSummary};
use super::listed::Listed;
use super::registry::Handle;
use super::service::Rooms;
use crate::accounts::Account;
use base64::Engine as _;
use honinbo_library::{AccountId, KeptLesson};
use honinbo_rooms::{Lesson, Role, Terms};
use serde::{Deserialize, Deserializer};
use specta::Type;

/// A lesson that somebody wants to give: on an empty board, about a finished game of one's own, or about a record.
#[derive(Debug, Clone, Default, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewLesson {
    title: String,
    terms: Terms,
    /// The number of a finished game.
    #[serde(deserialize_with = "game_number")]
    #[specta(type = Option<u64>)]
    game: Option<u64>,
    sgf: Option<String>,
    /// The bytes of a record's file, in any character set that the reader knows.
    sgf_base64: Option<String>,
    /// Everybody sees it.
    listed: bool,
    /// Those who come watch, until the teacher makes them students.
    audience: bool,
}

/// A whole number in any form that JSON has for it, as [`honinbo_rooms::whole`] reads smaller ones.
fn game_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let number = Option::<serde_json::Number>::deserialize(deserializer)?;
    let whole = |number: serde_json::Number| {
        let rounded =
            || number.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0).map(|value| value as u64);
        let none = || serde::de::Error::custom(format_args!("{number} is no whole number"));
        number.as_u64().or_else(rounded).ok_or_else(none)
    };
    number.map(whole).transpose()
}

impl Rooms {
    /// Makes a lesson; answers its number.
    pub(crate) async fn create_lesson(&self, account: &Account, wanted: NewLesson) -> Result<String, OpenError> {
        self.may_open(account)?;
        let NewLesson { title, terms, game, sgf, sgf_base64, listed, audience } = wanted;
        let sgf = match game {
            Some(game) => {
                let game = i64::try_from(game).unwrap_or(i64::MAX);
                Some(self.record(account.id, game).await?.ok_or(OpenError::UnknownGame)?)
            }
            None => sgf,
        };
        let file = sgf_base64
            .map(|text| base64::engine::general_purpose::STANDARD.decode(text))
            .transpose()
            .map_err(|error| OpenError::BadLesson(format!("the record is not base64: {error}")))?;
        let id = self.free_number()?;
        let (number, teacher) = (id.clone(), account.clone());
        // A long record takes milliseconds: none of the others waits for it.
        let made = tokio::task::spawn_blocking(move || {
            let person = teacher.id.to_string();
            let teacher = [person.as_str(), teacher.name.as_str()];
            match (sgf, file) {
                (Some(sgf), _) => Lesson::on_record(number, &title, teacher, &sgf),
                (None, Some(file)) => Lesson::on_file(number, &title, teacher, &file),
                (None, None) => Lesson::on_board(number, &title, teacher, &terms),
            }
        });
        let lesson = made.await.map_err(|_| OpenError::Unavailable)??;
        let lesson = lesson.with_newcomers(if audience { Role::Audience } else { Role::Student });
        let handle = self.start_lesson(if listed { lesson.listed() } else { lesson }, false);
        self.settled(&handle.inputs).await;
        Ok(id)
    }

    pub(super) fn start_lesson(&self, lesson: Lesson, came: bool) -> Handle<LessonSummary> {
        self.put_to_work(lesson.id().to_owned(), LessonRoom::new(lesson), came)
    }

    /// Lessons that everybody sees, and those that the person has been in; these first.
    pub(crate) fn lessons(&self, account: &Account) -> Vec<LessonSummary> {
        let person = account.id.to_string();
        let mut listed = Listed::new();
        self.for_each_lesson(|lesson| {
            let own = lesson.has(&person);
            if !lesson.over && (lesson.listed || own) {
                listed.put((!own, false, &lesson.id), lesson);
            }
        });
        listed.items()
    }

    /// A page of the records of lessons that somebody took part in, newest first.
    pub(crate) async fn lesson_records(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<KeptLesson>, OpenError> {
        self.read(move |store| store.lessons_of(account, before, limit)).await
    }

    /// The record of a lesson that this account took part in.
    pub(crate) async fn lesson_record(&self, account: AccountId, lesson: i64) -> Result<Option<String>, OpenError> {
        self.read(move |store| store.lesson_record_of(account, lesson)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_game_is_whole_in_any_form() {
        let game = |text: &str| serde_json::from_str::<NewLesson>(text).map(|wanted| wanted.game).ok();
        assert_eq!((game("{}"), game(r#"{"game":null}"#)), (Some(None), Some(None)));
        assert_eq!((game(r#"{"game":7}"#), game(r#"{"game":7.0}"#)), (Some(Some(7)), Some(Some(7))));
        for text in [r#"{"game":7.5}"#, r#"{"game":-1}"#, r#"{"game":"7"}"#] {
            assert_eq!(game(text), None, "{text}");
        }
    }
}
