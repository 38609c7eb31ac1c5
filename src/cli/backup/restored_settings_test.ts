/**
 * How a restored server is started.
 *
 * @module
 */
import assert from "node:assert/strict";
import { startLine } from "./restored_settings.ts";

Deno.test("a server whose settings are those of the systemd unit is started by systemd, if the unit serves its data directory", () => {
  const line = (envFile: string, unit?: string, named = "/srv/data/") =>
    startLine(envFile, "/srv/data", named, (path) => path === unit);
  const system = "/etc/strongroom/strongroom.env";
  const unit = "/usr/lib/systemd/system/strongroom.service";
  const serve = (envFile: string) =>
    `start it with: strongroom serve --env-file ${envFile} ` +
    "--data-dir /srv/data";
  assert.equal(line(system, unit), "start it with: systemctl start strongroom");
  assert.equal(line(system), serve(system));
  assert.equal(line("/srv/data.env", unit), serve("/srv/data.env"));
  for (const other of ["/var/lib/strongroom", "srv/data"]) {
    assert.equal(line(system, unit, other), serve(system));
  }
});
