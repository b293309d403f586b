//! How often something may be tried.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Action {
    /// Giving a password.
    LogIn,
    /// Making an account, or coming in as a guest.
    Register,
}

/// Who tries: one name from one address, everybody from one address, everybody for one name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Bucket {
    NameFrom(Action, String, IpAddr),
    From(Action, IpAddr),
    Name(Action, String),
}

/// How often something may be tried within the window. The operator changes them while the server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AttemptLimits {
    /// Passwords for a name from one address.
    pub(crate) log_ins_of_name: u32,
    /// Passwords from one address, which may be a whole school's.
    pub(crate) log_ins_of_address: u32,
    /// Accounts and guests from one address, behind which a whole school may come in at the beginning of a lesson.
    pub(crate) new_of_address: u32,
}

impl Default for AttemptLimits {
    fn default() -> Self {
        Self { log_ins_of_name: 10, log_ins_of_address: 100, new_of_address: 200 }
    }
}

/// All that is tried for one name is limited so many times above what one address may try, so that nobody locks somebody
/// else out from there.
const FROM_EVERYWHERE: u32 = 30;

/// Attempts within a window that begins with the first of them.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    pub(super) limits: AttemptLimits,
    counts: HashMap<Bucket, (Duration, u32)>,
    /// While there is no room for more: when the first window ends, so that an attack is not searched for room each time.
    full_until: Duration,
}

const WINDOW: Duration = Duration::from_secs(300);
const MAX_BUCKETS: usize = 20_000;

impl Bucket {
    fn limit(&self, limits: &AttemptLimits) -> u32 {
        match self {
            Self::NameFrom(..) => limits.log_ins_of_name,
            Self::From(Action::LogIn, _) => limits.log_ins_of_address,
            Self::From(Action::Register, _) => limits.new_of_address,
            Self::Name(..) => limits.log_ins_of_name.saturating_mul(FROM_EVERYWHERE),
        }
    }
}

impl Attempts {
    /// Counts an attempt; `Some` says how long to wait, and then it is not counted.
    ///
    /// Addresses of this machine are not limited: they are those of a proxy that is not trusted to say whose request it
    /// passes on, and one of its people would lock out all others.
    pub(super) fn count(&mut self, action: Action, name: &str, from: IpAddr, now: Duration) -> Option<Duration> {
        let buckets = buckets(action, name, from);
        let wait = buckets.iter().filter_map(|bucket| self.wait(bucket, now)).max();
        if wait.is_some() {
            return wait;
        }
        if self.counts.len() + buckets.len() > MAX_BUCKETS {
            if now >= self.full_until {
                self.counts.retain(|_, (began, _)| now.saturating_sub(*began) < WINDOW);
                self.full_until = self.counts.values().map(|(began, _)| *began + WINDOW).min().unwrap_or(now);
            }
            if self.counts.len() + buckets.len() > MAX_BUCKETS {
                return Some(self.full_until.saturating_sub(now)); // So many attempts at once are an attack.
            }
        }
        for bucket in buckets {
            let limit = bucket.limit(&self.limits);
            // Everybody behind an address is refused from here on: its operator should know, once in a window.
            let address = if let Bucket::From(action, address) = bucket { Some((action, address)) } else { None };
            let (began, count) = self.counts.entry(bucket).or_insert((now, 0));
            if now.saturating_sub(*began) >= WINDOW {
                (*began, *count) = (now, 0);
            }
            *count += 1;
            if let Some((action, address)) = address.filter(|_| *count == limit) {
                tracing::error!(?action, %address, limit, "an address has reached its limit for five minutes");
            }
        }
        None
    }

    /// An attempt that succeeded does not count.
    pub(super) fn forgive(&mut self, action: Action, name: &str, from: IpAddr) {
        for bucket in buckets(action, name, from) {
            if let Some((_, count)) = self.counts.get_mut(&bucket) {
                *count = count.saturating_sub(1);
            }
        }
    }

    fn wait(&self, bucket: &Bucket, now: Duration) -> Option<Duration> {
        let (began, count) = self.counts.get(bucket)?;
        let age = now.saturating_sub(*began);
        (age < WINDOW && *count >= bucket.limit(&self.limits)).then(|| WINDOW - age)
    }
}

fn buckets(action: Action, name: &str, from: IpAddr) -> Vec<Bucket> {
    let mut buckets = Vec::with_capacity(3);
    let from = network_of(from);
    if !name.is_empty() {
        // A name is as long as a request: what is kept of it is bounded.
        let name: String = name.chars().take(32).collect();
        if !from.is_loopback() {
            buckets.push(Bucket::NameFrom(action, name.clone(), from));
        }
        buckets.push(Bucket::Name(action, name));
    }
    if !from.is_loopback() {
        buckets.push(Bucket::From(action, from));
    }
    buckets
}

/// What counts as one address. Whoever has one of IPv6 is given 2^64 of them, and could take another one for each attempt.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if !address.is_loopback() => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn a_name_from_one_address_waits_for_the_window_to_end() {
        let mut attempts = Attempts::default();
        for nth in 0..10 {
            assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(nth)), None);
        }
        assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(100)), Some(at(200)));
        assert_eq!(attempts.count(Action::LogIn, "ben", address(1), at(100)), None);
        assert_eq!(attempts.count(Action::LogIn, "anna", address(2), at(100)), None);
        assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(300)), None);
    }

    #[test]
    fn many_names_from_one_address_and_one_name_from_many_are_limited_too() {
        let mut attempts = Attempts::default();
        let tried = (0..200).filter(|nth| attempts.count(Action::LogIn, &nth.to_string(), address(1), at(0)).is_none());
        assert_eq!(tried.count(), 100);
        let mut attempts = Attempts::default();
        let from = |nth: u32| IpAddr::from(nth.to_be_bytes());
        let tried =
            (0x0A00_0000..0x0A00_1000).filter(|&nth| attempts.count(Action::LogIn, "anna", from(nth), at(0)).is_none());
        assert_eq!(tried.count(), 300);
    }

    #[test]
    fn whoever_has_a_network_of_addresses_has_the_limits_of_one() {
        let mut attempts = Attempts::default();
        let from = |network: u16, host: u64| {
            IpAddr::from(Ipv6Addr::from_bits(0x2001_0db8 << 96 | u128::from(network) << 64 | u128::from(host)))
        };
        let mut tried = |network, action, many| {
            let is_free = |host: &u64| attempts.count(action, &host.to_string(), from(network, *host), at(0)).is_none();
            (0..many).filter(is_free).count()
        };
        assert_eq!(tried(1, Action::LogIn, 30_000), 100);
        assert_eq!(tried(1, Action::Register, 30_000), 200);
        assert_eq!(tried(2, Action::LogIn, 50), 50, "nobody else is locked out");
        let here = IpAddr::from(Ipv6Addr::LOCALHOST);
        assert!((0..250).all(|nth| attempts.count(Action::LogIn, &format!("own {nth}"), here, at(0)).is_none()));
    }

    #[test]
    fn behind_a_proxy_that_names_nobody_only_the_limit_of_the_name_holds() {
        let mut attempts = Attempts::default();
        let here = IpAddr::from([127, 0, 0, 1]);
        let tried = (0..1000).filter(|_| attempts.count(Action::LogIn, "anna", here, at(0)).is_none());
        assert_eq!(tried.count(), 300);
        assert_eq!(attempts.count(Action::LogIn, "ben", here, at(0)), None);
    }

    #[test]
    fn other_limits_hold_at_once() {
        let mut attempts = Attempts::default();
        for nth in 0..10 {
            assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(nth)), None);
        }
        assert!(attempts.count(Action::LogIn, "anna", address(1), at(10)).is_some());
        attempts.limits = AttemptLimits { log_ins_of_name: 12, ..AttemptLimits::default() };
        assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(10)), None);
        attempts.limits = AttemptLimits { log_ins_of_address: 3, ..attempts.limits };
        assert!(attempts.count(Action::LogIn, "ben", address(1), at(10)).is_some());
    }

    #[test]
    fn what_succeeds_does_not_count_and_memory_is_bounded() {
        let mut attempts = Attempts::default();
        for _ in 0..100 {
            assert_eq!(attempts.count(Action::LogIn, "anna", address(1), at(0)), None);
            attempts.forgive(Action::LogIn, "anna", address(1));
        }
        for nth in 0..30_000_u32 {
            attempts.count(Action::LogIn, &nth.to_string(), IpAddr::from(nth.to_be_bytes()), at(1));
        }
        assert!(attempts.counts.len() <= MAX_BUCKETS);
        let wait = |attempts: &mut Attempts, now| attempts.count(Action::LogIn, "carol", address(3), now);
        assert_eq!(wait(&mut attempts, at(200)), Some(at(100)), "until the first attempts are over");
        assert_eq!(attempts.count(Action::LogIn, "carol", address(3), at(302)), None, "it passes");
    }
}
