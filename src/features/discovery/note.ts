/**
 * What discovery answers, in a small file of the data directory: while a
 * migration runs the database cannot be asked, and discovery answers as ever
 * (protocol/discovery.md#a-migration).
 *
 * @module
 */
import { z } from "zod";
import { parseProtocolDate, type ProtocolDate } from "../../core/protocol.ts";
import { type Files, writeDurably } from "../../store/files/files.ts";
import type { App } from "../app.ts";
import { attestationKeys, deprecations, serverInfo } from "./discovery.ts";

const date = z.string().transform((text, context): ProtocolDate => {
  const parsed = parseProtocolDate(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("a date is wanted");
  return z.NEVER;
});

const Note = z.strictObject({
  version: z.literal(1),
  window: z.strictObject({ min: date, max: date }),
  /** The bodies of the records, by the last segment of their paths. */
  records: z.strictObject({
    "server-info": z.string(),
    deprecation: z.string(),
    "attestation-keys": z.string(),
  }),
});
export type DiscoveryNote = z.infer<typeof Note>;

function pathIn(root: string): string {
  return `${root}/discovery.json`;
}

/** The note; undefined if it is missing or cannot be read. */
export function readDiscoveryNote(
  files: Files,
  root: string,
): DiscoveryNote | undefined {
  try {
    const text = new TextDecoder().decode(files.readWhole(pathIn(root)));
    return Note.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Writes the note where it would say something else than it does. */
export async function noteDiscovery(
  app: App,
  { files, root }: { readonly files: Files; readonly root: string },
): Promise<void> {
  const info = serverInfo(app);
  const note: DiscoveryNote = {
    version: 1,
    window: info.protocol_version,
    records: {
      "server-info": JSON.stringify(info),
      deprecation: JSON.stringify({ announcements: deprecations(app) }),
      "attestation-keys": JSON.stringify(attestationKeys(app)),
    },
  };
  const before = readDiscoveryNote(files, root);
  if (JSON.stringify(before) === JSON.stringify(note)) return;
  const bytes = new TextEncoder().encode(`${JSON.stringify(note)}\n`);
  await writeDurably(files, pathIn(root), bytes);
}
