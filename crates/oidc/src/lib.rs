//! Logging in by an OpenID Connect provider.
//!
//! The authorization code flow with PKCE (RFC 7636), state and nonce: [`Provider::begin`] says where the browser is to
//! be sent, [`Provider::finish`] makes an [`Identity`] of the code that it comes back with.
//! The provider's endpoints and keys are its own to say (OpenID Connect Discovery 1.0) and are fetched when they are
//! needed; what it says is checked before it is believed.
//!
//! Logging out there is two things: [`Provider::log_out`] says where a browser may be sent for it (OpenID Connect
//! RP-Initiated Logout 1.0), and [`Provider::logged_out`] understands the provider that tells of a session that has ended
//! (OpenID Connect Back-Channel Logout 1.0).
//!
//! Who somebody is here is issuer and subject, and nothing else that a provider says.
//! Accounts, cookies and what is waiting for an answer are the server's; clocks are passed in.

mod error;
mod identity;
mod issuer;
mod provider;
mod random;
mod settings;
mod signature;
mod token;
mod web;

pub use error::{OidcError, TokenFault};
pub use identity::Identity;
pub use issuer::{Issuer, IssuerError};
pub use provider::{Begun, LogOut, Now, Provider, Secrets};
pub use settings::{Secret, Settings, SettingsError};
pub use token::LoggedOut;
