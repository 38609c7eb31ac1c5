/**
 * Notices from commands, and a running server's own (notices.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { login } from "../support/account_command.ts";
import { withServer } from "../support/operator_commands.ts";
import { examine } from "../support/doctor.ts";
import { expectDone } from "../support/ended.ts";
import { expectJson } from "../support/expect.ts";
import { registerPerson } from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { withMailServer, withReceiver } from "../support/targets.ts";

const ADA = "ada@example.org";

Deno.test("notify test says whether each target took it, and the doctor repeats it", async () => {
  await withReceiver((receiver) =>
    // Its server has no targets: the command alone sends.
    withServer(async ({ dataDir, refused }) => {
      await refused(/STRONGROOM_NOTIFY is not set/, "notify", "test");
      const settings = {
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_NOTIFY: `${receiver.origin}/T0PSECRET`,
      };
      const test = () => runProgram(["notify", "test"], settings);
      assert.equal(
        expectDone(await test()),
        `${receiver.origin} took the test\n`,
      );
      const judged = async () => {
        const { checks } = await examine(dataDir, settings);
        assert.doesNotMatch(JSON.stringify(checks), /T0PSECRET/);
        return checks.find(({ check }) => check === "notices");
      };
      assert.equal((await judged())?.status, "ok");
      receiver.status = 500;
      const failed = await test();
      assert.equal(failed.status, 1);
      assert.match(failed.stdout, /: it answered 500; it is tried for a day/);
      assert.equal((await judged())?.status, "fault");
      assert.match((await judged())?.detail ?? "", /has taken nothing since/);
      const shown = await runProgram(["config", "show"], settings);
      assert.doesNotMatch(shown.stdout, /T0PSECRET/);
    })
  );
});

Deno.test("mail goes to an address with a plus, and by LOGIN where PLAIN is refused", async () => {
  await withMailServer((mail) =>
    withServer(async ({ dataDir }) => {
      const test = () =>
        runProgram(["notify", "test"], {
          STRONGROOM_DATA_DIR: dataDir,
          STRONGROOM_NOTIFY: mail.target.replace(
            "keeper@home",
            "ada+alerts@home",
          ),
        });
      expectDone(await test());
      assert.deepEqual(mail.methods, ["PLAIN"]);
      mail.refusesPlain = true;
      expectDone(await test());
      assert.deepEqual(mail.methods, ["PLAIN", "PLAIN", "LOGIN"]);
      assert.deepEqual(mail.mails.map(({ to }) => to), [
        ["ada+alerts@home.example"],
        ["ada+alerts@home.example"],
      ]);
    })
  );
});

Deno.test("a backup that fails is told, and that one succeeded again", async () => {
  await withReceiver((receiver) =>
    withServer(async ({ dataDir }) => {
      const settings = {
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_NOTIFY: `${receiver.origin}/hook`,
      };
      const backUp = (dir: string) => runProgram(["backup", dir], settings);
      assert.equal((await backUp(`${dataDir}/no/such/place`)).status, 1);
      assert.equal((await backUp(`${dataDir}-copy`)).status, 0);
      await Deno.remove(`${dataDir}-copy`, { recursive: true });
      const events = receiver.posted.map(({ body }) => {
        const { event, state } = JSON.parse(body);
        return `${event} ${state}`;
      });
      assert.deepEqual(events, ["backup_failed began", "backup_failed ended"]);
      assert.doesNotMatch(JSON.stringify(receiver.posted), /no\/such/);
    })
  );
});

Deno.test("a backup that fails for there is no database is told straight away", async () => {
  await withReceiver(async (receiver) => {
    const failed = await runProgram(["backup", "/nowhere/at/all"], {
      STRONGROOM_DATA_DIR: "/nowhere/data",
      STRONGROOM_NOTIFY: `${receiver.origin}/hook`,
    });
    assert.equal(failed.status, 1);
    assert.equal(
      JSON.parse(receiver.posted[0]?.body ?? "{}").event,
      "backup_failed",
    );
  });
});

Deno.test("check tells that it is done, and what it found, once a day", async () => {
  await withReceiver((receiver) =>
    withServer(async ({ dataDir }) => {
      const settings = {
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_NOTIFY: `${receiver.origin}/hook`,
      };
      expectDone(await runProgram(["check"], settings));
      expectDone(await runProgram(["check"], settings));
      assert.equal(receiver.posted.length, 1);
      const { event, facts } = JSON.parse(receiver.posted[0]?.body ?? "{}");
      assert.deepEqual([event, facts], ["check_done", { found: 0 }]);
    })
  );
});

Deno.test("invitations are mailed where that is asked for, and refused where no mail is set", async () => {
  await withServer(async ({ refused }) => {
    await refused(
      /no mail server is set/,
      ...["account", "invite", "--mail", "eve@example.org"],
    );
  });
  await withMailServer((mail) =>
    withServer(async (beside) => {
      await beside.refused(
        /is no address that mail can go to/,
        ...["account", "invite", "--mail", "eve@example.org, all@example.org"],
      );
      const invited = await beside.json(
        ...["account", "invite", "--mail", "eve@example.org"],
      );
      await registerPerson(beside, "ada");
      expectDone(
        await runProgram(
          ["account", "set-password", ADA, "--password-stdin"],
          {
            STRONGROOM_DATA_DIR: beside.dataDir,
            STRONGROOM_ARGON2_MEMORY_KIB: "8",
            STRONGROOM_ARGON2_PASSES: "1",
            STRONGROOM_NOTIFY: mail.target,
          },
          "a wholly new sentence\n",
        ),
      );
      const [first, second] = await mail.come(2);
      assert(first?.text.includes(invited.link));
      assert.deepEqual(first?.to, ["eve@example.org"]);
      assert.match(second?.subject ?? "", /^Your password on .* was replaced/);
      assert.doesNotMatch(second?.text ?? "", /a wholly new sentence/);
      assert.deepEqual(second?.to, [ADA]);
    }, { STRONGROOM_NOTIFY: mail.target })
  );
});

Deno.test("a running server sends what its requests and other commands wrote", async () => {
  await withMailServer((mail) =>
    withServer(async (beside) => {
      await registerPerson(beside, "ada");
      await expectJson(await login(beside, ADA), 200);
      const [told] = await mail.come(1);
      assert.match(told?.subject ?? "", /^A new device signed in/);
    }, { STRONGROOM_NOTIFY: mail.target })
  );
});
