//! A program together with all that it starts in turn.

use std::io;
use std::process::{Child, Command};

/// What a program and all that it started belong to: on Unix its process group, on Windows its job.
pub(super) struct ProcessTree {
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

impl ProcessTree {
    /// Has the program begin a tree of its own. Ctrl-C in the terminal is then ours alone, and on Windows no console
    /// window opens for it.
    pub(super) fn prepare(command: &mut Command) {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        {
            // Source: Microsoft, "Process Creation Flags".
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
            const CREATE_NO_WINDOW: u32 = 0x0800_0000;
            std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
        }
    }

    /// The tree of a program that was just started.
    ///
    /// # Errors
    /// What the system says; the program runs then, and nothing ends what it starts.
    #[cfg_attr(unix, expect(clippy::unnecessary_wraps, reason = "Windows may refuse"))]
    pub(super) fn of(child: &Child) -> io::Result<Self> {
        #[cfg(unix)]
        return Ok(Self { group: i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) });
        #[cfg(windows)]
        {
            use std::os::windows::io::AsRawHandle as _;
            // When the last handle of the job is closed, even because this program crashed, all in it end.
            let mut limits = win32job::ExtendedLimitInfo::new();
            limits.limit_kill_on_job_close();
            let job = win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
            job.assign_process(child.as_raw_handle() as isize).map_err(io::Error::other)?;
            Ok(Self { job: Some(job) })
        }
    }

    /// Ends all of it now. The program itself may be gone already; what it started may not.
    pub(super) fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(windows)]
        drop(self.job.take());
    }
}
