//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// The records that are kept, and what is known of their positions.
#[doc(hidden)]
#[macro_export]
macro_rules! library_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// A page of the library.
            search_records: RecordQuery => RecordPage, long, changes [], people free;
            /// Gives a record a name.
            rename_record: RenameRecord => (), long, changes [library], people opens;
            /// Deletes records; `restore_records` brings them back.
            delete_records: RecordRefs => (), long, changes [library], people free;
            /// Brings deleted records back.
            restore_records: RecordRefs => (), long, changes [library], people free;
            /// Deletes for good what `delete_records` deleted; earlier changes of the library cannot be undone then.
            empty_bin: NoArgs => (), long, changes [library], people free;
            /// Imports files and folders of this disk in the background; `Event::Import` follows.
            import_paths: ImportPaths => (), long, changes [library], people refused;
            /// Takes a file given as its content. With the last of a batch they are imported in the background;
            /// `Event::Import` follows.
            import_content: ImportContent => (), long, changes [library], people stores;
            /// Ends the import; what it brought so far stays.
            cancel_import: NoArgs => (), cancels [], changes [], people free;
            /// What the library holds.
            library_stats: NoArgs => LibraryStats, long, changes [], people free;
            /// Records by their ids, in that order; those that are gone are left out.
            get_records: RecordRefs => Vec<RecordSummary>, long, changes [], people free;
            /// A position of a record, without opening it.
            preview_record: PreviewRecord => RecordPreview, long, changes [], people free;
            /// A record with its tags, folder and other versions.
            record_details: RecordRef => RecordDetails, long, changes [], people free;
            /// Makes another version of a record a record of its own.
            part_version: PartVersion => RecordSummary, long, changes [library], people stores;
            /// Changes folder, tags and facts of records.
            edit_records: EditRecords => (), long, changes [library], people opens;
            /// The folders, by path.
            list_folders: NoArgs => Vec<RecordGroup>, long, changes [], people free;
            /// Makes an empty folder.
            make_folder: FolderPath => (), long, changes [library], people opens;
            /// Gives a folder, and those in it, another path.
            rename_folder: RenameFolder => (), long, changes [library], people opens;
            /// Removes a folder and those in it; their records stay.
            remove_folder: FolderPath => (), long, changes [library], people free;
            /// The tags, by name.
            list_tags: NoArgs => Vec<RecordGroup>, long, changes [], people free;
            /// The saved searches, by name.
            list_searches: NoArgs => Vec<SavedRecordSearch>, long, changes [], people free;
            /// Keeps a search, in place of one of the same name.
            save_search: SavedRecordSearch => (), long, changes [library], people opens;
            /// Gives a saved search another name, in place of one of that name.
            rename_search: RenameSearch => (), long, changes [library], people opens;
            /// Forgets a saved search.
            remove_search: SearchName => (), long, changes [library], people free;
            /// What can be taken back and done again.
            library_history: NoArgs => LibraryHistory, long, changes [], people free;
            /// Takes the last change of the library back.
            undo_library: NoArgs => LibraryHistory, long, changes [library], people free;
            /// Does what was taken back once more.
            redo_library: NoArgs => LibraryHistory, long, changes [library], people free;
            /// Finds a pattern or a position; `Event::Pattern` reports how it goes on. A search of this window that is
            /// under way ends.
            search_pattern: PatternSearch => PatternResult, long [pattern], changes [], people free;
            /// Ends this window's search; it answers with what it has.
            cancel_pattern: NoArgs => (), cancels [pattern], changes [], people free;
            /// How games went on from the current position of an open game.
            explore_position: ExploreRequest => ExplorerView, long, changes [], people free;
            /// People by a part of their name.
            list_players: PlayersQuery => Vec<PlayerSummary>, long, changes [], people free;
            /// A player's record.
            player_page: PlayerName => PlayerPage, long, changes [], people free;
            /// Says that several names are one person.
            join_players: PlayerNames => (), long, changes [library], people opens;
            /// Says that a name is a person of its own again.
            part_player: PlayerName => (), long, changes [library], people free;
            /// Figures about the whole library.
            library_report: NoArgs => LibraryReport, long, changes [], people free;
            /// Writes records into a file, or gives their content.
            export_records: ExportRecords => ExportedRecords, long, changes [], people free;
            /// Writes the whole library into one new file on this disk, with an empty path into one of the folder
            /// `backups` of the data folder, and answers with its path.
            backup_library: FilePath => FilePath, long, changes [], people refused;
            /// Reads the whole library and says, or repairs, what is wrong with it.
            check_library: CheckLibrary => LibraryCheck, long, changes [], people free;
            /// Has a new library with what can be read of this one take its place at the next start; the damaged file is
            /// kept beside it.
            rescue_library: NoArgs => (), long, changes [], people refused;
            /// The backups in the folder `backups` of the data folder, and how many games the library has.
            list_backups: NoArgs => LibraryBackups, long, changes [], people refused;
            /// What a backup elsewhere on this disk holds.
            look_at_backup: FilePath => LibraryBackup, long, changes [], people refused;
            /// Checks a backup and has it take the library's place at the next start; the library becomes a backup of its
            /// own then.
            restore_library: ChosenBackup => (), long, changes [], people refused;
            /// Forgets what the engine found in all games; games that are open keep what is on the screen.
            clear_evaluations: NoArgs => (), long, changes [], people free;
        } }
    };
}
