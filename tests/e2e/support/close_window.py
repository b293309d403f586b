"""Asks the app's window to close, as the button in its frame does. WebDriver can only end the program.

Usage: close_window.py CLASS, on the display of DISPLAY; the window that has this class.
"""

import sys

from Xlib import X, display
from Xlib.protocol import event

server = display.Display()
protocols, close = (server.intern_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))


def closable(window):
    """The windows below this one that are seen, know of closing and have the class."""
    names = window.get_wm_class() or ()
    is_seen = window.get_attributes().map_state == X.IsViewable
    if sys.argv[1] in names and is_seen and window.get_wm_protocols():
        yield window
    for child in window.query_tree().children:
        yield from closable(child)


windows = list(closable(server.screen().root))
if len(windows) != 1:
    told = [f"{window.get_wm_name()!r} {window.get_geometry()._data}" for window in windows]
    sys.exit(f"{len(windows)} windows of the class {sys.argv[1]}: {told}")
data = (32, [close, X.CurrentTime, 0, 0, 0])
windows[0].send_event(event.ClientMessage(window=windows[0], client_type=protocols, data=data))
server.sync()
