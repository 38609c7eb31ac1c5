/**
 * One open upload session, for the stories of the data plane.
 *
 * @module
 */
import { type Sender, type TestApp, withTestApp } from "./app.ts";
import { expectEmpty } from "./expect.ts";
import {
  ciphertext,
  createUpload,
  type Person,
  registerWriter,
} from "./people.ts";
import { expectNoErrors } from "./api.ts";

/** What the session of {@link withUpload} waits for. */
export const BYTES = ciphertext("data plane", 1_000);

/**
 * Runs a test over one open session for {@link BYTES}; whatever the test sends,
 * the server must not have failed by itself.
 */
export async function withUpload(
  test: (app: TestApp, ada: Person, id: string) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, (await createUpload(app, ada, BYTES)).upload_id);
    expectNoErrors(app);
  });
}

/** A body whose first bytes come, and whose others do when the test says so. */
export interface HangingBody {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves once the first bytes were taken, and more are asked for. */
  readonly taken: Promise<void>;
  readonly end: () => void;
}

export function hangingBody(
  first: Uint8Array<ArrayBuffer>,
  rest = new Uint8Array(),
): HangingBody {
  const taken = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let asked = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      asked += 1;
      if (asked === 1) return controller.enqueue(first);
      taken.resolve();
      await ended.promise;
      if (rest.length > 0) controller.enqueue(rest);
      controller.close();
    },
  }, { highWaterMark: 0 });
  return { body, taken: taken.promise, end: ended.resolve };
}

/** HEAD of an upload session. */
export function headUpload(
  app: Sender,
  person: Person,
  id: string,
): Promise<Response> {
  return app.send("HEAD", `/v1/upload/${id}`, { token: person.token });
}

/** The bytes that a session holds, as tus tells them. */
export async function offsetOf(
  app: Sender,
  person: Person,
  id: string,
): Promise<number> {
  const response = await headUpload(app, person, id);
  await expectEmpty(response, 200);
  return Number(response.headers.get("upload-offset"));
}

/** Finalizes an upload session. */
export function finalize(
  app: Sender,
  person: Person,
  id: string,
): Promise<Response> {
  return app.send("POST", `/v1/upload/${id}/finalize`, {
    token: person.token,
  });
}
