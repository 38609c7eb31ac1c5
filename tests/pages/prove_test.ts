/**
 * The page that checks the proof of a photo, on another server than the one that
 * signed (protocol/logs.md#the-proof-of-a-photo).
 *
 * @module
 */
import assert from "node:assert/strict";
import { provePhoto } from "../../src/library/logs/photo_proof.ts";
import { heldReceiptOf } from "../../src/library/logs/receipt_proof.ts";
import { expectAccessible } from "../support/axe.ts";
import { CHROMIUM, expectQuiet, sharedChromium } from "../support/browser.ts";
import { beginLibrary, deviceOf, fileOf, wireTo } from "../support/library.ts";
import { serveHere, withDataDir } from "../support/program.ts";
import { withWitnesses, witnessKeyOf } from "../support/witnessed.ts";

const browser = sharedChromium();

Deno.test({
  name:
    "any server's page shows of a dropped photo and proof who signed, when, and who saw it, without asking a server",
  ignore: CHROMIUM === "",
  // The driver keeps its pipes to the browser for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withDataDir(async (dataDir) => {
      const photo = await Deno.readFile(
        new URL("../samples/coffee.jpg", import.meta.url),
      );
      const { file, keyId, witness } = await proven(photo);
      const server = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
      try {
        await browser.visit(async (visitor) => {
          const { page, context } = visitor;
          await page.goto(`${server.url}/prove`);
          await page.getByRole("heading", { name: "Check a proof" }).waitFor();
          // Where one comes from.
          await page.getByText("strongroom proof PHOTO").waitFor();
          await expectAccessible(page);
          await context.setOffline(true);
          const asked = visitor.requests.length;
          const choose = page.locator("[data-choose=files]");
          const given = (name: string, buffer: Uint8Array | string) => ({
            name,
            mimeType: "application/octet-stream",
            buffer: Buffer.from(buffer),
          });
          await choose.setInputFiles([
            given("coffee.jpg", photo),
            // By what is in it, whatever it is called.
            given("coffee.txt", file),
          ]);
          await page.getByText("exactly this photo, if the key is").waitFor();
          for (const text of [keyId, "http://", "w0, ", "itself names these"]) {
            await page.getByText(text).first().waitFor();
          }
          await expectAccessible(page);

          await page.getByLabel("The server's key").fill(keyId);
          await page.getByText("exactly this photo", { exact: false })
            .filter({ hasNotText: "if the key" }).first().waitFor();
          await page.getByLabel("A witness that you trust").fill(witness);
          await page.getByRole("button", { name: "Count this" }).click();
          await page.getByText("that you trust saw this log").waitFor();

          await page.getByLabel("The server's key").fill("0".repeat(64));
          await page.getByText("not signed with the key that you").waitFor();
          await page.getByLabel("The server's key").fill("");
          const other = photo.slice();
          other[1_000] = (other[1_000] ?? 0) ^ 1;
          await choose.setInputFiles([given("forged.jpg", other)]);
          await page.getByText("not the photo that the proof is ab").waitFor();
          await choose.setInputFiles([
            given("cut.tlog-proof", file.slice(0, 500)),
          ]);
          await page.getByText("The proof is cut off").waitFor();
          assert.deepEqual(visitor.requests.slice(asked), []);
          expectQuiet(visitor, new URL(server.url).origin);
        });
      } finally {
        await server.stop();
      }
    }),
});

interface Made {
  readonly file: string;
  readonly keyId: string;
  readonly witness: string;
}

/** A proof of a photo in a log that another server witnesses. */
async function proven(photo: Uint8Array<ArrayBuffer>): Promise<Made> {
  const made: Made[] = [];
  await withWitnesses(1, async (server) => {
    const device = deviceOf(wireTo(server.app), "laptop");
    const library = await beginLibrary(device, "ada");
    await library.logs.choose(await server.policy(1));
    const { row } = await library.take(fileOf("coffee.jpg", photo));
    await server.advance();
    const held = await heldReceiptOf(library, row);
    assert(held !== undefined);
    const proof = await provePhoto(library, row, held);
    const [first] = server.witnesses;
    assert(proof !== undefined && first !== undefined);
    made.push({
      file: proof.file,
      keyId: proof.receipt.server_key_id,
      witness: await witnessKeyOf(first),
    });
  });
  const [one] = made;
  assert(one !== undefined);
  return one;
}
