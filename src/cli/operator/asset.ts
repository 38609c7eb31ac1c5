/**
 * `strongroom asset`: what is done about one asset, and what there is to know
 * of it. What it shows no one here can see.
 *
 * @module
 */
import type { Command } from "commander";
import { bytesInWords } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  type Act,
  type ActedOn,
  holdAsset,
  reinstateAsset,
  releaseAsset,
  showAsset,
  takeDownAsset,
} from "../../features/moderation/operator.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { eventLine } from "./account_show.ts";
import { instantAs } from "./account_messages.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Verb,
} from "../verb.ts";
import { printable, REASON_HELP, type ReasonOptions } from "../phrasing.ts";

interface Deed {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  readonly outcome: string;
  readonly act: (db: Db, assetId: string, act: Act) => Promise<ActedOn>;
}

const EXAMPLE_ID = "0d9f9c1e-5b7a-4f7e-9a55-0c7a3f1f2f10";

const DEEDS: readonly Deed[] = [
  {
    name: "take-down",
    description:
      "withhold an asset from everyone, including its owner: share " +
      "links stop serving it, and nothing can be written to it",
    example: `asset take-down ${EXAMPLE_ID} --reason "court order 12/2026"`,
    outcome: "taken down",
    act: takeDownAsset,
  },
  {
    name: "reinstate",
    description: "end the take-down of an asset",
    example: `asset reinstate ${EXAMPLE_ID}`,
    outcome: "reinstated",
    act: reinstateAsset,
  },
  {
    name: "hold",
    description:
      "put an asset under legal hold: neither it nor its account can be " +
      "deleted; readers notice nothing",
    example: `asset hold ${EXAMPLE_ID} --reason "case 12/2026"`,
    outcome: "under legal hold",
    act: holdAsset,
  },
  {
    name: "release",
    description: "lift the legal hold of an asset",
    example: `asset release ${EXAMPLE_ID}`,
    outcome: "released",
    act: releaseAsset,
  },
];

const SHOW: Verb = {
  usage: "show <asset_id>",
  description:
    "show an asset: its owner, its album, its blobs and its moderation " +
    "record; its content is encrypted and never shown",
  example: `asset show ${EXAMPLE_ID}`,
  access: "read",
  run: async ({ db }, assetId) => describe(await showAsset(db, assetId)),
};

/** Adds `asset …` to the program. */
export function addAssetCommands(
  program: Command,
  context: CommandContext,
): void {
  const asset = program.command("asset")
    .description("take down, hold and show assets");
  addVerbs(asset, context, [SHOW, ...DEEDS.map(verbOf)]);
}

function verbOf({ name, description, example, outcome, act }: Deed): Verb {
  return {
    usage: `${name} <asset_id>`,
    description,
    options: [[
      "--reason <text>",
      REASON_HELP.replace("the account", "its owner"),
    ]],
    example,
    access: "write",
    async run(call: DatabaseCall<ReasonOptions>, given) {
      const { db, options, platform } = call;
      const when = { reason: options.reason, now: platform.now() };
      const { assetId, ownerId } = await act(db, given, when);
      return {
        json: {
          asset_id: assetId,
          owner: ownerId,
          outcome: outcome.replaceAll(" ", "_"),
        },
        lines: [`asset ${assetId} of account ${ownerId} is ${outcome}`],
      };
    },
  };
}

function describe(
  { asset, blobs, events }: Awaited<ReturnType<typeof showAsset>>,
) {
  const json = {
    asset_id: asset.asset_id,
    owner: asset.owner_id,
    ...(asset.owner_address === null
      ? {}
      : { owner_address: asset.owner_address }),
    ...(asset.album_id === null ? {} : { album_id: asset.album_id }),
    ...(asset.album_owner_id === null
      ? {}
      : { album_owner: asset.album_owner_id }),
    state: asset.state,
    ...instantAs("withheld_since", asset.withheld_at),
    ...instantAs("held_since", asset.held_at),
    ...instantAs("retention_until", asset.retention_until),
    chain_head: asset.chain_head,
    sync_seq: asset.sync_seq,
    created_at: toRfc3339(asset.created_at),
    updated_at: toRfc3339(asset.updated_at),
    ...instantAs("deleted_at", asset.deleted_at),
    ...(asset.deleted_by === null ? {} : { deleted_by: asset.deleted_by }),
    blobs,
    events: events.map(({ action, at, reason }) => ({
      action,
      at: toRfc3339(at),
      ...(reason === null ? {} : { reason }),
    })),
  };
  const mark = (what: string, at: number | null) =>
    at === null ? [] : [`${what} ${toRfc3339(at)}`];
  const marks = [
    ...asset.state === "live" ? ["live"] : [],
    ...mark("in the trash since", asset.deleted_at),
    ...mark("taken down since", asset.withheld_at),
    ...mark("under legal hold since", asset.held_at),
    ...mark("not to be deleted before", asset.retention_until),
  ];
  const owner = asset.owner_address === null
    ? asset.owner_id
    : `${asset.owner_id} (${printable(asset.owner_address)})`;
  return {
    json,
    lines: [
      `asset ${asset.asset_id} of account ${owner}: ${marks.join(", ")}`,
      ...asset.album_id === null
        ? []
        : [`  in album ${asset.album_id} of account ${asset.album_owner_id}`],
      `  created ${json.created_at}, changed ${json.updated_at}`,
      ...blobs.map(({ hash, role, size }) =>
        `  ${role}  ${hash}  ${bytesInWords(size)}`
      ),
      ...json.events.map(eventLine),
    ],
  };
}
