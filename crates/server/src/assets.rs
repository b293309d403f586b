//! The files of the window, read once.

use crate::ServeError;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};

/// A window is a few MiB; more than this is another folder.
const MAX_MIB: u64 = 64;

/// The built interface in memory, by path. What is not in it cannot be asked for, so no path leads out of the folder.
#[derive(Debug, Default)]
pub struct Assets {
    files: HashMap<String, Asset>,
}

#[derive(Debug)]
struct Asset {
    content: Bytes,
    content_type: &'static str,
    etag: HeaderValue,
    /// The name has a hash of the content in it.
    immutable: bool,
}

/// Where the built interface is: `web` in a folder of the program's own files, or `ui/dist` of the development tree
/// that the executable lies in.
pub fn find_web_dir(resource_dirs: &[PathBuf]) -> Option<PathBuf> {
    let mut candidates: Vec<PathBuf> = resource_dirs.iter().map(|dir| dir.join("web")).collect();
    if let Ok(executable) = std::env::current_exe() {
        candidates.extend(executable.ancestors().skip(1).take(5).map(|dir| dir.join("ui/dist")));
    }
    if cfg!(debug_assertions) {
        candidates.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/dist"));
    }
    candidates.into_iter().find(|dir| dir.join("index.html").is_file())
}

impl Assets {
    /// Reads a folder.
    ///
    /// # Errors
    /// [`ServeError::Assets`] when something in it cannot be read, [`ServeError::AssetsTooLarge`].
    pub fn load(dir: &Path) -> Result<Self, ServeError> {
        let mut assets = Self::default();
        let mut room = MAX_MIB << 20;
        assets.add(dir, dir, &mut room)?;
        Ok(assets)
    }

    fn add(&mut self, root: &Path, dir: &Path, room: &mut u64) -> Result<(), ServeError> {
        let failed = |source| ServeError::Assets { dir: dir.to_path_buf(), source };
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let file_type = entry.file_type().map_err(failed)?;
            if file_type.is_dir() {
                self.add(root, &path, room)?;
                continue;
            }
            let name = path.strip_prefix(root).ok().and_then(Path::to_str).map(|name| name.replace('\\', "/"));
            let Some(name) =
                name.filter(|name| file_type.is_file() && !name.split('/').any(|part| part.starts_with('.')))
            else {
                continue; // Hidden files, links and names that are no text are no part of a window.
            };
            let size = entry.metadata().map_err(failed)?.len();
            *room = room
                .checked_sub(size)
                .ok_or_else(|| ServeError::AssetsTooLarge { dir: root.to_path_buf(), limit_mib: MAX_MIB })?;
            let content = fs::read(&path).map_err(failed)?;
            let mut hasher = DefaultHasher::new();
            hasher.write(&content);
            let etag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish()))
                .unwrap_or_else(|_| HeaderValue::from_static("\"\""));
            let asset = Asset {
                content_type: content_type(&name),
                immutable: name.starts_with("assets/"),
                content: content.into(),
                etag,
            };
            self.files.insert(format!("/{name}"), asset);
        }
        Ok(())
    }

    /// The answer to a request for a path.
    pub(crate) fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if method != Method::GET && method != Method::HEAD {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
        }
        if self.files.is_empty() {
            let message = "The interface is not there: build it with `npm run build`, or name its folder with --web.\n";
            return (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
        }
        let Some(asset) = self.files.get(if path == "/" { "/index.html" } else { path }) else {
            return (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response();
        };
        let cache = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let common = [(header::ETAG, asset.etag.clone()), (header::CACHE_CONTROL, HeaderValue::from_static(cache))];
        if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == asset.etag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        // The server below leaves the body away where only the head was asked for.
        (common, [(header::CONTENT_TYPE, asset.content_type)], asset.content.clone()).into_response()
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> (tempfile::TempDir, Assets) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("assets")).unwrap();
        fs::write(dir.path().join("index.html"), "<!doctype html>").unwrap();
        fs::write(dir.path().join("assets/main-1f.js"), "export {}").unwrap();
        fs::write(dir.path().join(".built"), "").unwrap();
        let assets = Assets::load(dir.path()).unwrap();
        (dir, assets)
    }

    fn get(assets: &Assets, path: &str) -> Response {
        assets.respond(&Method::GET, path, &HeaderMap::new())
    }

    #[test]
    fn files_are_served_with_their_type_and_age() {
        let (_dir, assets) = window();
        let page = get(&assets, "/");
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(page.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        let script = get(&assets, "/assets/main-1f.js");
        assert_eq!(script.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert!(script.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));

        let mut known = HeaderMap::new();
        known.insert(header::IF_NONE_MATCH, page.headers()[header::ETAG].clone());
        assert_eq!(assets.respond(&Method::GET, "/", &known).status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn nothing_else_is_served() {
        let (_dir, assets) = window();
        for path in ["/.built", "/../Cargo.toml", "/assets/../index.html", "//etc/passwd", "/%2e%2e/x", "", "/assets/"]
        {
            assert_eq!(get(&assets, path).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(assets.respond(&Method::POST, "/", &HeaderMap::new()).status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(get(&Assets::default(), "/").status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
