"""zeroconf, another program of multicast DNS, looks for a server on the machine's own address.

Usage: local_names.py NAME  (with zeroconf on PYTHONPATH)
Prints a line of JSON when the service is there: host, port, addresses, what it says of itself; and another one when it
has taken leave. Neither within a minute: an error.
"""

import json
import queue
import sys

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

KIND = "_http._tcp.local."


class Listener(ServiceListener):
    def __init__(self):
        self.events = queue.Queue()

    def add_service(self, zeroconf, kind, name):
        self.events.put(("add", name))

    def update_service(self, zeroconf, kind, name):
        self.events.put(("update", name))

    def remove_service(self, zeroconf, kind, name):
        self.events.put(("remove", name))


def main(name):
    wanted = f"{name}.{KIND}"
    zeroconf = Zeroconf(interfaces=["127.0.0.1"])
    listener = Listener()
    ServiceBrowser(zeroconf, KIND, listener)
    while listener.events.get(timeout=60) != ("add", wanted):
        pass
    info = zeroconf.get_service_info(KIND, wanted, timeout=20_000)
    says = {key.decode(): value.decode() for key, value in info.properties.items()}
    found = {"host": info.server, "port": info.port, "addresses": info.parsed_addresses(), "says": says}
    print(json.dumps(found), flush=True)
    while listener.events.get(timeout=60) != ("remove", wanted):
        pass
    print(json.dumps({"gone": True}), flush=True)
    zeroconf.close()


main(sys.argv[1])
