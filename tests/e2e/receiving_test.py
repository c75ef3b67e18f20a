#!/usr/bin/env python3
"""A receiver that falls behind lets its kernel coalesce packets (GRO), and reports this."""
import json
import re
import signal

import lab


class FallingBehind(lab.LabTest):
    def run_with_a_held_receiver(self, *receiving) -> dict:
        """The receiver stands still until more packets have come than its socket has room for. Returns the flow of the report."""
        receiver = self.b.receiver(*receiving)
        sender = self.a.start_groma("send", "--to", self.b.address, "--port", "7777", "--idt", "const:2000pps", "--size", "const:64",
                                    "--duration", "1h", "--receive-buffer", "64kB", "--receiver-log", "recv.glog", "--log",
                                    "send.glog", "--json", "--quiet")
        receiver.await_datagrams()
        receiver.send_signal(signal.SIGSTOP)
        try:
            lab.wait_until("packets to be dropped", lambda: re.search(
                r":7777\b.*\n.*skmem:\(\S*,d[1-9]", self.b.run("ss", "-uanm").stdout))
        finally:
            receiver.send_signal(signal.SIGCONT)
        receiver.await_datagrams(receiver.count("Udp.InDatagrams") + 1000)  # the waiting packets, and more
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        flow, = json.loads(sender.output.read_text())["flows"]
        self.assertGreater(flow["kernel_drops"], 0)
        self.assertEqual(flow["kernel_drops"], flow["lost"], "nothing is lost silently")
        self.assertEqual(flow["received_records_missing"], 0)
        return flow

    def events(self):
        logs = self.decoded("send.glog", "recv.glog")["runs"][0]["logs"]
        return [event for log in logs if log["role"] == "receiver" for event in log["events"] if event["kind"] == "gro-on"]

    def test_a_receiver_that_falls_behind_coalesces_from_then_on_and_says_when_and_why(self):
        flow = self.run_with_a_held_receiver()
        gro = flow["gro"]
        self.assertIn(gro["why"], ("the socket's buffer was more than half full",
                                   "the kernel dropped packets because the socket's buffer was full"))
        event, = self.events()
        self.assertEqual((event["flow"], event["at_ns"]), (flow["flow"], gro["since_ns"]))
        self.assertIn(gro["why"], event["text"])

    def test_it_does_not_when_it_is_told_not_to(self):
        self.assertIsNone(self.run_with_a_held_receiver("--gro", "off")["gro"])
        self.assertEqual(self.events(), [])


if __name__ == "__main__":
    lab.main()
