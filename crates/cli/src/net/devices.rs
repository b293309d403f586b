//! `honinbo net devices`: what can compute here.

use crate::app;
use crate::args::DevicesArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::run::as_path_if_file;
use honinbo_api::{Caller, DeviceView, NoArgs, commands};
use std::path::PathBuf;

pub(crate) fn devices(args: &DevicesArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, events) = app::open(data);
    drop(events);
    if args.net.is_some() {
        app.override_engine(args.net.as_deref().map(as_path_if_file), None, None);
    }
    let ask = if args.measure { commands::measure_devices } else { commands::list_devices };
    let found = ask(&app, &Caller::new(), NoArgs {});
    app.shut_down();
    let found = found?;
    if args.json {
        return Ok(output.json(&found)?);
    }
    output.line(format!("ONNX Runtime {}, {} cores", found.runtime, found.cores))?;
    for device in &found.devices {
        output.line(line(device))?;
    }
    Ok(())
}

fn line(device: &DeviceView) -> String {
    let DeviceView { device: kind, name, .. } = device;
    let speed = device.evaluations_per_second.get();
    let mut words = Vec::new();
    if speed > 0.0 {
        words.push(format!("{speed:.1} evaluations/s"));
    }
    if device.bits > 0 {
        words.push(format!("{} bits", device.bits));
    }
    if let Some(kernels) = device.kernels {
        let (own, library) = (kernels.own_per_second.get(), kernels.library_per_second.get());
        let faster = if kernels.own { "own kernels" } else { "ONNX Runtime's kernels" };
        words.push(format!("{faster} (own {own:.1}, ONNX Runtime {library:.1} evaluations/s)"));
    }
    if device.nodes_on_processor > 0 {
        let all = device.nodes_on_device + device.nodes_on_processor;
        words.push(format!("{} of {all} nodes on the processor", device.nodes_on_processor));
    }
    if device.is_software {
        words.push("software, used only by name".into());
    }
    if !device.refused.is_empty() {
        words.push(format!("not used: {}", device.refused));
    }
    if device.is_slower {
        words.push("not used: slower than the processor".into());
    }
    if device.in_use {
        words.push("in use".into());
    }
    if words.is_empty() {
        words.push("not measured".into());
    }
    format!("{kind:<9} {name}: {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_gains_nothing_says_so() {
        let slow = DeviceView {
            device: "openvino".into(),
            name: "Xeon".into(),
            evaluations_per_second: 44.6.into(),
            bits: 32,
            is_slower: true,
            ..DeviceView::default()
        };
        assert_eq!(line(&slow), "openvino  Xeon: 44.6 evaluations/s, 32 bits, not used: slower than the processor");
    }
}
