//! What the back end needs of the desktop.

use crate::commands::BackEndEvent;
#[cfg(target_os = "macos")]
use crate::mac_menu;
#[cfg(target_os = "macos")]
use honinbo_api::MenuBar;
use honinbo_api::{Capabilities, Event, Host, ListSource, PackageKind};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
#[cfg(target_os = "macos")]
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager};
use tauri_specta::Event as _;

/// The desktop as the back end sees it.
pub(crate) struct DesktopHost {
    handle: AppHandle,
    data_dir: PathBuf,
    started: Instant,
    #[cfg(target_os = "macos")]
    menu_bar: Mutex<Option<mac_menu::Shown>>,
}

impl DesktopHost {
    /// A host that keeps everything in `data_dir` and emits events to every window of `handle`.
    pub(crate) fn new(handle: AppHandle, data_dir: PathBuf) -> Self {
        Self {
            handle,
            data_dir,
            started: Instant::now(),
            #[cfg(target_os = "macos")]
            menu_bar: Mutex::default(),
        }
    }
}

impl Host for DesktopHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        let reported = self.handle.path().resource_dir().map(|dir| dir.join("resources"));
        honinbo_api::resource_dirs(&reported.into_iter().collect::<Vec<_>>())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: true, native_dialogs: true, menu_bar: cfg!(target_os = "macos") }
    }

    fn watches_folders(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    fn backs_up_after(&self) -> Option<Duration> {
        Some(Duration::from_mins(1))
    }

    #[cfg(target_os = "linux")]
    fn used_file(&self, path: &Path) {
        use gtk::prelude::RecentManagerExt as _;
        let Ok(address) = gtk::glib::filename_to_uri(path, None) else { return };
        // The toolkit's own thread keeps the list, and reads the file's kind while nobody waits.
        let kept = self.handle.run_on_main_thread(move || {
            if let Some(recent) = gtk::RecentManager::default() {
                recent.add_item(&address);
            }
        });
        if let Err(error) = kept {
            tracing::debug!(%error, "a file is missing from the system's list of recent ones");
        }
    }

    /// The jump list, for an app that is installed for these files.
    #[cfg(windows)]
    #[allow(unsafe_code, reason = "the list has no safe interface")]
    fn used_file(&self, path: &Path) {
        use std::os::windows::ffi::OsStrExt as _;
        use windows::Win32::UI::Shell::{SHARD_PATHW, SHAddToRecentDocs};
        let path: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
        // SAFETY: `SHARD_PATHW` takes a path in UTF-16 that ends with 0, and it is read before the call returns.
        unsafe { SHAddToRecentDocs(SHARD_PATHW.0 as u32, Some(path.as_ptr().cast())) };
    }

    /// The menu of the app in the dock.
    #[cfg(target_os = "macos")]
    fn used_file(&self, path: &Path) {
        use objc2::MainThreadMarker;
        use objc2_app_kit::NSDocumentController;
        use objc2_foundation::NSURL;
        let path = path.to_owned();
        let kept = self.handle.run_on_main_thread(move || {
            if let (Some(main), Some(address)) = (MainThreadMarker::new(), NSURL::from_file_path(path)) {
                NSDocumentController::sharedDocumentController(main).noteNewRecentDocumentURL(&address);
            }
        });
        if let Err(error) = kept {
            tracing::debug!(%error, "a file is missing from the system's list of recent ones");
        }
    }

    fn drag_out(&self, path: &Path) -> io::Result<()> {
        let window = self.handle.get_webview_window("main").ok_or(io::ErrorKind::NotFound)?;
        let path = path.to_owned();
        let (done, begun) = std::sync::mpsc::sync_channel(1);
        // Every toolkit wants its own thread for this. On Windows it is busy until the drop, and nobody waits for that.
        let asked = self.handle.run_on_main_thread(move || {
            #[cfg(not(windows))]
            let _ = done.send(begin_drag(&window, &path));
            #[cfg(windows)]
            {
                let _ = done.send(Ok(()));
                if let Err(error) = begin_drag(&window, &path) {
                    tracing::warn!(%error, "a game was not dragged out of the window");
                }
            }
        });
        asked.map_err(io::Error::other)?;
        begun.recv().map_err(io::Error::other)?
    }

    #[cfg(target_os = "macos")]
    fn set_menu_bar(&self, menus: MenuBar) -> io::Result<()> {
        let mut shown = self.menu_bar.lock().unwrap_or_else(PoisonError::into_inner);
        mac_menu::show(&self.handle, &mut shown, menus).map_err(io::Error::other)
    }

    fn releases(&self) -> Option<ListSource> {
        ListSource::releases()
    }

    fn installed_by(&self) -> Option<PackageKind> {
        PackageKind::of_program(&std::env::current_exe().ok()?, Path::new("/"))
    }

    fn install(&self, package: &Path) -> io::Result<()> {
        // The system's own way to open a file: it asks before it installs, and for a password where one is needed.
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = if cfg!(windows) {
            Command::new(package) // The installer itself, which asks Honinbo to be closed.
        } else {
            let mut command = Command::new(opener);
            command.arg(package);
            command
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        // It may stay open for as long as the person likes; whoever has ended is not left behind as a process.
        std::thread::Builder::new().name("installer".into()).spawn(move || child.wait()).map(drop)
    }

    fn emit(&self, event: Event) {
        // Before the window exists nobody listens, and it asks for everything when it starts.
        if let Err(error) = BackEndEvent(event).emit(&self.handle) {
            tracing::warn!("an event did not reach the window: {error}");
        }
    }
}

/// The library that the other systems use takes its answer away when the button is let go, before many programs ask for
/// it, and names files by no valid address.
#[cfg(target_os = "linux")]
fn begin_drag(window: &tauri::WebviewWindow, path: &Path) -> io::Result<()> {
    use gtk::prelude::{DragContextExtManual as _, ObjectExt as _, WidgetExt as _};
    let window = window.gtk_window().map_err(io::Error::other)?;
    let address = gtk::glib::filename_to_uri(path, None).map_err(io::Error::other)?;
    let targets = gtk::TargetList::new(&[]);
    targets.add_uri_targets(0);
    let first_button = 1;
    let context = window
        .drag_begin_with_coordinates(&targets, gtk::gdk::DragAction::COPY, first_button, None, -1, -1)
        .ok_or_else(|| io::Error::other("the system begins no drag now"))?;
    context.drag_set_icon_name("text-x-generic", 0, 0);
    let answers = window.connect_drag_data_get(move |_, _, data, _, _| {
        data.set_uris(&[&address]);
    });
    // Each drag has its own answer, and both go with its end.
    let handlers = std::rc::Rc::new(std::cell::RefCell::new(vec![answers]));
    let ending = std::rc::Rc::clone(&handlers);
    let ends = window.connect_drag_end(move |window, _| {
        for handler in ending.borrow_mut().drain(..) {
            window.disconnect(handler);
        }
    });
    handlers.borrow_mut().push(ends);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn begin_drag(window: &tauri::WebviewWindow, path: &Path) -> io::Result<()> {
    /// What is seen under the pointer meanwhile.
    const DRAGGED: &[u8] = include_bytes!("../icons/32x32.png");
    let item = drag::DragItem::Files(vec![path.to_owned()]);
    let picture = drag::Image::Raw(DRAGGED.to_vec());
    drag::start_drag(window, item, picture, |_, _| (), drag::Options::default()).map_err(io::Error::other)
}
