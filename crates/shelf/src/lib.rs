//! The shelf of networks: which can be fetched, from where, under which licence, and fetching them.
//!
//! The list comes with the program ([`NetworkList::own`]) and can be replaced by a newer one that the maintainers signed
//! ([`Shelf::renew`]).
//! A download is resumed, bounded and checked before it counts as a network; what has no pinned checksum is remembered
//! when it is fetched for the first time, and another file under the same name is refused from then on.
//!
//! A person's games at game servers are asked for here too ([`Visit`]).
//!
//! ONNX Runtime libraries for other kinds of devices are fetched and kept here as well ([`RuntimeShelf`]).
//!
//! The same key signs what is said of new versions of the program ([`Updates`]).
//!
//! ```
//! use honinbo_shelf::{NetworkKind, NetworkList};
//!
//! let list = NetworkList::own();
//! let human = list.networks.iter().find(|network| network.kind == NetworkKind::Human).expect("one is listed");
//! assert_eq!(human.file, "b18c384nbt-humanv0.bin.gz");
//! ```

mod checksums;
mod download;
mod error;
mod list;
mod part;
mod release;
mod runtimes;
mod servers;
mod shelf;
mod signature;
mod signed;

pub use download::{Download, check_address};
pub use error::{DownloadError, FetchError, ListError, RuntimeShelfError, UpdateError};
pub use list::{ListedNetwork, NetworkKind, NetworkList};
pub use part::Part;
pub use release::{Package, PackageKind, Release, Updates};
pub use runtimes::{AddedRuntime, KnownRuntime, RuntimeKind, RuntimeShelf, RuntimeSource, TryLibrary};
pub use semver::Version;
pub use servers::{
    Clock, Delivery, GameServer, NotKept, Receiver, ServerAddresses, SystemClock, Visit, VisitError, VisitProgress,
};
pub use shelf::{FetchStage, Shelf, accept, check_name, is_network_file};
pub use signature::{ListKey, ListSource};
