"""Another program's window that takes dropped files, by the protocol XDND 5 (https://freedesktop.org/wiki/Specifications/XDND).
The pointer is real: it presses at one place, moves there and lets go, as a hand does; WebDriver's never leaves the page.

Usage: drop_target.py WIDTH HEIGHT X Y FROM_X FROM_Y, on the display of DISPLAY. Opens a window of that size at X, Y, drags from
FROM_X, FROM_Y into its middle, and prints what was dropped, an address a line. With FROM only as far as TO_X TO_Y, two more
arguments, nothing reaches the window and nothing is printed.
"""

import sys
import time

from Xlib import X, Xatom, display
from Xlib.ext import xtest
from Xlib.protocol import event

width, height, x, y, from_x, from_y, *elsewhere = map(int, sys.argv[1:])
to_x, to_y = elsewhere or (x + width // 2, y + height // 2)
server = display.Display()
screen = server.screen()
atom = server.intern_atom
window = screen.root.create_window(x, y, width, height, 0, X.CopyFromParent, override_redirect=True, event_mask=X.PropertyChangeMask)
window.change_property(atom("XdndAware"), Xatom.ATOM, 32, [5])
window.map()
server.sync()


def hand(kind, detail=0, at=(0, 0)):
    xtest.fake_input(server, kind, detail, x=at[0], y=at[1])
    server.sync()


def say(source, kind, data):
    whole = (32, [window.id, *data, 0, 0, 0, 0][:5])
    server.create_resource_object("window", source).send_event(event.ClientMessage(window=source, client_type=atom(kind), data=whole))
    server.flush()


dropped_by = None


def answer():
    """Answers what the source says; True once the files were read."""
    global dropped_by
    while server.pending_events():
        heard = server.next_event()
        if heard.type == X.ClientMessage:
            source, *rest = heard.data[1]
            if heard.client_type == atom("XdndPosition"):
                say(source, "XdndStatus", [1, 0, 0, atom("XdndActionCopy")])
            elif heard.client_type == atom("XdndDrop"):
                dropped_by = source
                window.convert_selection(atom("XdndSelection"), atom("text/uri-list"), atom("DROPPED"), rest[1])
        elif heard.type == X.SelectionNotify:
            files = window.get_full_property(heard.property, X.AnyPropertyType) if heard.property else None
            say(dropped_by, "XdndFinished", [1, atom("XdndActionCopy")])
            server.sync()
            sys.stdout.write(bytes(files.value).decode().replace("\r", "") if files else "")
            return True
    return False


def wait(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer():
            return True
        time.sleep(0.01)
    return False


hand(X.MotionNotify, at=(from_x, from_y))
wait(0.3)
hand(X.ButtonPress, 1)
STEPS = 40
for step in range(1, STEPS + 1):
    hand(X.MotionNotify, at=tuple(a + (b - a) * step // STEPS for a, b in ((from_x, to_x), (from_y, to_y))))
    wait(0.03)
# The first of these steps began the drag; whoever takes hold of it says so a moment later.
for nudge in range(20):
    hand(X.MotionNotify, at=(to_x + nudge % 2, to_y))
    wait(0.1)
hand(X.ButtonRelease, 1)
if not elsewhere and not wait(20):
    sys.exit("nothing was dropped")
wait(1 if elsewhere else 0)
