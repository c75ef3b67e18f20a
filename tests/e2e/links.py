"""More than one switch: links between two hosts of a lab, and a host as the router to another.

A network N has the addresses 10.N.0.0/24 and fdN::/64, and each host has those that end in its number.
"""
from __future__ import annotations

import subprocess

import lab


def device_of(network: int) -> str:
    return f"net{network}"


def address_of(host: lab.Host, network: int) -> str:
    return f"10.{network}.0.{host.number}"


def address6_of(host: lab.Host, network: int) -> str:
    return f"fd{network}::{host.number}"


def link(first: lab.Host, second: lab.Host, network: int):
    """Joins two hosts by a cable, whose interfaces are named after the network on both."""
    device = device_of(network)
    lab.ip(f"link add {device} type veth peer name {device} netns {second.namespace}", namespace=first.namespace)
    for host in (first, second):
        lab.ip(f"addr add {address_of(host, network)}/24 dev {device}", f"addr add {address6_of(host, network)}/64 dev {device} nodad",
               f"link set {device} up", namespace=host.namespace)
        host.segment_in_device(False, device)


def set_mtu(network: int, mtu: int, *hosts: lab.Host):
    for host in hosts:
        host.run("ip", "link", "set", device_of(network), "mtu", mtu)


class Ip:
    """ip(8) on a host, started before its commands are needed: in a guest that stands still, starting a program can
    take seconds."""

    def __init__(self, host: lab.Host):
        self.program = host.start("ip", "-batch", "-", stdin=subprocess.PIPE)
        self.done = 0

    def __call__(self, command: str):
        """Returns when it is done, which the answer to a following query shows; fails if ip refused it."""
        self.program.process.stdin.write(f"{command}\nlink show lo\n".encode())
        self.program.process.stdin.flush()
        self.done += 1
        self.program.wait_for("<LOOPBACK", times=self.done)


def route(first: lab.Host, router: lab.Host, last: lab.Host, network: int):
    """Also attaches `last` to the router, on a network that `first` reaches through it."""
    link(router, last, network)
    router.run("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
    first.run("ip", "route", "add", f"10.{network}.0.0/24", "via", router.address)
    first.run("ip", "route", "add", f"fd{network}::/64", "via", router.address6)
    # Its answers take the same way back.
    last.run("ip", "route", "add", first.address, "via", address_of(router, network))
    last.run("ip", "route", "add", first.address6, "via", address6_of(router, network))
