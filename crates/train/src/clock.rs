//! How long a step takes: by the clock, and on all processors together.

use std::time::Instant;

/// Ticks of a second in `/proc`: `USER_HZ`, which is the same on every architecture that these programs run on.
const TICKS: f64 = 100.0;

/// Runs from its start.
#[derive(Debug)]
pub(crate) struct StepClock {
    began: Instant,
    processors: Option<f64>,
}

impl StepClock {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), processors: processor_seconds() }
    }

    /// Seconds since the start, and those of this program on all processors; `None` where the system does not say.
    pub(crate) fn read(&self) -> (f64, Option<f64>) {
        let spent = processor_seconds().zip(self.processors).map(|(now, then)| (now - then).max(0.0));
        (self.began.elapsed().as_secs_f64(), spent)
    }

    /// As [`Self::read`], and starts anew.
    pub(crate) fn lap(&mut self) -> (f64, Option<f64>) {
        let read = self.read();
        *self = Self::start();
        read
    }
}

/// What this program has spent of the processors so far, by `/proc/self/stat` (proc(5)): `utime` and `stime`, the 12th and
/// 13th field after the program's name, which stands in brackets and may hold anything.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_on_processors() {
        let clock = StepClock::start();
        let Some(before) = clock.processors else { return };
        // Until the system has counted it: a wait would never end here.
        while processor_seconds().unwrap() <= before {
            std::hint::black_box((0..1_000_000_u64).sum::<u64>());
        }
        let (seconds, processors) = clock.read();
        assert!(seconds > 0.0 && processors.unwrap() >= 0.01, "{seconds} {processors:?}");
    }
}
