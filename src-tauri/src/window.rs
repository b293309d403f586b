//! The program: its plugins, its back end, its window.

use crate::commands::{self, Desktop};
use crate::desktop_host::DesktopHost;
use crate::given_files::{self, Early};
use crate::log;
#[cfg(target_os = "macos")]
use crate::mac_menu;
use crate::place;
use honinbo_api::App;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tauri::{Manager, RunEvent, Window, WindowEvent};

/// How long the window waits for its page to hand in what is being typed before it is closed.
const LEAVE_PATIENCE: Duration = Duration::from_secs(2);

/// Opens the window and stays until it is closed.
///
/// Files named on the command line are opened; if the program runs already, it opens them and this one ends.
pub fn run() {
    let data_dir = honinbo_api::default_data_dir();
    log::begin(&data_dir);
    #[cfg(unix)]
    given_files::begin_in_unicode();
    if !has_display() {
        tracing::error!("there is no display to open the window on; `honinbo run FILE.sgf` analyses in the terminal");
        std::process::exit(1);
    }
    let remembered = place::file_in(&data_dir);
    let builder = commands::builder();
    let early = Arc::new(Early::new());
    let later = Arc::clone(&early);
    #[cfg(target_os = "macos")]
    let given = Arc::clone(&early);
    let invoke = builder.invoke_handler();
    let program = tauri::Builder::default();
    #[cfg(target_os = "macos")]
    let program = program.menu(mac_menu::usual).on_menu_event(|handle, event| mac_menu::chosen(handle, &event));
    let built = program
        // First of the plugins: a second start must end before it opens the library.
        .plugin(tauri_plugin_single_instance::init(move |handle, arguments, folder| {
            let files = given_files::among(arguments.into_iter().skip(1).map(OsString::from), Path::new(&folder));
            let (handle, early) = (handle.clone(), Arc::clone(&later));
            // Reading a file may take a while; the bus waits for this call.
            tauri::async_runtime::spawn_blocking(move || given_files::open_later(&handle, &early, files));
        }))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(place::remembered(&remembered))
        .invoke_handler(invoke)
        .on_window_event(|window, event| {
            if matches!(event, WindowEvent::CloseRequested { .. }) {
                close_at_last(window.clone());
            }
        })
        .setup(move |tauri| {
            builder.mount_events(tauri);
            let handle = tauri.handle().clone();
            if let Some(window) = handle.get_webview_window("main")
                && let Err(error) = place::fit_on_screen(&window, &remembered)
            {
                tracing::warn!("the window may be larger than its screen: {error}");
            }
            let host = DesktopHost::new(handle.clone(), data_dir);
            let desktop = Arc::new(Desktop::new(App::new(Arc::new(host))));
            // While the web view starts the processor has little to do, and the page asks for it anyhow.
            desktop.app.warm_up();
            desktop.app.keep_open_games();
            tauri.manage(Arc::clone(&desktop));
            let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
            let mut files = given_files::among(std::env::args_os().skip(1), &folder);
            files.extend(early.end());
            // The page asks for its first picture only after this has returned: what is open by then is in it.
            given_files::open_at_start(&desktop, &files);
            Ok(())
        })
        .build(tauri::generate_context!());
    match built {
        Ok(program) => program.run(move |handle, event| match event {
            RunEvent::Exit => {
                if let Some(desktop) = handle.try_state::<Arc<Desktop>>() {
                    desktop.app.shut_down();
                }
            }
            // A Mac hands files over like this, at the start too, and never on the command line.
            #[cfg(target_os = "macos")]
            RunEvent::Opened { urls } => {
                let files = given_files::among(urls.iter().map(|url| OsString::from(url.as_str())), Path::new("/"));
                let (handle, early) = (handle.clone(), Arc::clone(&given));
                tauri::async_runtime::spawn_blocking(move || given_files::open_later(&handle, &early, files));
            }
            _ => {}
        }),
        Err(error) => {
            tracing::error!("the window could not be opened: {error}");
            std::process::exit(1);
        }
    }
}

/// Closes the window where its page, which closes it as soon as it is ready, does not answer.
fn close_at_last(window: Window) {
    let close = move || {
        std::thread::sleep(LEAVE_PATIENCE);
        // It is gone by now where all is well.
        let _ = window.destroy();
    };
    let _ = std::thread::Builder::new().name("close".into()).spawn(close);
}

/// Whether there is anything to draw on; asked first, as the toolkit would only panic.
fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}
