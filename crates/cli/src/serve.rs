//! `honinbo serve`: the window for a browser, and the JSON protocol.

use crate::app::data_dir;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::interrupt::asked_to_end;
use crate::local_name::LocalName;
use crate::notes::note;
use crate::output::Output;
use crate::qr::{address_for_others, picture};
use crate::run::as_path_if_file;
use honinbo_api::{App, resource_dirs};
use honinbo_library::{StoreError, StorePlace};
use honinbo_server::{
    AccountPolicy, Backend, EventHub, Limits, OidcOptions, Registration, Rooms, RoomsError, RoomsOptions, ServeError,
    ServeOptions, Server, ServerHost, TlsFiles, find_web_dir,
};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where the web app is when nothing else is asked for.
const USUAL_HTTP: &str = "127.0.0.1:8090";
/// The access token in the data folder.
const TOKEN_FILE: &str = "web-token";
/// A folder for everybody with an account in the data folder.
const PEOPLE_FOLDER: &str = "people";

impl From<RoomsError> for Failure {
    fn from(error: RoomsError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

/// Serves until Ctrl-C or the system's request to end.
pub(crate) fn serve(mut args: ServeArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let data = data_dir(data);
    std::fs::create_dir_all(&data).map_err(|source| StoreError::File { path: data.clone(), source })?;
    // Before the back end begins, which sets settings aside that it cannot read and goes on by the usual ones.
    let named = if args.rooms {
        Some(Named { store: args.store.get(&data)?, provider: std::mem::take(&mut args.oidc).get(&data)? })
    } else {
        None
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Failure::new(format!("the server's threads cannot be started: {error}"), "close other programs")
    })?;
    let events = Arc::new(EventHub::new());
    let folder = data.clone();
    let host = ServerHost::new(data, Vec::new(), events.clone()).with_training(args.training.clone());
    let app = App::new(Arc::new(host));
    app.keep_open_games();
    app.override_precision(args.precision.get());
    app.override_inference(args.inference.get()?);
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), None);
    // A network or a device that was named and does not work would have every game played by substitutes.
    if args.net.is_some() || args.device.is_some() {
        app.ready_engine()?;
    }
    let result = runtime.block_on(listen(args, named, folder, app.clone(), events, output));
    app.shut_down();
    // Commands that are still under way have been asked to end; the program does not wait for them for ever.
    runtime.shutdown_timeout(Duration::from_secs(2));
    result
}

/// The address to open, as another machine has to write it.
fn with_host(server: &Server, host: &str, rooms: bool) -> String {
    let scheme = server.scheme();
    if rooms {
        // People come in without the operator's token; a window of one's own needs it.
        return format!("{scheme}://{host}/#/rooms");
    }
    let url = server.url().unwrap_or_default();
    let token = url.split_once("/?").map_or("", |(_, token)| token);
    format!("{scheme}://{host}/?{token}")
}

/// What options or settings name for a server with rooms.
struct Named {
    store: StorePlace,
    provider: Option<OidcOptions>,
}

async fn listen(
    args: ServeArgs,
    named: Option<Named>,
    data: PathBuf,
    app: Arc<App>,
    events: Arc<EventHub>,
    output: &mut Output,
) -> Result<(), Failure> {
    let http = match (&args.http, &args.tcp) {
        (None, None) => Some(USUAL_HTTP.to_string()),
        (None, Some(_)) if args.rooms => Some(USUAL_HTTP.to_string()),
        _ => args.http,
    };
    let web_dir = match (&http, args.web) {
        (None, _) => None,
        (Some(_), Some(dir)) if !dir.join("index.html").is_file() => {
            return Err(Failure::new(
                format!("there is no index.html in {}", dir.display()),
                "name the folder of the built interface",
            ));
        }
        (Some(_), Some(dir)) => Some(dir),
        (Some(_), None) => find_web_dir(&resource_dirs(&[])),
    };
    let end = asked_to_end()
        .map_err(|error| Failure::new(format!("requests to end cannot be heard: {error}"), "close other programs"))?;
    let has_no_window = http.is_some() && web_dir.is_none();
    let options = ServeOptions {
        http,
        tcp: args.tcp,
        web_dir,
        allowed_hosts: args
            .allow_host
            .into_iter()
            .chain(args.mdns.iter().map(|name| format!("{name}.local")))
            .collect(),
        trusted_proxies: args.trusted_proxy,
        token_file: Some(data.join(TOKEN_FILE)),
        new_token: args.new_token,
        tls: args.tls_cert.zip(args.tls_key).map(|(certificate, key)| TlsFiles { certificate, key }),
        limits: if args.rooms { Limits::default().with_rooms() } else { Limits::default() },
    };
    tokio::pin!(end);
    let mut rooms = None;
    if let Some(Named { store, provider }) = named {
        let registration = if args.by_invitation { Registration::Invitation } else { Registration::Open };
        let rooms_options = RoomsOptions {
            store,
            accounts: AccountPolicy { registration, guests: args.guests },
            provider,
            engines: args.engines as usize,
            people: Some(data.join(PEOPLE_FOLDER)),
            thinking: args.thinking,
            peers: args.store.peers.clone(),
        };
        // Before any door is open: nobody waits at one behind which nobody is.
        tokio::select! {
            opened = Rooms::open(rooms_options, app.clone()) => rooms = Some(opened?),
            () = &mut end => return Ok(()),
        }
    }
    let mut server = Server::bind(app.clone() as Arc<dyn Backend>, events, options).await?;
    if let Some(rooms) = &rooms {
        server = server.with_rooms(rooms.clone());
    }
    if has_no_window {
        note("the interface is not there: build it with `npm run build`, or name its folder with --web");
    }
    if let Some(url) = server.url() {
        output.line(format!("web {url}"))?;
    }
    if let Some(address) = server.tcp_address() {
        output.line(format!("tcp {address}"))?;
    }
    let scheme = server.scheme();
    if let Some(address) = server.local_address().filter(|_| args.rooms) {
        output.line(format!("rooms {scheme}://{address}/api/openapi.json"))?;
    }
    if let Some(others) = server.http_address().and_then(address_for_others) {
        let url = with_host(&server, &others.to_string(), args.rooms);
        output.line(format!("others {url}"))?;
        if (args.qr || std::io::stdout().is_terminal())
            && let Some(picture) = picture(&url)
        {
            output.line(picture)?;
        }
    }
    let named = match (args.mdns, server.http_address()) {
        (Some(name), Some(address)) => {
            let named = LocalName::announce(&name, scheme, address)?;
            let host = format!("{name}.local:{}", address.port());
            output.line(format!("name {}", with_host(&server, &host, args.rooms)))?;
            Some(named)
        }
        _ => None,
    };
    output.flush()?;
    if server.can_be_read_on_the_way() {
        note("other machines can reach this server, and what they send and read is not encrypted");
    }
    if args.rooms && server.can_be_read_on_the_way() {
        note(
            "passwords travel in the clear: give a certificate with --tls-cert and --tls-key, or put a proxy with TLS in front",
        );
    }
    server.run_until(end).await;
    drop(named);
    if rooms.is_some_and(|rooms| rooms.are_taken_over()) {
        return Err(StoreError::TakenOver.into());
    }
    Ok(())
}
