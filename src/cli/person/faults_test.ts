import assert from "node:assert/strict";
import {
  ApiProblem,
  ConnectionError,
  DocumentError,
} from "../../library/mod.ts";
import { complaintOf, STATUS } from "./faults.ts";

Deno.test("a server without room is told of in words, and one that failed by where the reason is", () => {
  const said = (status: number, code: ApiProblem["code"]) =>
    complaintOf(new ApiProblem(status, code, undefined));
  assert.deepEqual(said(507, "error.storage.quota_exceeded"), {
    text: "the account's storage is full",
    status: STATUS.failed,
  });
  assert.deepEqual(said(500, "error.storage.full"), {
    text: "the server's disk is full",
    status: STATUS.failed,
  });
  const failed = said(500, "error.internal")?.text ?? "";
  assert.match(failed, /finds the reason in its log. .*`strongroom verify`/);
  assert.doesNotMatch(failed, /disk/);
});

Deno.test("what is wrong with a server's certificate is told with what a person does about it", () => {
  const said = (reason: string) =>
    complaintOf(
      new ConnectionError("no answer from https://a.example", {
        cause: new TypeError(
          `client error (Connect): invalid peer certificate: ${reason}`,
        ),
      }),
    )?.text ?? "";
  assert.match(said("UnknownIssuer"), /not trusted here: .* DENO_CERT/);
  assert.match(
    said(
      "certificate expired: verification time 1795000000 (UNIX), but " +
        "certificate is not valid after 1794000000 (1000000 seconds ago)",
    ),
    /valid until 2026-11-06T21:20:00Z.*: set this machine's clock/,
  );
});

Deno.test("what is wrong with an album or a record is told in words", () => {
  const text = "album 3f2a91bc: the server shows an older list of members " +
    "than before";
  assert.deepEqual(complaintOf(new DocumentError(text)), {
    text,
    status: STATUS.failed,
  });
});
