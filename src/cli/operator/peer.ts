/**
 * `strongroom peer`: which servers' reports are taken.
 *
 * @module
 */
import type { Command } from "commander";
import { fromBase64, toBase64 } from "../../core/bytes.ts";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  listPeers,
  pinPeer,
  unpinPeer,
} from "../../features/federation/peers.ts";
import { addVerbs, type CommandContext, type Verb } from "../verb.ts";

/** Adds `peer pin`, `peer unpin` and `peer list` to the program. */
export function addPeerCommands(
  program: Command,
  context: CommandContext,
): void {
  const peer = program.command("peer")
    .description(
      "servers that the web app may share albums with, and whose operators' " +
        "reports are accepted",
    );
  addVerbs(peer, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "pin <server_id> <public_key>",
    description:
      "let the web app share albums with a server, and accept reports signed " +
      "with its key; take server_id and signing_key from its server-info, and " +
      "confirm them with its operator",
    example: "peer pin https://photos.example " +
      "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    access: "write",
    async run({ db, config, platform }, serverId, publicKey) {
      const { serverId: server_id, outcome } = await pinPeer(
        db,
        serverId,
        readKey(publicKey),
        platform.now(),
      );
      const federates = config.STRONGROOM_FEDERATION === "on";
      return {
        json: { server_id, outcome },
        lines: [
          {
            pinned: `${server_id} is pinned`,
            replaced: `${server_id} is pinned with this key instead of another`,
            unchanged: `${server_id} was already pinned with this key`,
          }[outcome],
          ...federates
            ? []
            : ["its reports are refused while STRONGROOM_FEDERATION is off"],
        ],
      };
    },
  },
  {
    usage: "unpin <server_id>",
    description: "end that for a server; filed reports stay",
    example: "peer unpin https://photos.example",
    access: "write",
    async run({ db }, serverId) {
      const server_id = await unpinPeer(db, serverId);
      return {
        json: { server_id, outcome: "unpinned" },
        lines: [`${server_id} is no longer pinned`],
      };
    },
  },
  {
    usage: "list",
    description: "list every pinned server and its key",
    example: "peer list --json",
    access: "read",
    async run({ db }) {
      const peers = (await listPeers(db)).map((one) => ({
        server_id: one.serverId,
        public_key: toBase64(one.publicKey),
        pinned_at: toRfc3339(one.pinnedAt),
      }));
      return {
        json: { peers },
        lines: peers.length === 0
          ? ["no server is pinned"]
          : peers.map(({ server_id, public_key, pinned_at }) =>
            `${server_id}  ${public_key}  since ${pinned_at}`
          ),
      };
    },
  },
];

function readKey(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(
    "the key is not base64: give the whole signing_key of the peer's " +
      "server-info, with its padding",
  );
}
