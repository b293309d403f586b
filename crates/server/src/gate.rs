//! Who may speak to the web server, and what browsers are told to be careful about.
//!
//! The server is bound to loopback, but a browser on the same machine will carry a stranger's request there: a page
//! whose name is made to point at this machine (DNS rebinding), or a page that opens a WebSocket across origins.
//! Names are therefore only believed when they cannot be re-pointed (`localhost`, literal addresses) or were allowed by
//! the person who started the server, and an `Origin` must be the server's own.

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// What the window may load and do. Its styles are set inline by the components that place floating panels.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // The token stands in the address: it must not travel on with a link.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
];

/// The names under which the server answers, besides `localhost` and literal addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct AllowedHosts(pub(crate) Arc<[String]>);

/// Lets a request pass, or refuses it; either way the answer carries the security headers.
pub(crate) async fn guard(State(allowed): State<AllowedHosts>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), &allowed) {
        None => next.run(request).await,
        Some(reason) => {
            tracing::warn!(reason, "a request was refused");
            (StatusCode::FORBIDDEN, reason).into_response()
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(headers: &HeaderMap, allowed: &AllowedHosts) -> Option<&'static str> {
    let Some(host) = text(headers, &header::HOST) else { return Some("the request names no host") };
    let Ok(authority) = host.parse::<Authority>() else { return Some("the request names no host") };
    if host.contains('@') || !is_allowed(authority.host(), allowed) {
        return Some("this server does not answer under that name; allow it with --allow-host");
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = text(headers, &header::ORIGIN).unwrap_or_default();
        // Browsers leave the default port out of an origin, and some proxies write it into `Host`.
        let own = [("http://", ":80"), ("https://", ":443")].iter().any(|(scheme, port)| {
            let bare = |authority: &str| authority.strip_suffix(port).unwrap_or(authority).to_ascii_lowercase();
            origin.strip_prefix(scheme).is_some_and(|authority| bare(authority) == bare(host))
        });
        if !own {
            return Some("the request comes from a page of another origin");
        }
    }
    None
}

fn is_allowed(host: &str, allowed: &AllowedHosts) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok()
        || allowed.0.iter().any(|name| name.eq_ignore_ascii_case(bare))
}

/// The value of a header that occurs exactly once.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        refusal(&headers, &AllowedHosts(Arc::from(["go.example".to_string()]))).is_some()
    }

    #[test]
    fn only_names_that_cannot_be_pointed_elsewhere_are_believed() {
        for host in ["localhost", "localhost:8090", "127.0.0.1:1", "[::1]:8090", "192.168.1.7:80", "GO.example:1"] {
            assert!(!refused(host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8090", "127.0.0.1.evil.example", "", "a b", "@localhost"] {
            assert!(refused(host, None), "{host}");
        }
        assert!(refusal(&HeaderMap::new(), &AllowedHosts::default()).is_some());
    }

    #[test]
    fn a_page_of_another_origin_is_refused() {
        assert!(!refused("localhost:8090", Some("http://localhost:8090")));
        assert!(!refused("go.example", Some("https://go.example")));
        assert!(!refused("go.example:443", Some("https://go.example")));
        assert!(!refused("GO.example:80", Some("http://go.example")));
        assert!(!refused("go.example", Some("https://go.example:443")));
        assert!(!refused("[::1]:80", Some("http://[::1]")));
        assert!(refused("go.example:443", Some("http://go.example")));
        assert!(refused("go.example:80", Some("https://go.example")));
        assert!(refused("go.example:4430", Some("https://go.example")));
        for origin in ["http://localhost", "http://localhost:3000", "null", "http://evil.example", "", "file://"] {
            assert!(refused("localhost:8090", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn two_hosts_are_none() {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "evil.example".parse().unwrap());
        assert!(refusal(&headers, &AllowedHosts::default()).is_some());
    }
}
