/**
 * A guest's finalization that fails at any file operation: the whole effect or
 * none of it, and the call can be repeated.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import { restarting } from "../support/restarting.ts";
import {
  createGuestUpload,
  finalizeGuest,
  issueLink,
  listContributions,
  onContribution,
  patchGuest,
  usageOf,
} from "../support/guests.ts";
import { ciphertext, registerWriter } from "../support/people.ts";
import { expectBytes } from "../support/api.ts";

/** More operations than any request here has. */
const MANY = 60;

Deno.test("a guest's finalization that fails at any file operation can be repeated, and contributes once", async () => {
  const files = failingFiles();
  await withTestApp(async (first) => {
    const app = restarting(first);
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    let faults = 0;
    for (let n = 1; n <= MANY; n++) {
      const bytes = ciphertext(`blob ${n}`, 1_000);
      const { upload_id } = await createGuestUpload(app, link, bytes);
      await expectEmpty(await patchGuest(app, link, upload_id, 0, bytes), 204);
      files.failAt(n);
      const first = await finalizeGuest(app, link, upload_id);
      const fault = files.fault();
      files.failAt(MANY * MANY);
      if (fault === undefined) break;
      faults += 1;
      if (fault === "syncDirectory") await app.restart();
      if (first.status !== 200) {
        await expectProblem(first, "error.internal");
        const kept = await listContributions(app, ada, link);
        assert.equal(kept.length, n - 1, "all of it or nothing");
        const usage = await usageOf(app, ada);
        assert.equal(usage.used_bytes, (n - 1) * 1_000);
        assert.equal(usage.reserved_bytes, 1_000);
      }
      // What may not be on the disk is asked for again.
      if (["open", "sync", "rename", "syncDirectory"].includes(fault)) {
        const sent = await patchGuest(app, link, upload_id, 0, bytes);
        await expectEmpty(sent, 204);
      }
      const again = await expectJson(
        await finalizeGuest(app, link, upload_id),
        200,
      );
      assert.equal(again.replayed, first.status === 200);
      const kept = await listContributions(app, ada, link);
      assert.equal(kept.length, n);
      const blob = await onContribution(app, ada, "GET", link, upload_id);
      expectBytes(await blob.arrayBuffer(), bytes);
      app.clock.advance(60_000);
    }
    assert.ok(faults >= 8 && faults < MANY, `${faults} operations failed`);
    const receipts = await app.app.db.selectFrom("receipt").select("upload_id")
      .execute();
    assert.equal(receipts.length, faults + 1);
  }, { files });
});
