/**
 * What operations have to do with each other, for `/openapi.json`: told by
 * their paths.
 *
 * @module
 */

interface Tag {
  readonly name: string;
  readonly description: string;
  /** The paths of the tag begin like this; the first that fits counts. */
  readonly prefixes: readonly string[];
}

export const TAGS: readonly Tag[] = [
  {
    name: "Devices",
    description: "Directories of a person's devices, and how one more joins",
    prefixes: ["/v1/auth/devices", "/v1/users/{user_id}/directory"],
  },
  {
    name: "Escrow",
    description: "The wrapped keys that open an account on a new device",
    prefixes: ["/v1/auth/escrow"],
  },
  {
    name: "Accounts",
    description: "Registering, signing in and out, and the second factor",
    prefixes: ["/v1/auth", "/v1/invitations"],
  },
  {
    name: "Federation",
    description: "What servers say to each other: capabilities and reports",
    prefixes: [
      "/v1/federation",
      "/v1/albums/{album_id}/capabilities",
      "/.well-known/service/revoked-jti",
    ],
  },
  {
    name: "People",
    description: "Finding a user by a handle or an address",
    prefixes: ["/v1/users", "/.well-known/service/users"],
  },
  {
    name: "Albums",
    description: "Albums, their rosters, and operations on what is in them",
    prefixes: ["/v1/albums"],
  },
  {
    name: "Upload links",
    description: "Links under which anybody may contribute to an album",
    prefixes: ["/v1/upload-links", "/u/"],
  },
  {
    name: "Uploads",
    description: "Sending a blob, whole or in parts (tus 1.0.0)",
    prefixes: ["/v1/upload"],
  },
  {
    name: "Assets",
    description: "What is stored: manifests, blobs, receipts, the trash",
    prefixes: ["/v1/assets", "/v1/trash", "/v1/receipts", "/v1/storage"],
  },
  {
    name: "Sync",
    description: "The feed of everything that changed",
    prefixes: ["/v1/sync"],
  },
  {
    name: "State",
    description: "Slots for what an account's programs keep for themselves",
    prefixes: ["/v1/state"],
  },
  {
    name: "Shares",
    description: "Links under which anybody may read",
    prefixes: ["/v1/shares", "/s/"],
  },
  {
    name: "Moderation",
    description: "What the operator did to an account or its assets",
    prefixes: ["/v1/moderation"],
  },
  {
    name: "Public logs",
    description: "What this server signed and published, for everybody",
    prefixes: ["/log", "/witness"],
  },
  {
    name: "Discovery",
    description: "What the server is, and what it speaks",
    prefixes: ["/"],
  },
];

/** The tag of a path: the last one takes every path. */
export function tagOf(path: string): string {
  const found = TAGS.find(({ prefixes }) =>
    prefixes.some((prefix) => path.startsWith(prefix))
  );
  return found?.name ?? "Discovery";
}
