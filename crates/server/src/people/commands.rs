//! What somebody may do who has an account here and does not own the machine.

use super::MAX_EVALUATIONS_MIB;
use crate::Backend;
use crate::quota::{Quota, text_bytes};
use honinbo_api::{ApiError, App, Caller, Permission, Settings, dispatch};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What somebody's folder may take beyond its limit for games that are opened from it and for words about them: whose library is full can
/// still look at it, tidy it up and close its games.
const MAX_BEYOND_BYTES: u64 = 64 << 20;

/// The commands as a person gives them who does not own the machine.
pub(super) struct OfPerson {
    pub(super) app: Arc<App>,
    pub(super) quota: Arc<Quota>,
    pub(super) closed: Arc<AtomicBool>,
}

impl OfPerson {
    /// Gives a command for which there has to be room, so far beyond the limit.
    fn call_within(&self, beyond: u64, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        if !self.quota.has_room_for(text_bytes(&args), beyond) {
            let most = self.quota.max_mib();
            let message = format!("your library has no more room for this: {most} MiB is the most on this server");
            return Err(ApiError::NotPossibleHere { message });
        }
        dispatch(&self.app, caller, name, args)
    }
}

impl Backend for OfPerson {
    fn call(&self, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(ApiError::NotPossibleHere { message: "this board is closed; log in again".into() });
        }
        match Permission::of(name) {
            Permission::Free => dispatch(&self.app, caller, name, args),
            Permission::Stores => self.call_within(0, caller, name, args),
            Permission::Opens => self.call_within(MAX_BEYOND_BYTES, caller, name, args),
            Permission::Settings => dispatch(&self.app, caller, name, own_settings(&self.app.settings(), args)),
            Permission::Nothing => Ok(json!([])),
            Permission::Refused => {
                Err(ApiError::NotPossibleHere { message: "on this server that is up to whoever runs it".into() })
            }
        }
    }
}

/// Settings as a person may have them: how things look, and nothing about the machine.
fn own_settings(kept: &Settings, mut args: Value) -> Value {
    let machine = ["network", "networkFolder", "analysisEngine", "device", "threads", "memoryMib", "precision"];
    if let Value::Object(fields) = &mut args {
        for name in machine {
            fields.remove(name);
        }
        let wanted = fields.get("evaluationsMib").and_then(Value::as_u64);
        let wanted = wanted.unwrap_or(kept.evaluations_mib.into());
        fields.insert("evaluationsMib".to_owned(), wanted.min(MAX_EVALUATIONS_MIB.into()).into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::MAX_FOLDER_BYTES;
    use crate::people::testing::person;
    use honinbo_api::COMMANDS;

    #[test]
    fn neither_files_of_an_import_that_never_ends_nor_games_that_are_open_go_beyond_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        // An empty library takes some of it.
        let person = person(folder.path(), 4 << 20);
        let give = |name: &str, args: Value| person.call(&Caller::new(), name, args);
        // A game with a long comment.
        let base64 = format!("KDtTWls5XUNb{}XSk=", "eHh4".repeat(60_000));
        let refused = |name: &str, args: &dyn Fn() -> Value| {
            let refused = (0..100).find_map(|_| give(name, args()).err());
            assert!(matches!(refused, Some(ApiError::NotPossibleHere { .. })), "{name}: {refused:?}");
        };
        refused("import_content", &|| json!({ "batch": 1, "name": "a.sgf", "base64": base64, "remaining": 1 }));
        refused("open_content", &|| json!({ "name": "a.sgf", "base64": base64 }));
        for name in ["open_from", "open_games", "paste_variation"] {
            assert_eq!(Permission::of(name), Permission::Stores, "{name}");
        }
        // What is there can still be looked at.
        let game = give(
            "new_game",
            json!({
                "width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
            }),
        );
        let game = game.unwrap()["gameId"].clone();
        give("set_comment", json!({ "gameId": game, "nodeId": 0, "text": "x".repeat(300_000) })).unwrap();
    }

    #[test]
    fn what_is_about_the_machine_is_refused_and_so_is_what_nobody_has_allowed() {
        let is_command = |name: &str| COMMANDS.iter().any(|command| command.name == name);
        for name in [
            "measure_devices",
            "fetch_network",
            "pause_network",
            "remove_network",
            "renew_shelf",
            "list_runtimes",
            "fetch_runtime",
            "pause_runtime",
            "add_runtime",
            "remove_runtime",
            "open_file",
            "save_file",
            "save_content",
            "drag_file",
            "compare_networks",
            "test_engine",
            "add_engine",
            "change_engine",
            "remove_engine",
            "import_paths",
            "backup_library",
            "list_backups",
            "look_at_backup",
            "restore_library",
            "rescue_library",
            "add_source",
            "remove_source",
            "sync_sources",
            "training_status",
            "training_policy",
            "training_game",
            "open_training_game",
            "set_menu_bar",
        ] {
            assert!(is_command(name), "{name}");
            assert_eq!(Permission::of(name), Permission::Refused, "{name}");
        }
        assert_eq!(Permission::of("a_command_of_tomorrow"), Permission::Refused);
    }

    #[test]
    fn what_a_person_may_do_is_this() {
        let mut table: Vec<String> =
            COMMANDS.iter().map(|command| format!("{:?} {}", command.people, command.name)).collect();
        table.sort();
        insta::assert_snapshot!(table.join("\n"), @r"
        Free add_line
        Free answer_card
        Free answer_exercise
        Free cancel
        Free cancel_import
        Free cancel_pattern
        Free cancel_trial
        Free card_facts
        Free card_solution
        Free check_library
        Free clear_evaluations
        Free clear_review_queue
        Free closed_games
        Free continue_game
        Free continue_play
        Free copy_variation
        Free delete_records
        Free delete_variation
        Free drill_state
        Free empty_bin
        Free end_comparison
        Free end_problem_set
        Free end_training
        Free engine_status
        Free exercise_figures
        Free explore_position
        Free export_anki_deck
        Free export_deck
        Free export_evaluated
        Free export_records
        Free export_sgf
        Free find_places
        Free frame_position
        Free get_game
        Free get_play
        Free get_records
        Free go_to
        Free judge_problem
        Free keep_variation
        Free known_analysis
        Free library_history
        Free library_report
        Free library_stats
        Free list_devices
        Free list_folders
        Free list_games
        Free list_opponents
        Free list_players
        Free list_searches
        Free list_shelf
        Free list_sources
        Free list_tags
        Free make_booklet
        Free move_variation
        Free navigate
        Free new_game
        Free next_drill
        Free next_exercise
        Free next_in_set
        Free next_problem
        Free offer_game
        Free open_famous
        Free part_player
        Free pause_play
        Free play
        Free play_out
        Free play_turn
        Free player_page
        Free position_at
        Free prepare_card
        Free prepare_exercise
        Free preview_record
        Free problem_solution
        Free problem_state
        Free promote_variation
        Free queue_reviews
        Free rank_review
        Free rated_progress
        Free record_details
        Free redo_edit
        Free redo_library
        Free remove_card
        Free remove_folder
        Free remove_problems
        Free remove_search
        Free repertoire
        Free resign_play
        Free restore_records
        Free review_by_itself
        Free review_line
        Free review_player
        Free review_queue
        Free run
        Free score
        Free search_pattern
        Free search_records
        Free set_analysis
        Free set_annotations
        Free set_marks
        Free set_stones
        Free set_to_move
        Free settle_play
        Free start_problem_set
        Free startup
        Free step_play
        Free stop_engine
        Free stop_measuring
        Free stop_play
        Free stop_sweep
        Free stop_sync
        Free sweep_game
        Free take_back
        Free take_review_offer
        Free take_seat
        Free text_readings
        Free try_out
        Free try_problem
        Free turning_points
        Free undo_edit
        Free undo_library
        Free weak_positions
        Free weaknesses
        Nothing find_engines
        Opens close_game
        Opens edit_records
        Opens join_players
        Opens make_folder
        Opens name_person
        Opens open_record
        Opens rename_folder
        Opens rename_record
        Opens rename_search
        Opens reopen_game
        Opens save_search
        Opens set_comment
        Opens set_game_info
        Opens set_node_name
        Refused add_engine
        Refused add_runtime
        Refused add_source
        Refused backup_library
        Refused change_engine
        Refused compare_networks
        Refused drag_file
        Refused fetch_network
        Refused fetch_runtime
        Refused fetch_update
        Refused import_paths
        Refused install_update
        Refused list_backups
        Refused list_runtimes
        Refused look_at_backup
        Refused look_for_update
        Refused measure_devices
        Refused open_file
        Refused open_training_game
        Refused pause_network
        Refused pause_runtime
        Refused pause_update
        Refused remove_engine
        Refused remove_network
        Refused remove_runtime
        Refused remove_source
        Refused renew_shelf
        Refused rescue_library
        Refused restore_library
        Refused save_content
        Refused save_file
        Refused set_menu_bar
        Refused sync_sources
        Refused test_engine
        Refused training_game
        Refused training_policy
        Refused training_status
        Refused update_state
        Settings set_settings
        Stores import_content
        Stores import_deck
        Stores keep_card
        Stores keep_lines
        Stores keep_position
        Stores open_content
        Stores open_from
        Stores open_games
        Stores open_problems
        Stores open_shipped_problems
        Stores part_version
        Stores paste_variation
        Stores practise_opening
        Stores practise_weakness
        Stores read_texts
        Stores rematch
        Stores save_goban
        Stores start_play
        ");
    }

    #[test]
    fn settings_of_the_machine_stay_as_they_are() {
        let kept = Settings::default();
        let machine = json!({
            "network": "evil.bin.gz",
            "networkFolder": "/etc",
            "analysisEngine": "evil",
            "device": "evil",
            "threads": 99,
            "memoryMib": 99_999,
            "precision": "exact",
        });
        let usual = serde_json::to_value(&kept).unwrap();
        for (name, value) in machine.as_object().unwrap() {
            assert!(usual.get(name).is_some_and(|usual| usual != value), "{name}");
        }
        let mut wanted = machine.clone();
        wanted["theme"] = "dark".into();
        wanted["evaluationsMib"] = 1_000_000.into();
        let own = own_settings(&kept, wanted.clone());
        assert_eq!(own["theme"], "dark");
        for name in machine.as_object().unwrap().keys() {
            assert_eq!(own.get(name), None, "{name}");
        }
        assert_eq!(own["evaluationsMib"], MAX_EVALUATIONS_MIB);
        // What the new file of a person says is more than a server gives.
        assert_eq!(own_settings(&kept, json!({}))["evaluationsMib"], MAX_EVALUATIONS_MIB);

        let folder = tempfile::tempdir().unwrap();
        let person = person(folder.path(), MAX_FOLDER_BYTES);
        let settings = || serde_json::to_value(person.app.settings()).unwrap();
        let before = settings();
        person.call(&Caller::new(), "set_settings", wanted).unwrap();
        let after = settings();
        assert_eq!((&after["theme"], &after["evaluationsMib"]), (&json!("dark"), &json!(MAX_EVALUATIONS_MIB)));
        for name in machine.as_object().unwrap().keys() {
            assert_eq!(after[name], before[name], "{name}");
        }
    }
}
