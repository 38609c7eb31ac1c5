/**
 * Notices by mail over TLS (notices.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { makeAuthority } from "../support/certificates.ts";
import { runProcess, serveHere, withDataDir } from "../support/program.ts";
import { type Mail, withMailServer } from "../support/targets.ts";

Deno.test("mail goes over smtps to a server whose certificate is trusted, and to no other", async () => {
  await withDataDir(async (outside) => {
    const authority = await makeAuthority(outside);
    const files = { cert: `${outside}/mail.pem`, key: `${outside}/mail.key` };
    await authority.issue("mail", files);
    const tls = {
      cert: await Deno.readTextFile(files.cert),
      key: await Deno.readTextFile(files.key),
    };
    await withMailServer(async (mail) => {
      const dataDir = `${outside}/data`;
      const server = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
      assert.equal(await server.stop(), 0, await server.complaint());
      const settings = {
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_NOTIFY: mail.target,
      };
      const refused = await runProcess(["notify", "test"], settings);
      assert.equal(refused.status, 1, refused.stdout);
      assert.deepEqual(mail.mails, []);
      const trusted = await runProcess(["notify", "test"], {
        ...settings,
        DENO_CERT: `${outside}/ca.pem`,
      });
      assert.equal(trusted.status, 0, trusted.stdout + trusted.stderr);
      // The first one waited, and came with it or waits on.
      const [first] = mail.mails as readonly Mail[];
      assert.deepEqual(first?.to, ["keeper@home.example"]);
    }, tls);
  });
});
