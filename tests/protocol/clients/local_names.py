"""zeroconf, another program of multicast DNS, looks for a server, on the machine's own address or on a network.

Usage: local_names.py NAME [ADDRESS]  (with zeroconf on PYTHONPATH)
ADDRESS is this machine's on the network to look on.
Prints a line of JSON when the service is there: host, port, addresses, what it says of itself; with ADDRESS also what a
browser gets there under that name: status and kind of the page; and another line when it has taken leave. Neither within a
minute: an error.
"""

import http.client
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


def page(address, port, host):
    connection = http.client.HTTPConnection(address, port, timeout=60)
    connection.request("GET", "/", headers={"Host": f"{host.rstrip('.')}:{port}"})
    answer = connection.getresponse()
    return {"status": answer.status, "kind": answer.getheader("Content-Type"), "text": answer.read().decode()}


def main(name, address=None):
    wanted = f"{name}.{KIND}"
    zeroconf = Zeroconf(interfaces=[address or "127.0.0.1"])
    listener = Listener()
    ServiceBrowser(zeroconf, KIND, listener)
    while listener.events.get(timeout=60) != ("add", wanted):
        pass
    info = zeroconf.get_service_info(KIND, wanted, timeout=20_000)
    says = {key.decode(): value.decode() for key, value in info.properties.items()}
    found = {"host": info.server, "port": info.port, "addresses": info.parsed_addresses(), "says": says}
    if address:
        found["page"] = page(found["addresses"][0], info.port, info.server)
    print(json.dumps(found), flush=True)
    while listener.events.get(timeout=60) != ("remove", wanted):
        pass
    print(json.dumps({"gone": True}), flush=True)
    zeroconf.close()


main(*sys.argv[1:])
