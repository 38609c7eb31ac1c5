/**
 * An import passes over what the person deleted on purpose.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  newAccount,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";

Deno.test("an import leaves out what was deleted on purpose, on every machine and when the trash is empty", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    const words = await newAccount(town, laptop, "ada@example.org");
    const year = "export/Takeout/Google Photos/Photos from 2024";
    const fill = async (machine: typeof laptop) => {
      for (const name of ["bad", "good"]) {
        await machine.write(`${year}/${name}.png`, `the photo ${name}`);
      }
      return machine.path("export");
    };
    const imported = await laptop.done(
      ...["import", "takeout", await fill(laptop)],
    );
    assert.match(imported, /^2 files kept/m);
    await laptop.done("rm", "bad.png");
    const other = await town.machine("desk");
    await signInWithWords(town, other, "ada@example.org", words);
    for (const empties of [false, true]) {
      if (empties) await laptop.done("trash", "empty", "--yes");
      for (const machine of [laptop, other]) {
        const again = await machine.done(
          ...["import", "takeout", await fill(machine)],
        );
        assert.match(again, /^0 files kept.*1 file in the trash/m);
        assert.match(await machine.done("ls"), /^1 file, /m);
      }
    }
  });
});
