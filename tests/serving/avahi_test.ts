/**
 * `STRONGROOM_MDNS` seen by Debian's avahi, as other machines of a home have it
 * (tls/home.md#a-name-without-a-dns-server): in a network namespace with one
 * interface, which nothing leaves.
 *
 * Ignored where avahi is missing or this process may make no such namespace,
 * which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { tryOwnNetwork } from "../support/own_network.ts";
import { programCommand, withDataDir } from "../support/program.ts";

const TOOLS = [
  ["avahi-daemon", "avahi-daemon"],
  ["avahi-browse", "avahi-utils"],
  ["avahi-resolve", "avahi-utils"],
  ["dbus-daemon", "dbus-daemon"],
  ["ip", "iproute2"],
] as const;

/** One interface, and a /run of its own for the sockets of avahi and D-Bus. */
const NETWORK = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon
ip link set lo up
ip link add home0 type veth peer name peer0
ip addr add 10.99.0.1/24 dev home0
ip link set peer0 up
ip link set home0 up multicast on
ip route add 224.0.0.0/4 dev home0
`;

/** Everything ends with the script; the server is told to stop first. */
const STORY = `${NETWORK}
cat > /run/dbus.conf <<'END'
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
    <allow own="*"/><allow user="*"/>
  </policy>
</busconfig>
END
cat > /run/avahi.conf <<'END'
[server]
host-name=somebody-else
use-ipv6=no
allow-interfaces=home0
[publish]
disable-publishing=yes
END
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
dbus-daemon --config-file=/run/dbus.conf --nofork --nopidfile >&2 & bus=$!
server=
trap 'kill $server $avahi $bus; wait' EXIT
until [ -S /run/dbus/system_bus_socket ]; do sleep 0.1; done
avahi-daemon --file=/run/avahi.conf --no-drop-root --no-chroot \\
  --no-rlimits >&2 & avahi=$!
mkfifo /run/said
"$@" > /run/said & server=$!
read line < /run/said
# One that is not found yet is asked for again, and in the end gives up.
for again in 1 2 3 4 5 6 7 8 9 10; do
  found=$(timeout 10 avahi-browse --resolve --parsable --terminate _http._tcp)
  case "$found" in *"=;home0"*) break;; esac
done
echo "$found"
timeout 10 avahi-resolve -4 --name strongroom.local
`;

const { ignore, why } = await tryOwnNetwork(NETWORK, TOOLS);

Deno.test({
  name: `avahi finds the server under strongroom.local, and its service${why}`,
  ignore,
  fn: () =>
    withDataDir(async (room) => {
      const { program, args } = programCommand(["serve"]);
      const { success, stdout, stderr } = await new Deno.Command("unshare", {
        args: ["--net", "--mount", "sh", "-c", STORY, "sh", program, ...args],
        cwd: new URL("../../", import.meta.url),
        env: {
          STRONGROOM_DATA_DIR: `${room}/data`,
          STRONGROOM_LISTEN: "10.99.0.1:8470",
          STRONGROOM_BASE_URL: "http://strongroom.local:8470",
          STRONGROOM_MDNS: "on",
          STRONGROOM_ARGON2_MEMORY_KIB: "8",
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).output();
      const [said, told] = [stdout, stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      );
      assert(success, `${said}\n${told}`);
      assert.match(
        said ?? "",
        /^=;home0;IPv4;strongroom;Web Site;local;strongroom\.local;10\.99\.0\.1;8470;"path=\/"$/m,
        told,
      );
      assert.match(said ?? "", /^strongroom\.local\t10\.99\.0\.1$/m, told);
    }),
});
