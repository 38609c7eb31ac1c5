/**
 * `strongroom report` as a process, while a server runs that a peer reports to
 * (accounts-and-moderation/moderation.md#reports-from-other-servers).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import {
  type Beside,
  expectHelp,
  expectMisused,
  withServer,
} from "../support/operator_commands.ts";
import { expectJson, expectSince, type Json } from "../support/expect.ts";
import { FEDERATES, makePeer, signedReport } from "../support/peers.ts";
import {
  createAsset,
  hashOf,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";

/** Whatever a test does comes after. */
const BEGUN_MS = Date.now();

const COMMANDS = ["send", "list", "show", "close"];

/** Files a report as a pinned peer does; returns its id. */
async function file(
  beside: Beside,
  person: Person,
  over: Json = {},
): Promise<string> {
  const peer = await makePeer("peer");
  const key = toBase64(peer.publicKey);
  await beside.done("peer", "pin", peer.serverId, key);
  const { report_id } = await expectJson(
    await beside.send("POST", "/v1/federation/reports", {
      json: await signedReport(peer, person.userId, over),
    }),
    202,
  );
  return report_id;
}

Deno.test("a report that a peer has signed is listed, shown with the asset it is about, and closed", async () => {
  await withServer(async (beside) => {
    const { done, json } = beside;
    assert.equal(await done("report", "list"), "no report is open\n");
    assert.equal(await done("report", "list", "--all"), "there is no report\n");
    const ada = await registerWriter(beside, "ada");
    const { assetId, original } = await createAsset(beside, ada, "photo");
    const id = await file(beside, ada, {
      asset_hash: hashOf(original),
      reason: "first line\n\u001b[2Jsecond line",
    });
    const { reports } = await json("report", "list");
    const [{ received_at, ...report }] = reports;
    assert.deepEqual(report, {
      report_id: id,
      reporting_server: "https://peer.example",
      reported_user: ada.userId,
      reported_address: ada.address,
      standing: "active",
      asset_hash: hashOf(original),
      album_id: report.album_id,
      reason: "first line\n\u001b[2Jsecond line",
      reported_at: "2026-11-21T11:59:00Z",
    });
    expectSince(BEGUN_MS, received_at);
    assert.match(
      await done("report", "list"),
      new RegExp(`^${id} .* open .*about ada@example\\.org \\(active\\)\n$`),
    );
    assert.deepEqual(await json("report", "show", id), {
      ...reports[0],
      assets: [assetId],
    });
    const shown = await done("report", "show", id);
    // What a peer writes does not steer the operator's terminal.
    assert.match(shown, /reason: "first line \[2Jsecond line"\n/);
    assert.match(shown, new RegExp(`held by asset ${assetId}\n$`));
    // What the report is about can be acted on at once.
    await done("asset", "take-down", assetId, "--reason", "reported");
    await done("account", "suspend", ada.address);
    assert.equal((await json("report", "show", id)).standing, "suspended");
    assert.equal(await done("report", "close", id), `report ${id} is closed\n`);
    assert.deepEqual(await json("report", "list"), { reports: [] });
    const all = await json("report", "list", "--all");
    assert.match(all.reports[0].closed_at, /Z$/);
    await beside.refused(/was closed at 2/, "report", "close", id);
  }, FEDERATES);
});

Deno.test("reports are listed oldest first, and outlive the account that they are about", async () => {
  await withServer(async (beside) => {
    const ada = await registerPerson(beside, "ada");
    const bob = await registerPerson(beside, "bob");
    const ids = [
      await file(beside, bob),
      await file(beside, ada),
      await file(beside, bob),
    ];
    const [first = ""] = ids;
    assert.deepEqual(await beside.json("report", "close", first), {
      report_id: first,
      outcome: "closed",
    });
    await beside.done("account", "delete", ada.address, "--yes");
    const listed = async (...more: string[]) => {
      const { reports } = await beside.json("report", "list", ...more);
      return reports.map((one: Json) => [one.report_id, one.standing]);
    };
    const standing = ["active", "deleted", "active"];
    const all = ids.map((id, index) => [id, standing[index]]);
    assert.deepEqual(await listed(), all.slice(1));
    assert.deepEqual(await listed("--all"), all);
    assert.match(
      await beside.done("report", "show", ids[1] ?? ""),
      /\(deleted\)\n(.*\n)*.*no asset of the account holds that blob\n$/,
    );
  }, FEDERATES);
});

Deno.test("a report that is not there is refused, a wrong use is status 2, and every help has an example", async () => {
  await withServer(async ({ refused }) => {
    for (const id of [crypto.randomUUID(), "none", ""]) {
      await refused(/there is no report .*list --all/, "report", "show", id);
      await refused(/there is no report/, "report", "close", id);
    }
  });
  await Promise.all([
    expectMisused("report"),
    expectMisused("report", "show"),
    expectMisused("report", "close", "a", "b"),
    expectMisused("report", "list", "--closed"),
  ]);
  await expectHelp("report", COMMANDS);
});
