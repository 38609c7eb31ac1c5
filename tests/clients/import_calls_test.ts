/**
 * The calls of the web app about imports, in front of a real library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import type { Library } from "../../src/library/mod.ts";
import { photo, withCast } from "../support/album_cast.ts";
import { fileOf } from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

/** What these tests call. The module itself wants the types of a browser. */
interface Calls {
  held(sha256: string): { readonly is: string; readonly assetId?: string };
  tellMore(assetId: string, facts: object): Promise<boolean>;
  video(assetId: string, size: number, sha256: string): Promise<string>;
  addVideo(assetId: string, motion: object): Promise<void>;
  begin(begun: { readonly names: readonly string[] }): Promise<void>;
  end(): Promise<void>;
  begun(): Promise<{ readonly names: readonly string[] } | undefined>;
}

const CALLS = new URL(
  "../../src/web/workers/library/import_calls.ts",
  import.meta.url,
);
const { importCalls }: { importCalls(vault: unknown): Calls } = await import(
  CALLS.href
);

/** What of the vault the calls of these tests use. */
const callsOf = (library: Library) =>
  importCalls({ opened: () => library, changed: () => {} });

const FACTS = {
  title: "walk.jpg",
  favourite: true,
  archived: false,
  trashed: false,
};

Deno.test("what an export tells later is added to what is here, once, and what was deleted stays away", async () => {
  await withCast(async ({ ada }) => {
    const calls = callsOf(ada);
    const { row } = await ada.take(fileOf("walk.jpg", photo("walk")));
    const sha256 = row.metadata?.sha256 ?? "";
    assert.deepEqual(calls.held(sha256), { is: "known", assetId: row.id });
    assert.deepEqual(calls.held("00".repeat(32)), { is: "new" });

    const told = { ...FACTS, caption: "the lake" };
    assert.equal(await calls.tellMore(row.id, told), true);
    assert.equal(await calls.tellMore(row.id, told), false);
    const { caption, favourite } = ada.index.get(row.id)?.metadata ?? {};
    assert.deepEqual([caption, favourite], ["the lake", true]);

    await ada.trash(row.id);
    assert.deepEqual(calls.held(sha256), { is: "deleted" });
  });
});

Deno.test("the video of a still that is here is added to it, and another one is a file of its own", async () => {
  await withCast(async ({ ada }) => {
    const calls = callsOf(ada);
    const { row } = await ada.take(fileOf("walk.jpg", photo("walk")));
    const bytes = ciphertext("its video", 900);
    const isOf = (video: Uint8Array<ArrayBuffer>) =>
      calls.video(row.id, video.length, sha256Hex(video));
    assert.equal(await isOf(bytes), "lacking");
    const mime = "video/quicktime";
    await calls.addVideo(row.id, { kind: "motion", mime, bytes });
    assert.equal(await isOf(bytes), "known");
    assert.equal(await isOf(ciphertext("another", 900)), "separate");
    assert.equal(await isOf(ciphertext("a longer one", 901)), "separate");
  });
});

Deno.test("an import that was begun is remembered by its names until it ends", async () => {
  await withCast(async ({ ada }) => {
    assert.equal(await callsOf(ada).begun(), undefined);
    const names = ["takeout-001.zip", "takeout-002.zip"];
    await callsOf(ada).begin({ names });
    assert.deepEqual(await callsOf(ada).begun(), { names });
    await callsOf(ada).end();
    assert.equal(await callsOf(ada).begun(), undefined);
  });
});
