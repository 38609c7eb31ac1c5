/**
 * The page about Caddy, followed to the letter
 * (tls/certificate.md#caddy-in-front): its commands and its settings, for a
 * home without a public name, with Debian's Caddy. In a network namespace of
 * its own, so that ports 80 and 443 are free, and with folders of its own in
 * the place of the system's.
 *
 * Ignored where Caddy is missing or this process may make no such namespace,
 * which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { tryOwnNetwork } from "../support/own_network.ts";
import { programCommand, withDataDir } from "../support/program.ts";

const ROOT = new URL("../../", import.meta.url);
const NAME = "photos.home.example";

const PLACES = `
set -e
mkdir -p /etc/caddy /var/lib/caddy
for place in /run /etc/caddy /var/lib/caddy /usr/local/share/ca-certificates
do mount -t tmpfs tmpfs $place; done
ip link set lo up
`;

/** The blocks of code of a section, in its order. */
async function blocksOf(section: string): Promise<string[]> {
  const page = await Deno.readTextFile(
    new URL("src/docs/tls/certificate.md", ROOT),
  );
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/```sh\n([^]*?)```/g)].map(([, code = ""]) =>
    code.replaceAll("YOUR.NAME", NAME)
  );
}

const { ignore, why } = await tryOwnNetwork(PLACES, [
  ["caddy", "caddy"],
  ["curl", "curl"],
  ["ip", "iproute2"],
]);

Deno.test({
  name: `the page about Caddy leads to a server that answers over https${why}`,
  ignore,
  fn: () =>
    withDataDir(async (room) => {
      const [commands = "", settings = ""] = await blocksOf("Caddy in front");
      const steps = commands.trim().split("\n");
      // The package is there already, and no systemd runs here.
      assert.equal(steps.shift(), "apt-get install caddy");
      assert.equal(steps.pop(), "systemctl restart caddy");
      assert.equal(steps.length, 2);
      const page = await Deno.readTextFile(
        new URL("src/docs/tls/certificate.md", ROOT),
      );
      const [, authority = ""] =
        /`(\/var\/lib\/caddy\/\S+root\.crt)`/.exec(page) ?? [];
      const { program, args } = programCommand(["serve"]);
      const story = `${PLACES}
${steps.join("\n")}
sed -i 's/^${NAME} {$/&\\n\\ttls internal/' /etc/caddy/Caddyfile
mkfifo /run/said
"$@" > /run/said & server=$!
trap 'kill $server $caddy; wait' EXIT
read line < /run/said
# As Debian's unit starts it; without a PATH it asks no program to trust it.
caddy=$(command -v caddy)
HOME=/var/lib/caddy PATH= "$caddy" run \\
  --config /etc/caddy/Caddyfile >&2 & caddy=$!
until [ -e ${authority} ]; do sleep 0.1; done
ask() {
  curl --silent --show-error --retry 20 --retry-all-errors --retry-delay 1 \\
    --cacert ${authority} --resolve ${NAME}:443:127.0.0.1 \\
    --resolve ${NAME}:80:127.0.0.1 "$@"
}
ask https://${NAME}/.well-known/service/server-info
echo
ask --output /dev/null --write-out '%{http_code} %{redirect_url}\\n' \\
  http://${NAME}/
`;
      const { success, stdout, stderr } = await new Deno.Command("unshare", {
        args: ["--net", "--mount", "sh", "-c", story, "sh", program, ...args],
        cwd: ROOT,
        env: {
          ...Object.fromEntries(
            settings.trim().split("\n").map((line) => line.split("=", 2)),
          ),
          STRONGROOM_DATA_DIR: `${room}/data`,
          STRONGROOM_ARGON2_MEMORY_KIB: "8",
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).output();
      const [said = "", told = ""] = [stdout, stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      );
      assert(success, `${said}\n${told}`);
      const [info = "", plain] = said.trim().split("\n");
      assert.equal(JSON.parse(info).server_id, `https://${NAME}`, told);
      assert.equal(plain, `308 https://${NAME}/`);
      // The server trusts what this proxy says of its clients.
      assert.doesNotMatch(told, /forwarding headers are ignored/);
    }),
});
