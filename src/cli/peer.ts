/**
 * `strongroom peer`: which servers' reports are taken.
 *
 * @module
 */
import type { Command } from "commander";
import { fromBase64, toBase64 } from "../core/bytes.ts";
import { OperatorFault } from "../core/operator.ts";
import { toRfc3339 } from "../core/time.ts";
import { listPeers, pinPeer, unpinPeer } from "../features/federation/peers.ts";
import {
  type CommandContext,
  operatorCommand,
  type OperatorOptions,
  withDatabase,
  withReading,
} from "./operator.ts";

/** Adds `peer pin`, `peer unpin` and `peer list` to the program. */
export function addPeerCommands(
  program: Command,
  { platform, say }: CommandContext,
): void {
  const peer = program.command("peer")
    .description("the servers whose moderation reports are taken");

  operatorCommand(
    peer.command("pin <server_id> <public_key>")
      .description(
        "trust the reports that are signed with a server's key: server_id " +
          "and signing_key of its server-info, confirmed with its operator",
      ),
    "peer pin https://photos.example " +
      "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  ).action(async (
    serverId: string,
    publicKey: string,
    options: OperatorOptions,
  ) => {
    const bytes = fromBase64(publicKey);
    if (bytes === undefined) {
      throw new OperatorFault(
        "the key is no base64: give signing_key of the peer's server-info " +
          "whole, with its padding",
      );
    }
    const { pinned, federates } = await withDatabase(
      options,
      async (db, config) => ({
        pinned: await pinPeer(db, serverId, bytes, platform.now()),
        federates: config.STRONGROOM_FEDERATION === "on",
      }),
    );
    const { serverId: server_id, outcome } = pinned;
    if (options.json) return say(JSON.stringify({ server_id, outcome }));
    say(
      {
        pinned: `${server_id} is pinned`,
        replaced: `${server_id} is pinned with this key in place of another`,
        unchanged: `${server_id} was pinned with this key already`,
      }[outcome],
    );
    if (!federates) {
      say("its reports are refused while STRONGROOM_FEDERATION is off");
    }
  });

  operatorCommand(
    peer.command("unpin <server_id>")
      .description("take no more reports of a server; those filed stay"),
    "peer unpin https://photos.example",
  ).action(async (serverId: string, options: OperatorOptions) => {
    const server_id = await withDatabase(
      options,
      (db) => unpinPeer(db, serverId),
    );
    say(
      options.json
        ? JSON.stringify({ server_id, outcome: "unpinned" })
        : `${server_id} is not pinned any more`,
    );
  });

  operatorCommand(
    peer.command("list").description("every pinned server and its key"),
    "peer list --json",
  ).action(async (options: OperatorOptions) => {
    const pinned = await withReading(options, (db) => listPeers(db));
    const peers = pinned.map((one) => ({
      server_id: one.serverId,
      public_key: toBase64(one.publicKey),
      pinned_at: toRfc3339(one.pinnedAt),
    }));
    if (options.json) return say(JSON.stringify({ peers }));
    if (peers.length === 0) say("no server is pinned");
    for (const { server_id, public_key, pinned_at } of peers) {
      say(`${server_id}  ${public_key}  since ${pinned_at}`);
    }
  });
}
