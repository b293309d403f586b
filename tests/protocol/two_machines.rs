//! Two machines joined by a cable, and by nothing else: network namespaces of Linux.

use honinbo_testkit::fixtures::skip;
use std::ffi::OsStr;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};

/// The name of the cable's plug, on either machine.
const PLUG: &str = "wire";

/// Two machines whose only network is the one between them. They are gone when this is dropped.
pub(crate) struct TwoMachines {
    /// A program that does nothing holds each of them.
    first: Child,
    second: Child,
}

impl TwoMachines {
    pub(crate) const FIRST: &str = "10.88.0.1";
    pub(crate) const SECOND: &str = "10.88.0.2";

    /// `None`, and the test counts as skipped, where the system lets nobody make them.
    pub(crate) fn join() -> Option<Self> {
        match Self::try_join() {
            Ok(machines) => Some(machines),
            Err(reason) => {
                skip(&format!("two machines joined by a cable cannot be made, which takes root and ip: {reason}"));
                None
            }
        }
    }

    fn try_join() -> Result<Self, String> {
        let machines = Self { first: machine()?, second: machine()? };
        let second = machines.second.id().to_string();
        let link = ["link", "add", PLUG, "type", "veth", "peer", "name", PLUG, "netns", &second];
        finish(machines.on_first("ip").args(link))?;
        let sides = [(TwoMachines::on_first as fn(&_, _) -> _, Self::FIRST), (TwoMachines::on_second, Self::SECOND)];
        for (on, address) in sides {
            finish(on(&machines, "ip").args(["address", "add", &format!("{address}/24"), "dev", PLUG]))?;
            for device in ["lo", PLUG] {
                finish(on(&machines, "ip").args(["link", "set", device, "up"]))?;
            }
        }
        Ok(machines)
    }

    /// A program that will run on the first machine.
    pub(crate) fn on_first(&self, program: &str) -> Command {
        on(&self.first, program)
    }

    /// A program that will run on the second one.
    pub(crate) fn on_second(&self, program: &str) -> Command {
        on(&self.second, program)
    }
}

impl Drop for TwoMachines {
    fn drop(&mut self) {
        for machine in [&mut self.first, &mut self.second] {
            let _ = machine.kill();
            let _ = machine.wait();
        }
    }
}

/// A machine without a network, held by a program that ends with its input, however the test ends.
fn machine() -> Result<Child, String> {
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", "echo made; exec cat"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut said = [0; 5];
    let made = child.stdout.as_mut().map(|output| output.read_exact(&mut said));
    if matches!(made, Some(Ok(()))) {
        return Ok(child);
    }
    let _ = child.wait();
    Err("no network namespace is made here".into())
}

fn on(machine: &Child, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("nsenter");
    command.args(["--net", "--target", &machine.id().to_string(), "--"]).arg(program);
    command
}

fn finish(command: &mut Command) -> Result<(), String> {
    let ended = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if ended.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&ended.stderr).trim().to_owned()) }
}
