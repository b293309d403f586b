# Shared by every script here: the repository root, messages, timing and the system packages.
# Sourced, never run.

set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cache="$root/.cache"

say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# Names the Debian packages whose purpose is not met yet, one a line.
# A purpose is probed, not a package: another distribution may meet it under another name.
missing_packages() {
  local purpose
  for purpose in "$@"; do
    case "$purpose" in
      compiler) have cc && have make || echo build-essential ;;
      python)
        if ! have python3; then echo python3; echo python3-pip;
        elif ! python3 -m pip --version >/dev/null 2>&1; then echo python3-pip; fi ;;
      window)
        have pkg-config || echo pkg-config
        have pkg-config && pkg-config --exists webkit2gtk-4.1 2>/dev/null || echo libwebkit2gtk-4.1-dev ;;
      # The window test drives the system's web view, the browser test a real browser.
      window-test)
        have Xvfb || echo xvfb
        have xauth || echo xauth
        have WebKitWebDriver || [ -x /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/WebKitWebDriver ] || echo webkit2gtk-driver
        have dbus-run-session || echo dbus
        /usr/bin/python3 -c 'import Xlib' 2>/dev/null || echo python3-xlib ;;
      browser-test) have chromium || have chromium-browser || have google-chrome || echo chromium ;;
      # Reads what is set as PDF.
      pdf) have pdftotext || echo poppler-utils ;;
      fonts) [ -n "$(find /usr/share/fonts -iname '*notosanscjk*' -print -quit 2>/dev/null)" ] || echo fonts-noto-cjk ;;
      package)
        have dpkg-deb || echo dpkg
        have readelf || echo binutils
        have appstreamcli || echo appstream
        have rpm && have rpm2cpio || echo rpm
        have cpio || echo cpio ;;
      # What goes into the image with the toolkit and is only recommended by it: the input methods of Chinese, Japanese and
      # Korean desktops, pictures as SVG, which icons are, and the desktop's settings.
      appimage)
        have patchelf || echo patchelf
        have mksquashfs || echo squashfs-tools
        local system="/usr/lib/$(cc -print-multiarch 2>/dev/null)"
        [ -e "$system/gtk-3.0/3.0.0/immodules/im-ibus.so" ] || echo ibus-gtk3
        [ -e "$system/gtk-3.0/3.0.0/immodules/im-fcitx5.so" ] || echo fcitx5-frontend-gtk3
        # The name of this one has changed.
        compgen -G "$system/gdk-pixbuf-2.0/2.10.0/loaders/libpixbufloader?svg.so" >/dev/null || echo librsvg2-common
        [ -e "$system/gio/modules/libdconfsettings.so" ] || echo dconf-gsettings-backend ;;
      appimage-runtime)
        have autoreconf || printf 'autoconf\nautomake\n'
        have libtoolize || echo libtool
        pkg-config --exists fuse3 2>/dev/null || echo libfuse3-dev
        pkg-config --exists libzstd 2>/dev/null || echo libzstd-dev ;;
      # A store of servers with rooms; the tests start it themselves.
      postgresql)
        [ -n "$(find /usr/lib/postgresql -path '*/bin/postgres' -print -quit 2>/dev/null)" ] || have postgres || echo postgresql ;;
      engines)
        have gnugo || [ -x /usr/games/gnugo ] || echo gnugo
        have leelaz || [ -x /usr/games/leelaz ] || echo leela-zero ;;
      *) die "unknown purpose: $purpose" ;;
    esac
  done
}

# Installs what the given purposes need, or says the exact command and stops.
ensure_packages() {
  local missing
  missing="$(missing_packages "$@" | sort -u | tr '\n' ' ')"
  missing="${missing% }"
  [ -n "$missing" ] || return 0
  local install="apt-get install -y --no-install-recommends $missing"
  if ! have apt-get; then
    die "these packages (Debian names) are needed: $missing" "install what your system calls them, then start again"
  elif [ "$(id -u)" = 0 ]; then
    say "installing $missing"
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive $install >&2
  elif have sudo && sudo -n true 2>/dev/null; then
    say "installing $missing"
    sudo -n apt-get update -qq >&2 && sudo -n env DEBIAN_FRONTEND=noninteractive $install >&2
  else
    die "some system packages are missing and only an administrator may install them; run" "sudo apt-get update && sudo $install" "and start again"
  fi
  missing="$(missing_packages "$@" | sort -u | tr '\n' ' ')"
  [ -z "$missing" ] || die "still missing after the installation: $missing"
}

# PostgreSQL's programs, without a database of the system's own, which Debian would make and start otherwise.
ensure_postgresql() {
  [ -n "$(missing_packages postgresql)" ] || return 0
  local folder=/etc/postgresql-common/createcluster.d as=
  [ "$(id -u)" = 0 ] || as="sudo -n"
  if have apt-get && ! [ -e /etc/postgresql-common ] && { [ -z "$as" ] || { have sudo && sudo -n true 2>/dev/null; }; }; then
    $as mkdir -p "$folder"
    echo 'create_main_cluster = false' | $as tee "$folder/no-main-cluster.conf" >/dev/null
  fi
  ensure_packages postgresql
}

# Rust and Node are the two things a person brings along.
ensure_toolchains() {
  [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
  have cargo || die "cargo was not found" "install Rust 1.95 or newer: https://www.rust-lang.org/tools/install"
  local rust_minor
  rust_minor="$(rustc --version | sed -E 's/^rustc 1\.([0-9]+).*/\1/')"
  [ "${rust_minor:-0}" -ge 95 ] 2>/dev/null || die "Rust 1.95 or newer is needed, found: $(rustc --version)" "rustup update stable"
  if [ "${1:-}" = with-node ]; then
    have node && have npm || die "node or npm was not found" "install Node 20.19 or newer: https://nodejs.org"
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
      die "Node 20.19 or newer is needed, found: $(node --version)"
  fi
}

# Runs npm ci only when the lock file has changed since the last time.
ensure_node_modules() {
  local stamp="$root/node_modules/.honinbo-installed" wanted
  wanted="$(sha256sum < "$root/package-lock.json")"
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return 0
  say "installing the npm packages of the lock file"
  (cd "$root" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  printf '%s\n' "$wanted" > "$stamp"
}

# Builds the interface into ui/dist when a source is newer than the last build.
# The folder `ui` itself counts for nothing: the first build makes `dist` in it. Counted, it had the interface built once
# more in a fresh clone, under the browsers that were reading it.
ensure_ui() {
  local stamp="$cache/interface-built"
  if [ -f "$stamp" ] && [ -f "$root/ui/dist/index.html" ] && [ -z "$(find "$root/ui" "$root/package-lock.json" \
    \( -path "$root/ui/dist" -o -path "$root/ui/node_modules" \) -prune -o ! -path "$root/ui" -newer "$stamp" -print -quit)" ]; then
    return 0
  fi
  say "building the interface"
  mkdir -p "$cache"
  touch "$stamp.begun"
  (cd "$root" && npm run --silent build >&2)
  # What was changed while it was being built counts as newer.
  mv "$stamp.begun" "$stamp"
}
