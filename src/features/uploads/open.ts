/**
 * The sessions that an account has open (protocol/uploads.md#open-sessions):
 * what a client goes on with that was ended, and forgot where it was.
 *
 * @module
 */
import type { UploadId } from "../../core/ids.ts";
import type { CallBy } from "../call.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import { uploadToWire } from "./session.ts";
import { OPEN_AT_ONCE, pageOfOpen, type UploadRow } from "./store.ts";

/** A page of the caller's open sessions; larger ones are read in steps. */
export async function listOpenUploads(
  { app, caller, now }: CallBy<"session", never>,
  { after, limit }: {
    readonly after: UploadId | undefined;
    readonly limit: number;
  },
) {
  const read: UploadRow[] = [];
  for (let last: string = after ?? "";;) {
    const page = await pageOfOpen(app.db, caller.userId, last, now);
    read.push(...page);
    last = page.at(-1)?.upload_id ?? last;
    if (read.length > limit || page.length < OPEN_AT_ONCE) break;
    await yieldToEventLoop(app);
  }
  const uploads = [];
  for (const upload of read.slice(0, limit)) {
    // A hanging request's gathered bytes count before the offset is told.
    app.uploads.flush(upload.upload_id);
    uploads.push(await uploadToWire(app, upload));
  }
  const last = uploads.at(-1);
  return {
    uploads,
    ...(read.length > limit && last !== undefined
      ? { next_after: last.upload_id }
      : {}),
  };
}
